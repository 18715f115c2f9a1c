/*
 * The explorer's own tests: small programs whose allowed outcomes are known. Each must produce all
 * of these and nothing else.
 *
 * Shapes and names: Alglave, Maranget, Tautschnig, "Herding Cats", TOPLAS 2014; Z6.U and the role
 * of happens-before in the single order: Lahav et al., PLDI 2017.
 */
#include "litmus.h"

#include "atomic.h"
#include "explore.h"

enum { X, Y, Z };

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define SEQ_CST memory_order_seq_cst

static void put(uint32_t location, uint64_t value) {
    explore_store(location, value, litmus_store);
}

static void get(uint32_t location) {
    explore_note(explore_load(location, litmus_load));
}

static bool nothing(const uint64_t *r) {
    (void)r;
    return false;
}

/* ---- Store buffering, load buffering --------------------------------------------------------- */

static void store_buffering(uint32_t thread) {
    put(thread == 0 ? X : Y, 1);
    get(thread == 0 ? Y : X);
}

static bool both_old(const uint64_t *r) {
    return r[0] == 0 && r[1] == 0;
}

static void load_buffering(uint32_t thread) {
    get(thread == 0 ? Y : X);
    put(thread == 0 ? X : Y, 1);
}

/* A view machine without promises forbids this even to relaxed accesses, as RC11 does; C11 allows
 * it. docs/verification.md argues why the filter cannot tell. */
static bool both_new(const uint64_t *r) {
    return r[0] == 1 && r[1] == 1;
}

/* ---- Message passing, release sequences ------------------------------------------------------ */

static void message_passing(uint32_t thread) {
    if (thread == 0) {
        explore_store(X, 1, RELAXED);
        put(Y, 1);
    } else {
        get(Y);
        explore_note(explore_load(X, RELAXED));
    }
}

static bool flag_without_message(const uint64_t *r) {
    return r[0] == 1 && r[1] == 0;
}

/* Thread 0 releases Y = 1, thread 1 changes Y, thread 2 acquires Y. */
static void sequence(uint32_t thread, bool update) {
    if (thread == 0) {
        explore_store(X, 1, RELAXED);
        explore_store(Y, 1, RELEASE);
    } else if (thread == 1) {
        if (update) {
            explore_add(Y, 1, litmus_store);
        } else {
            explore_store(Y, 2, litmus_store);
        }
    } else {
        explore_note(explore_load(Y, ACQUIRE));
        explore_note(explore_load(X, RELAXED));
    }
}

static void sequence_kept(uint32_t thread) {
    sequence(thread, true);
}

/* 2: the release and the update. 1 may be the update of 0, so needs no message. */
static bool update_without_message(const uint64_t *r) {
    return r[0] == 2 && r[1] == 0;
}

static void sequence_broken(uint32_t thread) {
    sequence(thread, false);
}

/* C11 would continue the sequence; C++20, and the machine, do not. */
static void sequence_by_same_thread(uint32_t thread) {
    if (thread == 0) {
        explore_store(X, 1, RELAXED);
        explore_store(Y, 1, RELEASE);
        explore_store(Y, 2, RELAXED);
    } else {
        explore_note(explore_load(Y, ACQUIRE));
        explore_note(explore_load(X, RELAXED));
    }
}

/* ---- Coherence ------------------------------------------------------------------------------- */

static void read_read(uint32_t thread) {
    if (thread == 0) {
        put(X, 1);
        put(X, 2);
    } else {
        get(X);
        get(X);
    }
}

static bool backwards(const uint64_t *r) {
    return r[0] > r[1];
}

/* Two unordered stores, two readers: both see the same order. */
static void two_readers(uint32_t thread) {
    if (thread < 2) {
        put(X, thread + 1);
    } else {
        get(X);
        get(X);
    }
}

static bool different_orders(const uint64_t *r) {
    bool first_back = r[0] != 0 && r[1] == 0;
    bool second_back = r[2] != 0 && r[3] == 0;
    return first_back || second_back || (r[0] == 1 && r[1] == 2 && r[2] == 2 && r[3] == 1) ||
           (r[0] == 2 && r[1] == 1 && r[2] == 1 && r[3] == 2);
}

static void write_read(uint32_t thread) {
    put(X, thread + 1);
    if (thread == 0) {
        get(X);
    }
}

/* r[0]: what the writer of 1 read; r[1]: the final value. */
static bool not_own_or_later(const uint64_t *r) {
    return r[0] == 0 || r[1] == 0 || (r[0] == 2 && r[1] == 1);
}

static void read_write(uint32_t thread) {
    if (thread == 0) {
        get(X);
    }
    put(X, thread + 1);
}

static bool own_or_overtaken(const uint64_t *r) {
    return r[0] == 1 || r[1] == 0 || (r[0] == 2 && r[1] == 2);
}

static void write_write(uint32_t thread) {
    (void)thread;
    put(X, 1);
    put(X, 2);
}

static bool not_last(const uint64_t *r) {
    return r[0] != 2;
}

static void two_updates(uint32_t thread) {
    (void)thread;
    explore_note(explore_add(X, 1, litmus_store));
}

