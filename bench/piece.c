#include "piece.h"

#include "clock.h"
#include "keys.h"

enum {
    BLOCK = 1280,         /* keys */
    RECORDS_BYTES = 40960 /* of a block of records, to stay in the nearest cache */
};

/* Of twenty operations of the mix. */
enum { ROUND = 20, LOOK_UPS = 18 };

static size_t block_size(const struct piece *piece) {
    unsigned bytes = piece->contender->wish.key_bytes;
    return bytes * BLOCK > RECORDS_BYTES ? RECORDS_BYTES / bytes : BLOCK;
}

/* The integers that the operations `from` and on are about. */
static void make_keys(const struct piece *piece, uint64_t from, uint64_t *keys, size_t count) {
    const struct contender *c = piece->contender;
    switch (piece->operation) {
    case HIT:
        keys_present(c, piece->stride, from, keys, count);
        break;
    case SKEWED:
        keys_skewed(c, from, keys, count);
        break;
    case MISS:
        keys_absent(c, from, keys, count);
        break;
    case INSERT:
        keys_from(c, c->keys.high + from, keys, count);
        break;
    default:
        keys_from(c, c->keys.low + from, keys, count);
        break;
    }
}

/* When a block was started. */
struct start {
    bool alone;
    uint64_t running; /* ticks that the thread has been on a processor */
    uint64_t ticks;
};

static struct start start_block(const struct piece *piece) {
    struct start start = {.alone = piece->threads == 1};
    start.running = start.alone ? clock_thread_ticks() : 0;
    start.ticks = clock_ticks();
    return start;
}

/* A single thread waits for nobody. If it was not running all the time, something else had its
 * core, which is no cost of the target's. */
static uint64_t ticks_since(const struct start *start) {
    uint64_t ticks = clock_ticks() - start->ticks;
    uint64_t running = start->alone ? clock_thread_ticks() - start->running : ticks;
    return running < ticks ? running : ticks;
}

static void plain_block(const struct piece *piece, uint64_t from, size_t count,
                        struct tally *tally) {
    const struct contender *c = piece->contender;
    alignas(CACHE_LINE) uint64_t keys[BLOCK];
    alignas(CACHE_LINE) uint64_t records[RECORDS_BYTES / sizeof(uint64_t)];
    make_keys(piece, from, keys, count);
    if (c->wish.key_bytes != 0) {
        keys_to_records(keys, count, c->wish.key_bytes, records);
    }
    struct start start = start_block(piece);
    tally->done += piece->call(c->table, c->wish.key_bytes == 0 ? keys : records, count);
    tally->busy += ticks_since(&start);
}

/* 18 look-ups, an insert and a remove, or as many times that as the target takes keys at once, and
 * again until the block is done. */
static void mixed_block(const struct piece *piece, uint64_t from, struct tally *tally) {
    struct contender *c = piece->contender;
    const struct target *target = c->target;
    unsigned part = (unsigned)(from / BLOCK % MIXED_PARTS);
    size_t granule = target->granule;
    uint64_t changes = BLOCK / ROUND;
    alignas(CACHE_LINE) uint64_t asked[BLOCK];
    uint64_t come[BLOCK / ROUND];
    uint64_t go[BLOCK / ROUND];
    keys_present(c, piece->stride, from, asked, BLOCK);
    keys_of_part(c, part, c->mixed[part].high, come, changes);
    keys_of_part(c, part, c->mixed[part].low, go, changes);
    struct start start = start_block(piece);
    for (size_t i = 0; i < changes; i += granule) {
        tally->done += target->lookup(c->table, asked + LOOK_UPS * i, LOOK_UPS * granule);
        tally->done += target->insert(c->table, come + i, granule);
        tally->done += target->remove(c->table, go + i, granule);
    }
    tally->busy += ticks_since(&start);
    c->mixed[part].high += changes;
    c->mixed[part].low += changes;
}

static void work(void *shared, unsigned member) {
    struct piece *piece = shared;
    size_t size = block_size(piece);
    struct tally tally = {.first = clock_ticks()};
    for (uint64_t from = member * size; from < piece->count; from += piece->threads * size) {
        size_t count = piece->count - from < size ? (size_t)(piece->count - from) : size;
        if (piece->operation == MIXED) {
            mixed_block(piece, from, &tally);
        } else {
            plain_block(piece, from, count, &tally);
        }
        tally.ops += count;
        if (tally.done < tally.ops && piece->operation == INSERT) {
            break;
        }
    }
    tally.last = clock_ticks();
    piece->tally[member] = tally;
}

uint64_t piece_run(struct piece *piece) {
    if (piece->operation == HIT || piece->operation == MIXED) {
        piece->stride = keys_stride(contender_items(piece->contender));
    }
    if (piece->operation == MIXED) {
        piece->count = (piece->count + BLOCK - 1) / BLOCK * BLOCK;
    }
    crew_run(piece->threads, work, piece);
    uint64_t done = 0;
    for (unsigned i = 0; i < piece->threads; i++) {
        done += piece->tally[i].done;
    }
    return done;
}

/* Threads that have a core each are busy all the time, but for the making of keys. Of more threads
 * than cores only the time from the first's start to the last's end tells. */
double piece_speed(const struct piece *piece) {
    double sum = 0;
    uint64_t ops = 0;
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    for (unsigned i = 0; i < piece->threads; i++) {
        const struct tally *tally = &piece->tally[i];
        sum += tally->ops == 0 ? 0 : (double)tally->ops / clock_seconds(tally->busy);
        ops += tally->ops;
        first = tally->first < first ? tally->first : first;
        last = tally->last > last ? tally->last : last;
    }
    double elapsed = clock_seconds(last - first);
    return 1e-6 * (piece->threads <= crew_cores() ? sum : (double)ops / elapsed);
}

void piece_fill_part(struct contender *c, unsigned part, uint64_t count) {
    uint64_t keys[BLOCK];
    struct interval *interval = &c->mixed[part];
    while (count > 0) {
        size_t size = count < BLOCK ? (size_t)count : BLOCK;
        keys_of_part(c, part, interval->high, keys, size);
        if (c->target->insert(c->table, keys, size) < size) {
            fail("%s is full before the mix begins", c->name);
        }
        interval->high += size;
        count -= size;
    }
}
