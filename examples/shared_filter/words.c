/*
 * Reading lines and dropping the ones that were there before.
 *
 * The file is read whole, and words point into it. A hash table of word numbers finds repeated
 * lines; it compares bytes, so that "distinct" is exact: the demo's own count of words is what the
 * filter's answers are judged by.
 */
#define _POSIX_C_SOURCE 200809L /* open, fstat, strerror_r */

#include "words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* An endless pipe must end somewhere. With so few bytes, words also have 32-bit numbers. */
#define MOST_BYTES (SIZE_MAX > UINT32_MAX ? (size_t)UINT32_MAX : SIZE_MAX / 4)

static const char no_memory[] = "there is not enough memory to hold it";

/* Where a word's number is kept: `word` is 1 + its number, or 0 in a free place. */
struct place {
    uint32_t hash;
    uint32_t word;
};

struct index {
    struct place *places; /* a power of two of them, at most half of them used */
    size_t count;
};

/* Words are read before there are other threads, so one text will do. */
static const char *system_reason(void) {
    static char text[128];
    return strerror_r(errno, text, sizeof text) == 0 ? text : "it cannot be read";
}

static const char *read_rest(int file, struct words *words, size_t room) {
    for (;;) {
        if (words->size == room) {
            if (room >= MOST_BYTES) {
                return "it is larger than this demo reads (4 GiB)";
            }
            room = room > MOST_BYTES / 2 ? MOST_BYTES : room * 2;
            unsigned char *larger = realloc(words->text, room);
            if (larger == NULL) {
                return no_memory;
            }
            words->text = larger;
        }
        ssize_t got = read(file, words->text + words->size, room - words->size);
        if (got == 0) {
            return NULL;
        }
        if (got > 0) {
            words->size += (size_t)got;
        } else if (errno != EINTR) {
            return system_reason();
        }
    }
}

static const char *read_whole(const char *path, struct words *words) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return system_reason();
    }
    const char *reason = NULL;
    struct stat about;
    if (fstat(file, &about) != 0) {
        reason = system_reason();
    } else if (S_ISDIR(about.st_mode)) {
        reason = "it is a directory";
    } else if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode)) {
        reason = "it is neither a file nor a pipe";
    } else {
        /* One byte more than the file has, so that its end is seen without growing. */
        size_t room = 65536;
        if (about.st_size > 0 && (uintmax_t)about.st_size < MOST_BYTES) {
            room = (size_t)about.st_size + 1;
        }
        words->text = malloc(room);
        reason = words->text == NULL ? no_memory : read_rest(file, words, room);
    }
    (void)close(file);
    return reason;
}

/* Eight bytes a step; lines may be a megabyte long. */
static uint32_t hash_of(struct word word) {
    uint64_t hash = word.length;
    for (size_t at = 0; at < word.length; at += sizeof(uint64_t)) {
        uint64_t step = 0;
        size_t rest = word.length - at;
        memcpy(&step, word.bytes + at, rest < sizeof step ? rest : sizeof step);
        hash = (hash ^ step) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* The place that holds the word, or the free one where it belongs. */
static struct place *find(const struct index *index, const struct words *words, struct word word,
                          uint32_t hash) {
    for (size_t i = hash & (index->count - 1);; i = (i + 1) & (index->count - 1)) {
        struct place *place = &index->places[i];
        if (place->word == 0) {
            return place;
        }
        if (place->hash == hash) {
            struct word other = words->all[place->word - 1];
            if (other.length == word.length && memcmp(other.bytes, word.bytes, word.length) == 0) {
                return place;
            }
        }
    }
}

/* Make room for twice as many words, in the index and in the list. */
static bool grow(struct index *index, struct words *words) {
    size_t count = index->count == 0 ? 1024 : index->count * 2;
    struct word *all = realloc(words->all, count / 2 * sizeof *all);
    if (all == NULL) {
        return false;
    }
    words->all = all;
    struct place *places = calloc(count, sizeof *places);
    if (places == NULL) {
        return false;
    }
    for (size_t i = 0; i < index->count; i++) {
        if (index->places[i].word != 0) {
            size_t to = index->places[i].hash & (count - 1);
            while (places[to].word != 0) {
                to = (to + 1) & (count - 1);
            }
            places[to] = index->places[i];
        }
    }
    free(index->places);
    *index = (struct index){.places = places, .count = count};
    return true;
}

/* Unless the word is there already. */
static bool add(struct index *index, struct words *words, struct word word) {
    uint32_t hash = hash_of(word);
    struct place *place = find(index, words, word, hash);
    if (place->word != 0) {
        return true;
    }
    words->all[words->count++] = word;
    *place = (struct place){.hash = hash, .word = (uint32_t)words->count};
    return words->count < index->count / 2 || grow(index, words);
}

static bool split(struct words *words) {
    struct index index = {.places = NULL, .count = 0};
    bool whole = grow(&index, words);
    for (size_t at = 0; at < words->size && whole; words->lines++) {
        size_t rest = words->size - at;
        const unsigned char *end = memchr(words->text + at, '\n', rest);
        struct word word = {.bytes = words->text + at,
                            .length = end == NULL ? rest : (size_t)(end - (words->text + at))};
        whole = add(&index, words, word);
        at += word.length + 1;
    }
    free(index.places);
    return whole;
}

const char *words_read(const char *path, struct words *out) {
    *out = (struct words){.text = NULL};
    const char *reason = read_whole(path, out);
    if (reason == NULL && out->size == 0) {
        reason = "it is empty";
    }
    if (reason == NULL && !split(out)) {
        reason = no_memory;
    }
    if (reason != NULL) {
        words_free(out);
    }
    return reason;
}

void words_free(struct words *words) {
    free(words->text);
    free(words->all);
    *words = (struct words){.text = NULL};
}