static bool lost_update(const uint64_t *r) {
    return r[0] == r[1] || r[2] != 2;
}

/* ---- Unordered stores ------------------------------------------------------------------------ */

static void two_plus_two(uint32_t thread) {
    put(thread == 0 ? X : Y, 1);
    put(thread == 0 ? Y : X, 2);
}

static bool never_written(const uint64_t *r) {
    return r[0] == 0 || r[1] == 0;
}

static bool both_first(const uint64_t *r) {
    return never_written(r) || (r[0] == 1 && r[1] == 1);
}

static void shape_s(uint32_t thread) {
    if (thread == 0) {
        explore_store(X, 2, RELAXED);
        put(Y, 1);
    } else {
        get(Y);
        explore_store(X, 1, RELAXED);
    }
}

static bool cause_after_effect(const uint64_t *r) {
    return r[1] == 0 || (r[0] == 1 && r[1] == 2);
}

static bool unwritten_1(const uint64_t *r) {
    return r[1] == 0;
}

static void shape_r(uint32_t thread) {
    if (thread == 0) {
        put(X, 1);
        put(Y, 1);
    } else {
        put(Y, 2);
        get(X);
    }
}

/* r[0]: X read; r[1], r[2]: X and Y at the end. */
static bool r_weak(const uint64_t *r) {
    return r[1] != 1 || r[2] == 0;
}

static bool r_strong(const uint64_t *r) {
    return r_weak(r) || (r[0] == 0 && r[2] == 2);
}

/* ---- Three and four threads ------------------------------------------------------------------ */

static void write_to_read(uint32_t thread) {
    if (thread == 0) {
        put(X, 1);
    } else if (thread == 1) {
        get(X);
        put(Y, 1);
    } else {
        get(Y);
        get(X);
    }
}

static bool effect_without_cause(const uint64_t *r) {
    return r[0] == 1 && r[1] == 1 && r[2] == 0;
}

static void independent_reads(uint32_t thread) {
    if (thread < 2) {
        put(thread == 0 ? X : Y, 1);
    } else {
        get(thread == 2 ? X : Y);
        get(thread == 2 ? Y : X);
    }
}

static bool readers_disagree(const uint64_t *r) {
    return r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0;
}

/* ---- The single order and happens-before ----------------------------------------------------- */

/* RC11 allows thread 1 to update before thread 2 stores, thread 2 to read X = 0, and thread 1 to
 * read Y = 3: no single order that agrees with all of happens-before exists. C11 forbids that. */
static void z6_u(uint32_t thread) {
    if (thread == 0) {
        explore_store(X, 1, SEQ_CST);
        explore_store(Y, 1, RELEASE);
    } else if (thread == 1) {
        explore_note(explore_add(Y, 1, SEQ_CST));
        explore_note(explore_load(Y, RELAXED));
    } else {
        explore_store(Y, 3, SEQ_CST);
        explore_note(explore_load(X, SEQ_CST));
    }
}

static bool z6_u_impossible(const uint64_t *r) {
    /* The update reads 0, 1 or 3 and makes 1, 2 or 4; afterwards that, or what came later, is read.
     *  */
    if (r[0] == 0) {
        return r[1] != 1 && r[1] != 3;
    }
    if (r[0] == 1) {
        return r[1] != 2 && r[1] != 3;
    }
    return r[0] != 3 || (r[1] != 4 && r[1] != 1);
}

/* A happens-before in the middle of a thread's way does order. */
static void through_message(uint32_t thread) {
    if (thread == 0) {
        explore_store(X, 1, SEQ_CST);
        put(Y, 1);
    } else if (thread == 1) {
        get(Y);
        explore_note(explore_load(Z, SEQ_CST));
    } else {
        explore_store(Z, 1, SEQ_CST);
        explore_note(explore_load(X, SEQ_CST));
    }
}

static bool cycle_through_message(const uint64_t *r) {
    return r[0] == 1 && r[1] == 0 && r[2] == 0;
}

/* ---- Locks ----------------------------------------------------------------------------------- */

static void locked_increments(uint32_t thread) {
    (void)thread;
    explore_lock(0);
    explore_store(X, explore_load(X, RELAXED) + 1, RELAXED);
    explore_unlock(0);
}

static bool not_two(const uint64_t *r) {
    return r[0] != 2;
}

static bool not_one_or_two(const uint64_t *r) {
    return r[0] != 2 && r[0] != 1;
}

/* ---- The table ------------------------------------------------------------------------------- */

