/*
 * Calls on many keys, in all forms; see scene.h. The keys are numbers in equal steps: of step 0 one
 * key many times, of small steps many keys.
 */
#include "scene.h"

enum { MOST = 96 };

struct keys {
    unsigned count;
    enum form form; /* of the single calls */
    uint64_t key[MOST];
    const void *address[MOST];
    size_t length[MOST];
    unsigned without_address; /* which key has none; MOST: each has one */
    struct guira_keys description;
};

static void take_keys(struct scene *scene, struct keys *k) {
    unsigned form = take_8(&scene->in) % 5;
    k->count = take_8(&scene->in) % (MOST + 1);
    unsigned first = take_16(&scene->in);
    unsigned step = take_8(&scene->in);
    k->without_address = MOST;
    for (unsigned i = 0; i < k->count; i++) {
        k->key[i] = key_of((first + i * step) & 0xffff);
        k->address[i] = &k->key[i];
        k->length[i] = sizeof k->key[i];
    }
    k->form = FORM_BYTES;
    switch (form) {
    case 0:
        k->form = FORM_UNIFORM;
        k->description = guira_keys_uniform(k->key, k->count);
        break;
    case 1:
        k->form = FORM_U64;
        k->description = guira_keys_u64(k->key, k->count);
        break;
    case 2:
        k->description = guira_keys_records(k->key, sizeof k->key[0], k->count);
        break;
    case 3:
        if (k->count > 0) {
            k->without_address = first % k->count;
            k->address[k->without_address] = NULL;
        }
        k->description = guira_keys_pointers(k->address, k->length, k->count);
        break;
    default:
        k->description = guira_keys_pointers(k->address, k->length, k->count);
        break;
    }
}

static void change_many_keys(struct side *side, enum change change, const struct keys *k) {
    static enum guira_status (*const calls[CHANGES])(struct guira *, struct guira_keys,
                                                     enum guira_status *) = {
        guira_insert_batch, guira_insert_unique_batch, guira_remove_batch};
    enum guira_status result[MOST];
    enum guira_status status = calls[change](side->filter, k->description, result);
    bool all = true;
    bool full = false;
    for (unsigned i = 0; i < k->count; i++) {
        all &= result[i] == GUIRA_OK;
        full |= result[i] == GUIRA_FULL;
        if (i == k->without_address) {
            fuzz_require(result[i] == GUIRA_NULL_ARGUMENT, "%d", (int)result[i]);
        } else {
            settle_change(side, change, element_of_key(side, k->form, k->key[i]), result[i]);
        }
    }
    fuzz_require(status == (all ? GUIRA_OK : GUIRA_PARTIAL), "%d", (int)status);
    if (full) {
        bag_compare(&side->bag, side->filter);
    }
}

static void look_at_many_keys(const struct side *side, const struct keys *k) {
    bool found[MOST];
    unsigned count[MOST];
    enum guira_status should = k->without_address < MOST ? GUIRA_PARTIAL : GUIRA_OK;
    enum guira_status status = guira_contains_batch(side->filter, k->description, found);
    fuzz_require(status == should, "contains: %d", (int)status);
    status = guira_count_batch(side->filter, k->description, count);
    fuzz_require(status == should, "count: %d", (int)status);
    for (unsigned i = 0; i < k->count; i++) {
        unsigned copies = i == k->without_address
                              ? 0
                              : bag_copies(&side->bag, element_of_key(side, k->form, k->key[i]));
        fuzz_require(found[i] == (copies > 0), "key %u: %d, copies %u", i, found[i], copies);
        fuzz_require(count[i] == copies, "key %u: %u, copies %u", i, count[i], copies);
    }
}

void do_batch(struct scene *scene, struct side *side) {
    unsigned what = take_8(&scene->in) % (CHANGES + 1);
    struct keys keys;
    take_keys(scene, &keys);
    if (what < CHANGES) {
        change_many_keys(side, (enum change)what, &keys);
    } else {
        look_at_many_keys(side, &keys);
    }
}
