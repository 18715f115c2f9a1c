/*
 * Calls on whole filters; see scene.h.
 */
#include "scene.h"

#include <string.h>

enum { FILE_ROOM = 4096 }; /* of the largest tables */

static bool stop_after(void *context, uint64_t element, unsigned multiplicity) {
    (void)element;
    (void)multiplicity;
    unsigned *left = context;
    return --*left > 0;
}

static void visit_some(const struct side *side, unsigned most) {
    unsigned left = most;
    enum guira_status should = side->bag.distinct >= most ? GUIRA_STOPPED : GUIRA_OK;
    enum guira_status status = guira_visit(side->filter, stop_after, &left);
    fuzz_require(status == should, "%d", (int)status);
}

static void clear(struct side *side) {
    fuzz_require(guira_clear(side->filter) == GUIRA_OK, "clear");
    side->bag.distinct = 0;
    side->bag.total = 0;
    bag_compare(&side->bag, side->filter);
}

/* ---- Failing allocations --------------------------------------------------------------------- */

/* One of the next allocations fails, or mostly none. */
static void begin_shortage(struct scene *scene) {
    unsigned choice = take_8(&scene->in);
    scene->meter.fail_in = choice < 64 ? 1 + choice % 3 : 0;
    scene->meter.has_failed = false;
}

/* True if a call failed for want of memory, and rightly. */
static bool was_short(struct scene *scene, enum guira_status status) {
    scene->meter.fail_in = 0;
    fuzz_require((status == GUIRA_NO_MEMORY) == scene->meter.has_failed, "%d", (int)status);
    return scene->meter.has_failed;
}

/* Likewise, of what makes a filter grow: it may do without. */
static bool may_be_short(struct scene *scene, enum guira_status status) {
    scene->meter.fail_in = 0;
    fuzz_require(status != GUIRA_NO_MEMORY || scene->meter.has_failed, "%d", (int)status);
    return status == GUIRA_NO_MEMORY;
}

/* ---- Clone and merge ------------------------------------------------------------------------- */

static void replace(struct side *side, struct guira *filter) {
    guira_destroy(side->filter);
    side->filter = filter;
    bag_compare(&side->bag, filter);
}

static void require_alike(const struct guira *a, const struct guira *b) {
    struct guira_info x;
    struct guira_info y;
    (void)guira_get_info(a, &x);
    (void)guira_get_info(b, &y);
    fuzz_require(x.sizing.buckets == y.sizing.buckets && x.sizing.tag_bits == y.sizing.tag_bits &&
                     x.sizing.window == y.sizing.window && x.sizing.universe == y.sizing.universe,
                 "geometry");
    fuzz_require(x.seed == y.seed && x.hash_identity == y.hash_identity &&
                     x.sizing.capacity == y.sizing.capacity && x.search_budget == y.search_budget,
                 "options");
    fuzz_require(x.sizing.doublings == y.sizing.doublings && x.sizing.doubled == y.sizing.doubled &&
                     x.is_growing == y.is_growing,
                 "growth");
}

static void clone(struct scene *scene, const struct side *from, struct side *to) {
    struct guira *copy = NULL;
    begin_shortage(scene);
    enum guira_status status = guira_clone(from->filter, &copy);
    if (was_short(scene, status)) {
        fuzz_require(copy == NULL, "written after a failure");
        return;
    }
    fuzz_require(status == GUIRA_OK, "%d", (int)status);
    require_alike(from->filter, copy);
    to->shape = from->shape;
    to->is_full_exact = from->is_full_exact;
    to->grows = from->grows;
    to->bag = from->bag;
    replace(to, copy);
}

/* The multiset that a merge must give. False if an element would be there too often. */
static bool sum_of(struct bag *sum, const struct bag *from, unsigned limit, bool unique) {
    bool fits = true;
    for (size_t i = 0; i < from->distinct; i++) {
        uint64_t element = from->member[i].element;
        unsigned there = bag_copies(sum, element);
        unsigned more = !unique ? from->member[i].copies : there == 0;
        fits &= there + more <= limit;
        for (unsigned j = 0; j < more; j++) {
            bag_add(sum, element);
        }
    }
    return fits;
}

static enum guira_status foretold_compatibility(const struct side *a, const struct side *b) {
    struct guira_info x;
    struct guira_info y;
    (void)guira_get_info(a->filter, &x);
    (void)guira_get_info(b->filter, &y);
    return x.seed != y.seed           ? GUIRA_OTHER_SEED
           : a->shape.U != b->shape.U ? GUIRA_OTHER_UNIVERSE
                                      : GUIRA_OK;
}

