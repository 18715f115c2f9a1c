/*
 * Mapping: a filter around the words of a file, with a kernel that refuses to change them. The
 * struct of the mapping is at the end of the filter's block.
 *
 * Words that were not verified can be anything. Look-ups and counts read words, which no value can
 * make them leave; all else verifies first.
 */
#include "posix.h"

#include "map.h"

#include <errno.h>
#include <string.h>

#include <sys/mman.h>

#include "bytes.h"
#include "checksum.h"
#include "create.h"
#include "filter.h"
#include "load.h"
#include "memory.h"
#include "words.h"

/* The words must be the machine's own; and a 64-bit load from pages that cannot be written must not
 * be made of an instruction that writes, as it may be where addresses have 32 bits. A test plays a
 * machine that cannot. */
static bool can_map(void) {
#ifdef GUIRA_CANNOT_MAP
    return false;
#endif
    const uint8_t one[sizeof(uint64_t)] = {1};
    uint64_t word;
    memcpy(&word, one, sizeof word);
    return word == 1 && sizeof(void *) == sizeof word;
}

/* ---- Read-only ------------------------------------------------------------------------------ */

static enum guira_status refuse(struct guira *f, uint64_t hash) {
    (void)f;
    (void)hash;
    return GUIRA_READ_ONLY;
}

static void refuse_many(struct guira *f, const uint64_t *hash, size_t n,
                        enum guira_status *result) {
    for (size_t i = 0; i < n; i++) {
        result[i] = refuse(f, hash[i]);
    }
}

static void make_read_only(struct guira *f) {
    f->read_only = true;
    f->kernel.insert = refuse;
    f->kernel.insert_unique = refuse;
    f->kernel.remove = refuse;
    f->kernel.insert_many = refuse_many;
    f->kernel.insert_unique_many = refuse_many;
    f->kernel.remove_many = refuse_many;
}

/* ---- Verifying ------------------------------------------------------------------------------ */

static const uint8_t *words_of(const struct mapping *m) {
    return m->pages + HEADER_BYTES;
}

static enum guira_status verify(const struct guira *f) {
    const struct mapping *m = f->mapping;
    const struct header *header = &m->header;
    uint64_t expected = get_64(m->pages + m->bytes - CHECKSUM_BYTES);
    size_t length = (size_t)words_after(header) * sizeof(uint64_t);
    if (guira__checksum(words_of(m), length, header->checksum) != expected) {
        return GUIRA_BAD_CHECKSUM;
    }
    return guira__words_verify(f, header->items);
}

enum guira_status guira_verify(const struct guira *filter) {
    if (filter == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    if (filter->mapping == NULL) {
        return GUIRA_OK;
    }
    enum guira_status status = verify(filter);
    /* relaxed: who sees it concludes nothing about memory that this thread wrote */
    word_store(&filter->mapping->is_verified, status == GUIRA_OK, memory_order_relaxed);
    return status;
}

enum guira_status guira__verify_once(const struct guira *f) {
    if (f->mapping == NULL) {
        return GUIRA_OK;
    }
    /* relaxed: the words are the file's, and were there before the filter was */
    bool is_verified = word_load(&f->mapping->is_verified, memory_order_relaxed) != 0;
    return is_verified ? GUIRA_OK : guira_verify(f);
}

/* ---- Mapping -------------------------------------------------------------------------------- */

static enum guira_status map_pages(const struct recipe *recipe, int fd, struct mapping *out) {
    size_t bytes = (size_t)saved_bytes(words_after(&recipe->header));
    void *pages = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (pages == MAP_FAILED) {
        return errno == ENOMEM ? GUIRA_NO_MEMORY : GUIRA_IO_FAILED;
    }
    out->pages = pages;
    out->bytes = bytes;
    out->header = recipe->header;
    return GUIRA_OK;
}

void guira__unmap(const struct mapping *mapping) {
    (void)munmap(mapping->pages, mapping->bytes);
}

/* A filter around mapped words. */
static enum guira_status create_mapped(const struct recipe *recipe, const struct mapping *mapping,
                                       struct guira **out) {
    struct plan plan = guira__load_plan(recipe);
    size_t mapping_at = guira__block_size(&plan);
    plan.block_bytes =
        guira__memory_size(&recipe->options.allocator, mapping_at + sizeof(struct mapping));
    plan.table_bytes = mapping->bytes - HEADER_BYTES - CHECKSUM_BYTES;
    /* Whose words are read only: the kernel sees to it. */
    uint8_t *words = mapping->pages + HEADER_BYTES;
    const struct header *h = &mapping->header;
    const struct begin_with tables = {words, words + (h->buckets << h->level) * sizeof(uint64_t)};
    struct guira *f;
    enum guira_status status = guira__create_around(&plan, &recipe->options, h->seed, tables, &f);
    if (status != GUIRA_OK) {
        return status;
    }
    f->mapping = (struct mapping *)(void *)((char *)f + mapping_at);
    memcpy(f->mapping, mapping, sizeof *mapping);
    stripe_count(stripe_at(&f->stripes, 0), (int64_t)h->items);
    make_read_only(f);
    *out = f;
    return GUIRA_OK;
}

static enum guira_status map_source(const struct source *source, int fd, struct recipe *recipe,
                                    bool verify_now, struct guira **out) {
    struct mapping mapping = {0};
    enum guira_status status = guira__load_header(source, recipe);
    if (status == GUIRA_OK) {
        status = map_pages(recipe, fd, &mapping);
    }
    if (status != GUIRA_OK) {
        return status;
    }
    struct guira *filter;
    status = create_mapped(recipe, &mapping, &filter);
    if (status != GUIRA_OK) {
        guira__unmap(&mapping);
        return status;
    }
    if (verify_now) {
        status = guira_verify(filter);
    }
    if (status != GUIRA_OK) {
        guira_destroy(filter);
        return status;
    }
    *out = filter;
    return GUIRA_OK;
}

static enum guira_status load_read_only(const struct source *source, struct recipe *recipe,
                                        struct guira **out) {
    struct guira *filter;
    enum guira_status status = guira__load(source, recipe, &filter);
    if (status == GUIRA_OK) {
        make_read_only(filter);
        *out = filter;
    }
    return status;
}

/* As guira__load_options. But there is nobody who writes, so one stripe will do, and no lock is
 * ever taken. */
static enum guira_status map_options(const struct guira_load_options *options, struct recipe *out) {
    enum guira_status status = guira__load_options(options, out);
    out->options.stripes = 1;
    out->options.single_writer = true;
    return status;
}

enum guira_status guira_map_file(const struct guira_load_options *options, const char *path,
                                 struct guira **out) {
    if (path == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct recipe recipe;
    enum guira_status status = map_options(options, &recipe);
    if (status != GUIRA_OK) {
        return status;
    }
    int fd = guira__open(path, false);
    if (fd < 0) {
        return GUIRA_IO_FAILED;
    }
    struct source source;
    status = guira__source_of_fd(&fd, &source);
    if (status == GUIRA_OK && !source.is_counted) {
        errno = ENODEV; /* as mmap says of what cannot be mapped */
        status = GUIRA_IO_FAILED;
    }
    if (status == GUIRA_OK) {
        source.ends_with_filter = true;
        bool verify_now = options == NULL || !options->unverified;
        status = can_map() ? map_source(&source, fd, &recipe, verify_now, out)
                           : load_read_only(&source, &recipe, out);
    }
    guira__close(fd);
    return status;
}
