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
    if (guira__words_checksum(header, words_of(m)) != expected) {
        return GUIRA_BAD_CHECKSUM;
    }
    uint64_t entries;
    enum guira_status status = guira__words_count(&f->table, 0, header->buckets, &entries);
    if (status == GUIRA_OK && entries != header->items) {
        status = GUIRA_WRONG_COUNT;
    }
    return status;
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

static enum guira_status map_pages(const struct load *load, int fd, struct mapping *out) {
    size_t bytes = (size_t)saved_bytes(load->header.buckets);
    void *pages = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (pages == MAP_FAILED) {
        return GUIRA_IO_FAILED;
    }
    out->pages = pages;
    out->bytes = bytes;
    out->header = load->header;
    return GUIRA_OK;
}

void guira__unmap(const struct mapping *mapping) {
    (void)munmap(mapping->pages, mapping->bytes);
}

/* A filter around mapped words. */
static enum guira_status create_mapped(const struct load *load, const struct mapping *mapping,
                                       struct guira **out) {
    struct plan plan = guira__load_plan(load);
    size_t mapping_at = guira__block_size(&plan);
    plan.block_bytes =
        guira__memory_size(&load->options.allocator, mapping_at + sizeof(struct mapping));
    plan.table_bytes = mapping->bytes - HEADER_BYTES - CHECKSUM_BYTES;
    /* Whose words are read only: the kernel sees to it. */
    void *words = mapping->pages + HEADER_BYTES;
    struct guira *f;
    enum guira_status status =
        guira__create_around(&plan, &load->options, load->header.seed, words, &f);
    if (status != GUIRA_OK) {
        return status;
    }
    f->mapping = (struct mapping *)(void *)((char *)f + mapping_at);
    memcpy(f->mapping, mapping, sizeof *mapping);
    stripe_count(stripe_at(&f->stripes, 0), (int64_t)load->header.items);
    make_read_only(f);
    *out = f;
    return GUIRA_OK;
}

static enum guira_status map_opened(const struct opened_file *file, struct load *load,
                                    bool is_verified, struct guira **out) {
    if (!file->source.is_counted) {
        errno = ENODEV; /* as mmap says of what cannot be mapped */
        return GUIRA_IO_FAILED;
    }
    struct mapping mapping = {0};
    enum guira_status status = guira__load_header(&file->source, load);
    if (status == GUIRA_OK) {
        status = map_pages(load, file->fd, &mapping);
    }
    if (status != GUIRA_OK) {
        return status;
    }
    struct guira *filter;
    status = create_mapped(load, &mapping, &filter);
    if (status != GUIRA_OK) {
        guira__unmap(&mapping);
        return status;
    }
    if (is_verified) {
        status = guira_verify(filter);
    }
    if (status != GUIRA_OK) {
        guira_destroy(filter);
        return status;
    }
    *out = filter;
    return GUIRA_OK;
}

static enum guira_status load_read_only(const struct opened_file *file, struct load *load,
                                        struct guira **out) {
    struct guira *filter;
    enum guira_status status = guira__load(&file->source, load, &filter);
    if (status == GUIRA_OK) {
        make_read_only(filter);
        *out = filter;
    }
    return status;
}

enum guira_status guira_map_file(const struct guira_load_options *options, const char *path,
                                 struct guira **out) {
    if (path == NULL || out == NULL) {
        return GUIRA_NULL_ARGUMENT;
    }
    struct load load;
    enum guira_status status = guira__load_options(options, &load);
    if (status != GUIRA_OK) {
        return status;
    }
    load.options.stripes = 1;
    load.options.single_writer = true; /* so no lock is ever taken */
    struct opened_file file;
    status = guira__open_file(path, &file);
    if (status != GUIRA_OK) {
        return status;
    }
    bool is_verified = options == NULL || !options->unverified;
    status =
        can_map() ? map_opened(&file, &load, is_verified, out) : load_read_only(&file, &load, out);
    guira__close_file(&file);
    return status;
}