static void merge(struct scene *scene, struct side *into, const struct side *from, bool unique) {
    static struct bag sum;
    sum = into->bag;
    bool fits = sum_of(&sum, &from->bag, 2 * into->shape.w, unique);
    enum guira_status fitting = foretold_compatibility(into, from);
    enum guira_status status = guira_compatible(into->filter, from->filter);
    fuzz_require(status == fitting, "compatible: %d, should be %d", (int)status, (int)fitting);
    begin_shortage(scene);
    status = unique ? guira_merge_unique(into->filter, from->filter)
                    : guira_merge(into->filter, from->filter);
    bool is_short = into->grows ? may_be_short(scene, status) : was_short(scene, status);
    if (!is_short) {
        enum guira_status should = fitting != GUIRA_OK    ? fitting
                                   : status == GUIRA_FULL ? GUIRA_FULL
                                   : fits                 ? GUIRA_OK
                                                          : GUIRA_LIMIT;
        fuzz_require(status == should, "merge: %d, should be %d", (int)status, (int)should);
    }
    if (status == GUIRA_OK) {
        into->bag = sum;
    }
    bag_compare(&into->bag, into->filter);
    bag_compare(&from->bag, from->filter);
}

/* ---- Save and load --------------------------------------------------------------------------- */

/* A file in memory, of which a few bytes are read at a time. */
struct file {
    size_t size;
    size_t at;
    size_t pace;
    unsigned fail_in; /* so many writes from now one fails; 0: none */
    uint8_t bytes[FILE_ROOM];
};

static int append(void *context, const void *bytes, size_t length) {
    struct file *file = context;
    if (file->fail_in > 0 && --file->fail_in == 0) {
        return 1;
    }
    fuzz_require(length <= FILE_ROOM - file->size, "%zu more bytes", length);
    memcpy(file->bytes + file->size, bytes, length);
    file->size += length;
    return 0;
}

static ptrdiff_t read_on(void *context, void *bytes, size_t length) {
    struct file *file = context;
    size_t left = file->size - file->at;
    size_t most = length < file->pace ? length : file->pace;
    size_t given = left < most ? left : most;
    memcpy(bytes, file->bytes + file->at, given);
    file->at += given;
    return (ptrdiff_t)given;
}

static void save(const struct guira *filter, bool in_place, struct file *out) {
    struct guira_save_options options = {.in_place = in_place};
    enum guira_status status = guira_save(filter, &options, append, out);
    fuzz_require(status == GUIRA_OK, "save: %d", (int)status);
    fuzz_require(out->size == guira_saved_size(filter), "%zu bytes", out->size);
}

/* A save that may fail, of the writer or of memory, and then one that may not. */
static void save_after_failures(struct scene *scene, const struct side *side, struct file *out) {
    struct file broken = {.fail_in = 1 + take_8(&scene->in) % 4};
    begin_shortage(scene);
    enum guira_status status = guira_save(side->filter, NULL, append, &broken);
    if (!was_short(scene, status)) {
        bool wrote_all = broken.fail_in > 0;
        fuzz_require(status == (wrote_all ? GUIRA_OK : GUIRA_CALLBACK_FAILED), "%d", (int)status);
    }
    bag_compare(&side->bag, side->filter);
    save(side->filter, take_8(&scene->in) & 1, out);
}

static void save_and_load(struct scene *scene, struct side *side) {
    struct file file = {.size = 0};
    save_after_failures(scene, side, &file);
    file.pace = 1 + take_8(&scene->in);
    unsigned stripes = take_8(&scene->in);
    struct guira_load_options options = {.stripes = stripes % 9,
                                         .single_writer = stripes & 0x10,
                                         .allocator = metered(&scene->meter)};
    struct guira *loaded = NULL;
    begin_shortage(scene);
    enum guira_status status = guira_load(&options, read_on, &file, &loaded);
    if (was_short(scene, status)) {
        fuzz_require(loaded == NULL, "written after a failure");
        return;
    }
    fuzz_require(status == GUIRA_OK && file.at == file.size, "load: %d", (int)status);
    require_alike(side->filter, loaded);
    replace(side, loaded);
    struct file again = {.size = 0};
    save(loaded, true, &again);
    fuzz_require(again.size == file.size && memcmp(again.bytes, file.bytes, file.size) == 0,
                 "saved otherwise");
}

/* Grow beforehand; or not, for want of memory. */
static void reserve(struct scene *scene, struct side *side) {
    uint64_t items = (uint64_t)take_8(&scene->in) * 4;
    uint64_t most = guira_capacity(side->filter);
    begin_shortage(scene);
    enum guira_status status = guira_reserve(side->filter, items);
    if (!was_short(scene, status)) {
        enum guira_status should = items > most ? GUIRA_TOO_LARGE : GUIRA_OK;
        fuzz_require(status == should, "reserve: %d, should be %d", (int)status, (int)should);
    }
    bag_compare(&side->bag, side->filter);
}

void do_whole(struct scene *scene, struct side *side, struct side *other) {
    unsigned what = take_8(&scene->in);
    switch (what % 8) {
    case 0:
        clear(side);
        break;
    case 1:
        visit_some(side, 1 + what / 8);
        break;
    case 2:
        clone(scene, side, other);
        break;
    case 3:
        merge(scene, side, side, what & 8);
        break;
    case 4:
    case 5:
        merge(scene, side, other, what & 1);
        break;
    case 6:
        reserve(scene, side);
        break;
    default:
        save_and_load(scene, side);
        break;
    }
}
