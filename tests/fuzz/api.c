/*
 * Fuzz target: the bytes choose two small filters and a list of calls. Every answer must be the one
 * that an exact multiset of elements gives.
 *
 *     bytes: 6 for the first filter, 6 for the second; then calls, each a byte that says which,
 *     and the bytes that it takes
 */
#include "create.h"
#include "scene.h"

/* ---- Keys and answers ------------------------------------------------------------------------ */

uint64_t element_of_key(const struct side *side, enum form form, uint64_t key) {
    uint64_t hash = form == FORM_UNIFORM ? key
                    : form == FORM_U64   ? guira_hash_u64(side->filter, key)
                                         : guira_hash(side->filter, &key, sizeof key);
    uint64_t element = guira_element(side->filter, hash);
    fuzz_require(element == ref_element(&side->shape, hash), "%llu", (unsigned long long)element);
    return element;
}

void settle_change(struct side *side, enum change change, uint64_t element,
                   enum guira_status status) {
    unsigned copies = bag_copies(&side->bag, element);
    enum guira_status should = GUIRA_OK;
    if (change == CHANGE_REMOVE) {
        should = copies > 0 ? GUIRA_OK : GUIRA_NOT_FOUND;
    } else if (change == CHANGE_INSERT_UNIQUE && copies > 0) {
        should = GUIRA_EXISTS;
    } else if (copies == 2 * side->shape.w) {
        should = GUIRA_LIMIT;
    } else if (status == GUIRA_FULL) {
        should = GUIRA_FULL;
    }
    fuzz_require(status == should, "change %d: %d, should be %d", (int)change, (int)status,
                 (int)should);
    if (status != GUIRA_OK) {
        return;
    }
    if (change == CHANGE_REMOVE) {
        bag_take(&side->bag, element);
    } else {
        bag_add(&side->bag, element);
    }
}

/* ---- Calls on one key ------------------------------------------------------------------------ */

static enum guira_status call_change(struct guira *f, enum change change, enum form form,
                                     uint64_t key) {
    static enum guira_status (*const bytes[CHANGES])(struct guira *, const void *, size_t) = {
        guira_insert, guira_insert_unique, guira_remove};
    static enum guira_status (*const numbers[FORM_BYTES][CHANGES])(struct guira *, uint64_t) = {
        {guira_insert_uniform, guira_insert_unique_uniform, guira_remove_uniform},
        {guira_insert_u64, guira_insert_unique_u64, guira_remove_u64}};
    return form == FORM_BYTES ? bytes[change](f, &key, sizeof key) : numbers[form][change](f, key);
}

/* Whether an insert must find room: in a slot of the element, or by moves. */
static bool has_room(const struct side *side, uint64_t element) {
    return ref_moves_to_room(&side->shape, side->filter->table.words, element, MAX_MOVES) >= 0;
}

static void change_key(struct scene *scene, struct side *side, enum change change, enum form form,
                       uint64_t key) {
    uint64_t element = element_of_key(side, form, key);
    bool free_slot =
        !side->grows && ref_empty(&side->shape, side->filter->table.words, element) > 0;
    enum guira_status status = call_change(side->filter, change, form, key);
    settle_change(side, change, element, status);
    if (status == GUIRA_FULL) {
        scene->patience -= side->is_full_exact;
        fuzz_require(!free_slot, "FULL beside an empty slot");
        fuzz_require(!side->is_full_exact || !has_room(side, element), "FULL, but there is room");
        bag_compare(&side->bag, side->filter);
    }
}

static void look_up_key(const struct side *side, enum form form, uint64_t key) {
    const struct guira *f = side->filter;
    unsigned copies = bag_copies(&side->bag, element_of_key(side, form, key));
    bool found = form == FORM_UNIFORM ? guira_contains_uniform(f, key)
                 : form == FORM_U64   ? guira_contains_u64(f, key)
                                      : guira_contains(f, &key, sizeof key);
    unsigned count = form == FORM_UNIFORM ? guira_count_uniform(f, key)
                     : form == FORM_U64   ? guira_count_u64(f, key)
                                          : guira_count(f, &key, sizeof key);
    fuzz_require(found == (copies > 0), "contains: %d, copies %u", found, copies);
    fuzz_require(count == copies, "count: %u, should be %u", count, copies);
}