const struct litmus litmus_tests[] = {
    {"SB, relaxed", RELAXED, RELAXED, 2, store_buffering, "11", 0, nothing, false},
    {"SB, release, acquire", RELEASE, ACQUIRE, 2, store_buffering, "11", 0, nothing, false},
    {"SB, release, seq_cst", RELEASE, SEQ_CST, 2, store_buffering, "11", 0, nothing, false},
    {"SB, seq_cst, acquire", SEQ_CST, ACQUIRE, 2, store_buffering, "11", 0, nothing, false},
    {"SB, seq_cst", SEQ_CST, SEQ_CST, 2, store_buffering, "11", 0, both_old, false},
    {"LB, relaxed", RELAXED, RELAXED, 2, load_buffering, "11", 0, both_new, false},
    {"LB, release, acquire", RELEASE, ACQUIRE, 2, load_buffering, "11", 0, both_new, false},
    {"MP, relaxed", RELAXED, RELAXED, 2, message_passing, "11", 0, nothing, false},
    {"MP, release, relaxed", RELEASE, RELAXED, 2, message_passing, "11", 0, nothing, false},
    {"MP, relaxed, acquire", RELAXED, ACQUIRE, 2, message_passing, "11", 0, nothing, false},
    {"MP, release, acquire", RELEASE, ACQUIRE, 2, message_passing, "11", 0, flag_without_message,
     false},
    {"MP, seq_cst", SEQ_CST, SEQ_CST, 2, message_passing, "11", 0, flag_without_message, false},
    {"release sequence, relaxed update", RELAXED, 0, 3, sequence_kept, "21", 0,
     update_without_message, false},
    {"release sequence, relaxed store", RELAXED, 0, 3, sequence_broken, "21", 0,
     flag_without_message, false},
    {"release sequence, release store", RELEASE, 0, 3, sequence_broken, "21", 0,
     flag_without_message, false},
    {"release sequence, own relaxed store", 0, 0, 2, sequence_by_same_thread, "21", 0,
     flag_without_message, false},
    {"CoRR, relaxed", RELAXED, RELAXED, 2, read_read, "22", 0, backwards, false},
    {"CoRR, seq_cst", SEQ_CST, SEQ_CST, 2, read_read, "22", 0, backwards, false},
    {"CoRR, two readers, relaxed", RELAXED, RELAXED, 4, two_readers, "2222", 0, different_orders,
     false},
    {"CoRR, two readers, seq_cst", SEQ_CST, SEQ_CST, 4, two_readers, "2222", 0, different_orders,
     false},
    {"CoWR, relaxed", RELAXED, RELAXED, 2, write_read, "22", 1, not_own_or_later, false},
    {"CoWR, seq_cst", SEQ_CST, SEQ_CST, 2, write_read, "22", 1, not_own_or_later, false},
    {"CoRW, relaxed", RELAXED, RELAXED, 2, read_write, "22", 1, own_or_overtaken, false},
    {"CoRW, seq_cst", SEQ_CST, SEQ_CST, 2, read_write, "22", 1, own_or_overtaken, false},
    {"CoWW, relaxed", RELAXED, 0, 1, write_write, "2", 1, not_last, false},
    {"two updates, relaxed", RELAXED, 0, 2, two_updates, "112", 1, lost_update, false},
    {"two updates, seq_cst", SEQ_CST, 0, 2, two_updates, "112", 1, lost_update, false},
    {"2+2W, relaxed", RELAXED, 0, 2, two_plus_two, "22", 2, never_written, false},
    {"2+2W, release", RELEASE, 0, 2, two_plus_two, "22", 2, never_written, false},
    {"2+2W, seq_cst", SEQ_CST, 0, 2, two_plus_two, "22", 2, both_first, false},
    {"S, relaxed", RELAXED, RELAXED, 2, shape_s, "12", 1, unwritten_1, false},
    {"S, release, acquire", RELEASE, ACQUIRE, 2, shape_s, "12", 1, cause_after_effect, false},
    {"R, release, acquire", RELEASE, ACQUIRE, 2, shape_r, "112", 2, r_weak, false},
    {"R, seq_cst", SEQ_CST, SEQ_CST, 2, shape_r, "112", 2, r_strong, false},
    {"WRC, relaxed", RELAXED, RELAXED, 3, write_to_read, "111", 0, nothing, false},
    {"WRC, release, acquire", RELEASE, ACQUIRE, 3, write_to_read, "111", 0, effect_without_cause,
     false},
    {"IRIW, relaxed", RELAXED, RELAXED, 4, independent_reads, "1111", 0, nothing, false},
    {"IRIW, release, acquire", RELEASE, ACQUIRE, 4, independent_reads, "1111", 0, nothing, false},
    {"IRIW, release, seq_cst", RELEASE, SEQ_CST, 4, independent_reads, "1111", 0, nothing, false},
    {"IRIW, seq_cst, acquire", SEQ_CST, ACQUIRE, 4, independent_reads, "1111", 0, nothing, false},
    {"IRIW, seq_cst", SEQ_CST, SEQ_CST, 4, independent_reads, "1111", 0, readers_disagree, false},
    {"Z6.U", 0, 0, 3, z6_u, "341", 0, z6_u_impossible, false},
    {"seq_cst through a message, relaxed", RELAXED, RELAXED, 3, through_message, "111", 0, nothing,
     false},
    {"seq_cst through a message, release", RELEASE, ACQUIRE, 3, through_message, "111", 0,
     cycle_through_message, false},
    {"locked increments", 0, 0, 2, locked_increments, "3", 1, not_two, false},
    {"locked increments, locks without order", 0, 0, 2, locked_increments, "3", 1, not_one_or_two,
     true},
};

const uint32_t litmus_count = sizeof litmus_tests / sizeof litmus_tests[0];
