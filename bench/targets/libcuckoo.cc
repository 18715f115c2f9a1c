/*
 * libcuckoo's concurrent hash table, used as a set: exact, at many times the memory.
 */
#include "../target.h"

#include <cstdint>

#include <libcuckoo/cuckoohash_map.hh>

#include "../support.h"

namespace {

struct Nothing {};

/* The library's default hash of an integer is the integer itself. */
struct Mix {
    std::size_t operator()(std::uint64_t key) const {
        return mix(key);
    }
};

using Set = libcuckoo::cuckoohash_map<std::uint64_t, Nothing, Mix>;

void *create(const wish *wish) {
    Set *set = new Set(std::size_t(1) << wish->log2_slots);
    set->maximum_hashpower(set->hashpower());
    return set;
}

void destroy(void *table) {
    delete static_cast<Set *>(table);
}

void clear(void *table) {
    static_cast<Set *>(table)->clear();
}

std::uint64_t size(const void *table) {
    return static_cast<const Set *>(table)->size();
}

std::size_t lookup(void *table, const void *keys, std::size_t count) {
    const Set *set = static_cast<const Set *>(table);
    const std::uint64_t *key = static_cast<const std::uint64_t *>(keys);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i++) {
        found += set->contains(key[i]);
    }
    return found;
}

/* The table may not grow: all are compared at the same number of slots. */
std::size_t insert(void *table, const void *keys, std::size_t count) {
    Set *set = static_cast<Set *>(table);
    const std::uint64_t *key = static_cast<const std::uint64_t *>(keys);
    std::size_t done = 0;
    try {
        while (done < count && set->insert(key[done], Nothing{})) {
            done++;
        }
    } catch (const libcuckoo::maximum_hashpower_exceeded &) {
        return done;
    }
    return done;
}

std::size_t take_away(void *table, const void *keys, std::size_t count) {
    Set *set = static_cast<Set *>(table);
    const std::uint64_t *key = static_cast<const std::uint64_t *>(keys);
    std::size_t done = 0;
    for (std::size_t i = 0; i < count; i++) {
        done += set->erase(key[i]);
    }
    return done;
}

target make_target() {
    target made{};
    made.name = "libcuckoo";
    made.create = create;
    made.destroy = destroy;
    made.clear = clear;
    made.lookup = lookup;
    made.insert = insert;
    made.remove = take_away;
    made.fill_shared = true;
    made.size = size;
    made.design = 0.9;
    made.rate = 1e-9;
    made.granule = 1;
    made.shared = true;
    return made;
}

} // namespace

const target target_libcuckoo = make_target();