/* ---- The scene ------------------------------------------------------------------------------- */

/* As guira_create does it, but without asking what capacity can be promised, which would take most
 * of the time. */
static enum guira_status create(const struct ref_shape *shape, uint32_t levels,
                                const struct guira_options *options, struct guira **out) {
    struct outline outline = {.capacity = shape->M << levels, .levels = levels};
    enum guira_status status =
        guira__geometry_with(shape->M, shape->f, shape->w, shape->Q, &outline.geometry);
    if (status != GUIRA_OK) {
        return status;
    }
    struct plan plan = guira__plan_for(&outline, options);
    return guira__create_planned(&plan, options, options->seed, out);
}

/* As many levels as there are fingerprints for, up to a number; 0 does not grow. */
static unsigned use_levels(struct ref_shape *shape, unsigned levels) {
    while (levels > 1 && shape->Q >> (levels - 1) == 0) {
        levels--;
    }
    if (levels > 0) {
        shape->Q = shape->Q >> (levels - 1) << (levels - 1);
        shape->U = shape->M * shape->P * shape->Q;
    }
    return levels;
}

/* False if there is no such geometry. */
static bool begin(struct scene *scene, struct side *side) {
    unsigned buckets = 2 + take_8(&scene->in) % 16;
    unsigned tag_bits = 3 + take_8(&scene->in) % 31;
    unsigned window = take_8(&scene->in) % 18;
    unsigned stripes = 1 + take_8(&scene->in) % 8;
    unsigned flags = take_8(&scene->in);
    unsigned seed = take_8(&scene->in);
    bool possible = ref_shape(buckets, tag_bits, window, &side->shape);
    unsigned levels = possible ? use_levels(&side->shape, (seed >> 2) % 5) : 0;
    side->grows = levels > 0;
    /* Whole searches take thousands of times as long as all else, so most make do with less. */
    side->is_full_exact = !side->grows && (flags & 6) == 6;
    struct guira_options options = {.stripes = stripes,
                                    .search_budget = side->is_full_exact ? 0 : 1 + flags / 8,
                                    .single_writer = flags & 1,
                                    .seed = 1 + seed % 4,
                                    .allocator = metered(&scene->meter)};
    if (!possible) {
        side->shape = (struct ref_shape){.M = buckets, .f = tag_bits, .w = window};
    }
    enum guira_status status = create(&side->shape, levels, &options, &side->filter);
    fuzz_require(status == (possible ? GUIRA_OK : GUIRA_BAD_GEOMETRY), "create: %d", (int)status);
    return possible;
}

static void do_call(struct scene *scene) {
    enum { BATCH = 6, WHOLE = 7 };
    unsigned what = take_8(&scene->in);
    struct side *side = &scene->side[what >> 7];
    struct side *other = &scene->side[~what >> 7 & 1];
    enum form form = (enum form)((what >> 3 & 3) % FORMS);
    unsigned call = what & 7;
    if (call == BATCH) {
        do_batch(scene, side);
        return;
    }
    if (call == WHOLE) {
        do_whole(scene, side, other);
        return;
    }
    /* Of few numbers, so that elements repeat, or of many. */
    uint64_t key = key_of(what & 0x20 ? take_8(&scene->in) % 4 : take_16(&scene->in));
    static const enum change changes[] = {CHANGE_INSERT, CHANGE_INSERT, CHANGE_INSERT_UNIQUE,
                                          CHANGE_REMOVE};
    if (call < sizeof changes / sizeof changes[0]) {
        change_key(scene, side, changes[call], form, key);
    } else {
        look_up_key(side, form, key);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct scene scene;
    scene = (struct scene){.in = {data, size}, .patience = 20};
    if (begin(&scene, &scene.side[0]) && begin(&scene, &scene.side[1])) {
        while (scene.in.left > 0 && scene.patience > 0) {
            do_call(&scene);
        }
        bag_compare(&scene.side[0].bag, scene.side[0].filter);
        bag_compare(&scene.side[1].bag, scene.side[1].filter);
    }
    guira_destroy(scene.side[0].filter);
    guira_destroy(scene.side[1].filter);
    fuzz_require(scene.meter.live == 0, "%zu bytes are lost", scene.meter.live);
    return 0;
}
