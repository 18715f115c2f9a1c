/*
 * The model; see the header.
 */
#include "model.h"

#include "path.h"

static bool disagree(struct model *m, const char *what, uint64_t is, uint64_t should) {
    if (m->wrong[0] == '\0') {
        (void)snprintf(
            m->wrong, sizeof m->wrong, "%s: %llu, should be %llu (M %llu, f %u, w %u, %llu items)",
            what, (unsigned long long)is, (unsigned long long)should,
            (unsigned long long)m->shape.M, m->shape.f, m->shape.w, (unsigned long long)m->total);
    }
    return false;
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t index_of(const struct model *m, uint64_t element) {
    const uint64_t *at =
        bsearch(&element, m->elements, m->element_count, sizeof element, ascending);
    return at == NULL ? SIZE_MAX : (size_t)(at - m->elements);
}

static uint64_t element_of_key(const struct guira *f, const struct model_key *k) {
    switch (k->form) {
    case FORM_U64:
        return guira_element(f, guira_hash_u64(f, k->key));
    case FORM_BYTES:
        return guira_element(f, guira_hash(f, &k->key, sizeof k->key));
    case FORM_UNIFORM:
        break;
    }
    return guira_element(f, k->key);
}

void model_begin(struct model *m, uint64_t buckets, uint32_t tag_bits, uint32_t window,
                 uint64_t stream) {
    *m = (struct model){.filter = filter_of(buckets, tag_bits, window), .rng = rng_stream(stream)};
    m->shape = shape_of_filter(m->filter);
    uint64_t slots = buckets * m->shape.k;
    m->complete_search = slots <= 600;
    m->filling = true;
    m->key_count = (size_t)(slots + slots / 2 + 8);
    m->keys = calloc(m->key_count, sizeof *m->keys);
    m->elements = calloc(m->key_count, sizeof *m->elements);
    m->copies = calloc(m->key_count, sizeof *m->copies);
    assert_true(m->keys != NULL && m->elements != NULL && m->copies != NULL);
    for (size_t i = 0; i < m->key_count; i++) {
        m->keys[i].form = (enum key_form)rng_below(&m->rng, 3);
        m->keys[i].key = rng_next(&m->rng);
        m->elements[i] = element_of_key(m->filter, &m->keys[i]);
    }
    qsort(m->elements, m->key_count, sizeof *m->elements, ascending);
    for (size_t i = 0; i < m->key_count; i++) {
        if (m->element_count == 0 || m->elements[m->element_count - 1] != m->elements[i]) {
            m->elements[m->element_count++] = m->elements[i];
        }
    }
    for (size_t i = 0; i < m->key_count; i++) {
        m->keys[i].element = index_of(m, element_of_key(m->filter, &m->keys[i]));
    }
}

void model_end(struct model *m) {
    guira_destroy(m->filter);
    free(m->keys);
    free(m->elements);
    free(m->copies);
}

static enum guira_status call_insert(struct guira *f, const struct model_key *k, bool unique) {
    switch (k->form) {
    case FORM_U64:
        return unique ? guira_insert_unique_u64(f, k->key) : guira_insert_u64(f, k->key);
    case FORM_BYTES:
        return unique ? guira_insert_unique(f, &k->key, sizeof k->key)
                      : guira_insert(f, &k->key, sizeof k->key);
    case FORM_UNIFORM:
        break;
    }
    return unique ? guira_insert_unique_uniform(f, k->key) : guira_insert_uniform(f, k->key);
}

/* What an insert must answer; FULL when it may answer OK or FULL. */
static enum guira_status foretell(const struct model *m, const struct model_key *k, bool unique) {
    uint64_t element = m->elements[k->element];
    if (unique && m->copies[k->element] > 0) {
        return GUIRA_EXISTS;
    }
    if (m->copies[k->element] == 2 * m->shape.w) {
        return GUIRA_LIMIT;
    }
    return ref_empty(&m->shape, m->filter->table.words, element) > 0 ? GUIRA_OK : GUIRA_FULL;
}

static bool try_insert(struct model *m, const struct model_key *k, bool unique) {
    const atomic_word *words = m->filter->table.words;
    enum guira_status should = foretell(m, k, unique);
    uint64_t *before = should == GUIRA_OK ? NULL : words_of(m->filter);
    bool search = m->complete_search &&
                  (m->filter->table.geometry.buckets < 16 || rng_below(&m->rng, 8) == 0);
    if (should == GUIRA_FULL && search) {
        bool room = ref_moves_to_room(&m->shape, words, m->elements[k->element], MAX_MOVES) >= 0;
        should = room ? GUIRA_OK : GUIRA_FULL;
    }
    enum guira_status is = call_insert(m->filter, k, unique);
    bool right = is == should || (!search && should == GUIRA_FULL && is == GUIRA_OK);
    bool unchanged = is == GUIRA_OK || (before != NULL && words_equal(m->filter, before));
    free(before);
    m->full += is == GUIRA_FULL;
    m->limit += is == GUIRA_LIMIT;
    if (is == GUIRA_OK) {
        m->copies[k->element]++;
        m->total++;
    }
    return !right ? disagree(m, unique ? "insert_unique" : "insert", is, should)
                  : unchanged || disagree(m, "a failed insert changed the table", 1, 0);
}

static bool try_remove(struct model *m, const struct model_key *k) {
    struct guira *f = m->filter;
    enum guira_status should = m->copies[k->element] > 0 ? GUIRA_OK : GUIRA_NOT_FOUND;
    enum guira_status is = k->form == FORM_U64     ? guira_remove_u64(f, k->key)
                           : k->form == FORM_BYTES ? guira_remove(f, &k->key, sizeof k->key)
                                                   : guira_remove_uniform(f, k->key);
    if (is == GUIRA_OK) {
        m->copies[k->element]--;
        m->total--;
    }
    return is == should || disagree(m, "remove", is, should);
}

static bool try_contains(struct model *m, const struct model_key *k) {
    const struct guira *f = m->filter;
    bool is = k->form == FORM_U64     ? guira_contains_u64(f, k->key)
              : k->form == FORM_BYTES ? guira_contains(f, &k->key, sizeof k->key)
                                      : guira_contains_uniform(f, k->key);
    bool should = m->copies[k->element] > 0;
    return is == should || disagree(m, "contains", is, should);
}

static bool try_count(struct model *m, const struct model_key *k) {
    const struct guira *f = m->filter;
    unsigned is = k->form == FORM_U64     ? guira_count_u64(f, k->key)
                  : k->form == FORM_BYTES ? guira_count(f, &k->key, sizeof k->key)
                                          : guira_count_uniform(f, k->key);
    return is == m->copies[k->element] || disagree(m, "count", is, m->copies[k->element]);
}

static bool try_clear(struct model *m) {
    if (guira_clear(m->filter) != GUIRA_OK) {
        return disagree(m, "clear", 1, 0);
    }
    memset(m->copies, 0, m->element_count * sizeof *m->copies);
    m->total = 0;
    return model_compare(m);
}

static bool step(struct model *m) {
    /* One in eight operations is about a few keys, so that multiplicities reach their limit. */
    bool hot = rng_below(&m->rng, 8) == 0;
    const struct model_key *k = &m->keys[rng_below(&m->rng, hot ? 3 : m->key_count)];
    uint64_t what = rng_below(&m->rng, 100);
    uint64_t inserts = m->filling ? 50 : 15;
    if (what < inserts) {
        return try_insert(m, k, what < inserts / 3);
    }
    if (what < 65) {
        return try_remove(m, k);
    }
    return what < 85 ? try_contains(m, k) : try_count(m, k);
}

bool model_run(struct model *m, uint64_t operations) {
    uint64_t phase = 4 * m->key_count;
    uint64_t full_before = m->full;
    uint64_t left = phase;
    for (uint64_t i = 1; i <= operations && m->wrong[0] == '\0'; i++) {
        (void)step(m);
        if (guira_size(m->filter) != m->total) {
            return disagree(m, "size", guira_size(m->filter), m->total);
        }
        /* Each FULL costs two whole searches: some at each brim are enough. */
        if (--left == 0 || m->full >= full_before + 40) {
            full_before = m->full;
            left = phase;
            m->filling = !m->filling;
            (void)(rng_below(&m->rng, 8) == 0 ? try_clear(m) : model_compare(m));
        }
    }
    return m->wrong[0] == '\0';
}

struct visit {
    struct model *m;
    bool *met;
    uint64_t items;
};

static bool compare_element(void *context, uint64_t element, unsigned multiplicity) {
    struct visit *v = context;
    size_t i = index_of(v->m, element);
    if (i == SIZE_MAX || v->m->copies[i] != multiplicity) {
        return disagree(v->m, "visited multiplicity", multiplicity,
                        i == SIZE_MAX ? 0 : v->m->copies[i]);
    }
    if (v->met[i]) {
        return disagree(v->m, "visited twice", element, 0);
    }
    v->met[i] = true;
    v->items += multiplicity;
    return true;
}

bool model_compare(struct model *m) {
    struct visit v = {.m = m, .met = calloc(m->element_count, sizeof(bool))};
    assert_non_null(v.met);
    (void)guira_visit(m->filter, compare_element, &v);
    free(v.met);
    unsigned invariant = 0;
    if (guira_check(m->filter, &invariant) != GUIRA_OK) {
        return disagree(m, "broken invariant", invariant, 0);
    }
    return m->wrong[0] == '\0' &&
           (v.items == m->total || disagree(m, "visited items", v.items, m->total));
}

bool model_damage(struct model *m, enum model_fault fault) {
    const struct geometry *g = &m->filter->table.geometry;
    for (uint64_t from = 0; from < g->buckets; from++) {
        atomic_word *word = &m->filter->table.words[from];
        uint64_t now = word_load(word, memory_order_relaxed);
        uint64_t next = from + 1 < g->buckets ? from + 1 : 0;
        uint64_t there = word_load(&m->filter->table.words[next], memory_order_relaxed);
        uint64_t tag = slot_tag(g, now, 0);
        bool needs_room = fault == FAULT_SLOT_COPIED || fault == FAULT_ENTRY_MISPLACED;
        if (tag == 0 || (needs_room && slot_tag(g, there, 0) != 0)) {
            continue;
        }
        uint64_t emptied = now & ~slot_mask(g, 0);
        /* Another fingerprint, side and offset as they are. */
        uint64_t apart = 2 * (uint64_t)g->shape.offsets;
        uint64_t other = tag > apart ? tag - apart : tag + apart;
        if (needs_room) {
            word_store(&m->filter->table.words[next], there | tag, memory_order_relaxed);
        }
        if (fault == FAULT_SLOT_EMPTIED || fault == FAULT_ENTRY_MISPLACED) {
            word_store(word, emptied, memory_order_relaxed);
        }
        if (fault == FAULT_TAG_CHANGED) {
            word_store(word, emptied | other, memory_order_relaxed);
        }
        return true;
    }
    return false;
}
