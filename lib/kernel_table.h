/*
 * The table of a kernel's functions, see kernel.h. Ends each kernel, of fixed filters and of those
 * that grow, which have the same names for their own.
 */
static void contains_many_in_eights(const struct guira *f, const uint64_t *hash, size_t n,
                                    bool *result) {
    size_t done = contains_in_eights(f, hash, n, result);
    contains_many(f, hash + done, n - done, result + done);
}

#define KERNEL                                                                                     \
    {                                                                                              \
        .contains = contains_hash, .count = count_hash, .insert = insert_hash,                     \
        .insert_unique = insert_unique_hash, .remove = remove_hash,                                \
        .contains_many = contains_many, .contains_many_in_eights = contains_many_in_eights,        \
        .count_many = count_many, .insert_many = insert_many,                                      \
        .insert_unique_many = insert_unique_many, .remove_many = remove_many                       \
    }
