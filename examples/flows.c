/*
 * A flow table: packets of each flow are counted until it is heavy, by any number of threads.
 *
 *     flows [THREADS] [FLOWS]
 *
 * A flow's count is the number of its copies in the filter. There is room for 2 * window of them,
 * and 32 at most, so a filter does not count far: it tells the few heavy flows, which get a real
 * counter then, from the many small ones, which cost two bytes a packet and are gone when the flow
 * ends. Copies of a key have the same few slots to go to, so some packet may find no room in a
 * table that is mostly empty. Its flow gets the real counter at once, which is the safe side.
 *
 * Two flows share an element with a chance of n / U. To the filter they are one: they are counted
 * together, and when one ends the other begins again. But for these, it is claimed, every flow with
 * HEAVY packets is called heavy, others only for want of room, and the table is empty at the end;
 * the status is 1 if that is not so.
 */
#include <stdatomic.h>

#include "threads.h"

enum { WINDOW = 4, HEAVY = 6 };
_Static_assert(HEAVY <= 2 * WINDOW, "a filter cannot count further");

struct flow {
    uint64_t id;
    uint32_t packets;      /* in all */
    _Atomic uint32_t left; /* still to come */
    atomic_bool is_heavy;
    atomic_bool no_room;
    bool shares; /* an element with another flow */
};

/* ---- The table ------------------------------------------------------------------------------- */

enum size { SMALL, IS_HEAVY, NO_ROOM };

/* What the flow is by now. Threads that count one flow at the same time may leave a copy each
 * beyond HEAVY, which does no harm; who is last sees the copies of all. */
static enum size count_packet(struct guira *table, uint64_t flow) {
    if (guira_count_u64(table, flow) >= HEAVY) {
        return IS_HEAVY;
    }
    enum guira_status status = guira_insert_u64(table, flow);
    if (status == GUIRA_FULL || status == GUIRA_LIMIT) {
        return NO_ROOM;
    }
    require_ok(status, "count a packet");
    return guira_count_u64(table, flow) >= HEAVY ? IS_HEAVY : SMALL;
}

/* No packet of the flow may come later. */
static void end_flow(struct guira *table, uint64_t flow) {
    enum guira_status status;
    do {
        status = guira_remove_u64(table, flow);
    } while (status == GUIRA_OK);
    require(status == GUIRA_NOT_FOUND, "end a flow");
}

/* ---- The traffic ----------------------------------------------------------------------------- */

struct traffic {
    struct flow *flow;
    uint64_t flows;
    uint32_t *packet; /* of which flow each packet is, in the order of their coming */
    uint64_t packets;
};

struct port {
    struct guira *table;
    struct traffic *traffic;
    unsigned first; /* this thread's packets: the first one, and each `step`th after it */
    unsigned step;
};

static void *receive(void *context) {
    struct port *p = context;
    for (uint64_t i = p->first; i < p->traffic->packets; i += p->step) {
        struct flow *flow = &p->traffic->flow[p->traffic->packet[i]];
        switch (count_packet(p->table, flow->id)) {
        case SMALL:
            break;
        case IS_HEAVY:
            atomic_store(&flow->is_heavy, true);
            break;
        case NO_ROOM:
            atomic_store(&flow->no_room, true);
            break;
        }
        if (atomic_fetch_sub(&flow->left, 1) == 1) {
            end_flow(p->table, flow->id);
        }
    }
    return NULL;
}

/* Half of the flows have one packet, a quarter two or three, and so on; a flow's packets come among
 * those of some thousand others, so that flows begin and end all the time. */
static struct traffic make_traffic(uint64_t flows) {
    struct traffic t = {.flow = calloc(flows, sizeof *t.flow), .flows = flows};
    uint64_t random = 1;
    require(t.flow != NULL, "get memory");
    for (uint64_t i = 0; i < flows; i++) {
        uint64_t draw = next_random(&random);
        t.flow[i].id = next_random(&random);
        t.flow[i].packets = (uint32_t)(1.0 / ((double)(draw >> 40) * 0x1p-24 + 0.001));
        t.flow[i].packets += t.flow[i].packets == 0;
        atomic_init(&t.flow[i].left, t.flow[i].packets);
        t.packets += t.flow[i].packets;
    }
    t.packet = malloc(t.packets * sizeof *t.packet);
    require(t.packet != NULL, "get memory");
    uint64_t next = 0;
    for (uint64_t i = 0; i < flows; i++) {
        for (uint32_t j = 0; j < t.flow[i].packets; j++) {
            t.packet[next++] = (uint32_t)i;
        }
    }
    for (uint64_t i = 0; i < t.packets; i++) { /* swaps over short distances mix neighbours */
        uint64_t other = i + next_random(&random) % 4096;
        other = other < t.packets ? other : t.packets - 1;
        uint32_t packet = t.packet[i];
        t.packet[i] = t.packet[other];
        t.packet[other] = packet;
    }
    return t;
}

