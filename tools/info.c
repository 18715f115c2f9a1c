/* guira info: about a filter, for people and for programs. */
#include <inttypes.h>
#include <stdio.h>

#include <guira/guira.h>

#include "command.h"
#include "errors.h"
#include "filters.h"
#include "numbers.h"

static const char help[] =
    "Usage: guira info [OPTION...] FILTER\n"
    "\n"
    "Tells about a filter. Its table is not read with --map: 'guira verify' checks\n"
    "it.\n"
    "\n"
    "  -J, --json  print a JSON object\n"
    "  -M, --map   read the header only, which takes the same short time at any size\n"
    "  -h, --help  print this\n"
    "\n"
    "The numbers: keys, entries in the filter; capacity, different keys that it has\n"
    "room for; rate, how many others are taken for members now, and with all keys\n"
    "that there is room for; load, the part of the slots that is taken; seed, of the\n"
    "hash: whoever knows it can make keys that are taken for others.\n"
    "The status is 0, or 2 after an error.\n";

static void print_text(const struct guira *filter, const struct guira_info *info) {
    const struct guira_sizing *z = &info->sizing;
    char a[NUMBER_ROOM];
    char b[NUMBER_ROOM];
    (void)printf("keys      %s of %s\n", grouped(info->items, a), grouped(z->capacity, b));
    (void)printf("rate      %s now, %s when full\n", percent(info->rate, a),
                 percent(z->rate_at_capacity, b));
    (void)printf("file      %s bytes\n", grouped(guira_saved_size(filter), a));
    (void)printf("load      %.3f of %s slots\n", info->load, grouped(info->slots, a));
    (void)printf("geometry  %s buckets of %u slots, windows of %u, tags of %u bits\n",
                 grouped(z->buckets, a), z->slots_per_bucket, z->window, z->tag_bits);
    (void)printf("elements  %s\n", grouped(z->universe, a));
    (void)printf("hash      %s\n",
                 info->hash_identity == GUIRA_HASH_XXH3_64 ? "XXH3, 64 bits" : "a program's own");
    (void)printf("seed      0x%016" PRIx64 "\n", info->seed);
}

/* 64-bit numbers that many readers of JSON would round are strings. */
static void print_json(const struct guira *filter, const struct guira_info *info) {
    const struct guira_sizing *z = &info->sizing;
    (void)printf("{\"keys\": %" PRIu64 ", \"capacity\": %" PRIu64 ", ", info->items, z->capacity);
    (void)printf("\"rate\": %.9g, \"rate_at_capacity\": %.9g, ", info->rate, z->rate_at_capacity);
    (void)printf("\"file_bytes\": %" PRIu64 ", \"table_bytes\": %" PRIu64 ", ",
                 guira_saved_size(filter), z->table_bytes);
    (void)printf("\"load\": %.9g, \"slots\": %" PRIu64 ", ", info->load, info->slots);
    (void)printf("\"buckets\": %" PRIu64 ", \"slots_per_bucket\": %u, ", z->buckets,
                 z->slots_per_bucket);
    (void)printf("\"window\": %u, \"tag_bits\": %u, ", z->window, z->tag_bits);
    (void)printf("\"universe\": \"%" PRIu64 "\", \"hash_identity\": %u, ", z->universe,
                 info->hash_identity);
    (void)printf("\"seed\": \"0x%016" PRIx64 "\"}\n", info->seed);
}

/* The header is enough, if the file can be mapped. */
static struct guira *open_to_tell(const struct settings *s) {
    static const struct guira_load_options options = {.unverified = true};
    struct guira *filter = NULL;
    if (s->map) {
        fail_unless_ok(guira_map_file(&options, s->operands[0], &filter), "map", s->operands[0]);
        return filter;
    }
    fail_unless_ok(load_whole(s->operands[0], &filter), "load", name_of(s->operands[0]));
    return filter;
}

static int run(const struct settings *s) {
    struct guira_info info;
    struct guira *filter = open_to_tell(s);
    fail_unless_ok(guira_get_info(filter, &info), "tell about", s->operands[0]);
    if (s->json) {
        print_json(filter, &info);
    } else {
        print_text(filter, &info);
    }
    guira_destroy(filter);
    return ENDED_WELL;
}

const struct command info_command = {"info", "hJM", 1, 1, help, run};