/* ---- What is true ---------------------------------------------------------------------------- */

struct owner {
    uint64_t element;
    struct flow *flow;
};

static int by_element(const void *left, const void *right) {
    uint64_t a = ((const struct owner *)left)->element;
    uint64_t b = ((const struct owner *)right)->element;
    return (a > b) - (a < b);
}

static uint64_t mark_sharing(struct traffic *t, const struct guira *filter) {
    struct owner *owner = malloc(t->flows * sizeof *owner);
    uint64_t sharing = 0;
    require(owner != NULL, "get memory");
    for (uint64_t i = 0; i < t->flows; i++) {
        owner[i].flow = &t->flow[i];
        owner[i].element = guira_element(filter, guira_hash_u64(filter, t->flow[i].id));
    }
    qsort(owner, t->flows, sizeof *owner, by_element);
    for (uint64_t i = 1; i < t->flows; i++) {
        if (owner[i].element == owner[i - 1].element) {
            owner[i].flow->shares = owner[i - 1].flow->shares = true;
        }
    }
    for (uint64_t i = 0; i < t->flows; i++) {
        sharing += t->flow[i].shares;
    }
    free(owner);
    return sharing;
}

static bool judge(struct traffic *t, const struct guira *table) {
    uint64_t heavy = 0;
    uint64_t no_room = 0;
    uint64_t missed = 0;
    uint64_t wronged = 0;
    uint64_t sharing = mark_sharing(t, table);
    for (uint64_t i = 0; i < t->flows; i++) {
        const struct flow *flow = &t->flow[i];
        bool is_heavy = flow->packets >= HEAVY;
        heavy += is_heavy;
        no_room += !is_heavy && flow->no_room;
        missed += !flow->shares && is_heavy && !flow->is_heavy && !flow->no_room;
        wronged += !flow->shares && !is_heavy && flow->is_heavy;
    }
    printf("%llu packets of %llu flows, %llu of them heavy\n", (unsigned long long)t->packets,
           (unsigned long long)t->flows, (unsigned long long)heavy);
    printf("flows that share an element %llu, small ones for which was no room %llu\n",
           (unsigned long long)sharing, (unsigned long long)no_room);
    printf("of the others: heavy but missed %llu, small but called heavy %llu\n",
           (unsigned long long)missed, (unsigned long long)wronged);
    printf("entries at the end %llu\n", (unsigned long long)guira_size(table));
    return missed == 0 && wronged == 0 && guira_size(table) == 0;
}

int main(int argc, char **argv) {
    uint64_t threads = number_or(argv, 1, argc, 4);
    uint64_t flows = number_or(argv, 2, argc, 200000);
    if (argc > 3 || threads < 1 || threads > MOST_THREADS || flows < 1 || flows > 100000000) {
        fprintf(stderr, "usage: flows [1..%d THREADS] [1..100000000 FLOWS]\n", MOST_THREADS);
        return COULD_NOT_RUN;
    }
    struct guira_options options = {.buckets = 8192, .tag_bits = 16, .window = WINDOW, .seed = 9};
    struct guira *table = NULL;
    require_ok(guira_create(&options, &table), "create the table");
    struct traffic traffic = make_traffic(flows);
    struct port port[MOST_THREADS];
    for (unsigned i = 0; i < threads; i++) {
        port[i] = (struct port){table, &traffic, i, (unsigned)threads};
    }
    run_threads((unsigned)threads, receive, port, sizeof *port);
    bool good = judge(&traffic, table);
    free(traffic.packet);
    free(traffic.flow);
    guira_destroy(table);
    return good ? 0 : 1;
}
