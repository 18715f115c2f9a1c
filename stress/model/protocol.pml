/*
 * The protocol of docs/memory-model.md: the operations of lib/, every access to a word, a counter or
 * a lock that another thread may see or disturb being one step. All accesses are sequentially
 * consistent here; what weaker orders do is not this model's business.
 *
 * A scenario includes this file after it has defined
 *
 *     BUCKETS, SLOTS   the table: up to 4 buckets of 1 or 2 slots
 *     ITEMS            elements are the numbers 1 to ITEMS, at most 7; 0 is an empty slot
 *     home[], away[]   the two buckets of each element, which differ; disjoint windows (w = k)
 *     word[]           what the buckets hold at first, and multiset[], the same by elements
 *
 * The stripe of a bucket is bucket >> SHIFT (-D, default 0). Then come calls.pml, the inlines choose(),
 * which sets op and x to a writer's next call, and choose_look(), and actors.pml. Mutants are chosen by -DMUTANT_..., see run.sh.
 *
 * A word holds SLOTS elements of three bits. Side and bucket determine each other, so no tag needs
 * to say its side.
 *
 * A counter of removals is never used but to ask whether it has changed since one's own last look.
 * So the model keeps no numbers: watch[] says, for each value that a reader remembers, of which
 * stripe it is, or 0 once that counter has moved. For counters that never wrap this is the same, and
 * as it stays finite, writers can run for ever.
 *
 * What the lock's holder reads in its own stripes nobody else can change (W1, asserted at each
 * store), so such reads are one step with what follows them.
 */
#ifndef SHIFT
#define SHIFT 0
#endif
#define STRIPE(bucket) ((bucket) >> SHIFT)
#define STRIPES (STRIPE(BUCKETS - 1) + 1)
#define ACTORS 3    /* writers 0 and 1, reader 2, in the order in which actors.pml starts them */
#define me _pid
#define MAX_MOVES 3 /* the longest path, MAX_MOVES in lib/path.h */
/* With 1, any failed search may be answered by FULL, which is more than lib/ does. */
#ifndef FULL_SEARCHES
#define FULL_SEARCHES 1
#endif

#define TAG(word_, slot_) (((word_) >> (3 * (slot_))) & 7)
#define HAS(word_, tag_) (TAG(word_, 0) == (tag_) || (SLOTS == 2 && TAG(word_, 1) == (tag_)))
#define FIRST(word_, tag_) (TAG(word_, 0) != (tag_)) /* 0 or 1: the slot */
#define COPIES(word_, tag_) ((TAG(word_, 0) == (tag_)) + (SLOTS == 2 && TAG(word_, 1) == (tag_)))
#define BUCKET(x_, side_) ((side_) == 0 -> home[x_] : away[x_])
#define OTHER(x_, bucket_) (home[x_] + away[x_] - (bucket_))
#define BIT(n_) (1 << (n_))

/* Calls, and what they answer. */
#define GO_ON 0
#define OK 1
#define REFUSED 2 /* FULL, LIMIT, EXISTS, NOT_FOUND */

#define INSERT 1
#define INSERT_UNIQUE 2
#define REMOVE 3

/* ---- The state ------------------------------------------------------------------------------ */

byte lock[BUCKETS];     /* 0, or 1 + the actor that holds it */
byte watch[2 * ACTORS]; /* of each actor: 1 + the stripe whose counter it remembers; 0: it moved */
byte still[2];          /* of each writer: for which stripes all_removals() has not changed */
byte stalled = 255;     /* the writer that is stopped for ever, within its critical section */
bool answered;          /* the reader has had its answer */
byte finished;          /* writers that have done all their calls */

/* ---- What must hold ------------------------------------------------------------------------- */

/* Named so that spin's report of a failed assertion names the property. */
bool no_false_negative = true;
bool no_false_positive = true;
bool none_lost_or_doubled = true;
bool one_winner = true;
bool locked_when_changed = true;
bool full_is_honest = true;
bool unreached = true;
#define CHECK(property, condition) property = (condition); assert(property)

/* The specification is multiset[]: how often each element is there, changed with the store that
 * completes a call. A call that answers OK has made that store, and no other does. */

/* Removes that are announced but have not emptied their slot. They may count as done: a reader that
 * began after the announcement may miss the element while another insert of it completes, and then
 * the order is remove, contains, insert. -DSTRICT lets a remove count only once its slot is empty;
 * spin refutes that, see run.sh. */
byte leaving[ITEMS + 1];

/* For an actor's call about item[actor]: 1 if at some moment since its beginning the multiset had no
 * such element, 2 if it had one, 3 if both. An answer is right if it was at one moment. */
byte item[ACTORS];
byte moments[ACTORS];
#ifdef STRICT
#define MOMENT(x_) (multiset[x_] == 0 -> 1 : 2)
#else
#define MOMENT(x_) ((multiset[x_] == leaving[x_]) + 2 * (multiset[x_] > 0))
#endif
hidden byte j, k, copies;

inline call_begins() {
    d_step {
        item[me] = x;
        moments[me] = MOMENT(x);
    }
}

inline multiset_changes(x, by, now_leaving) {
    multiset[x] = multiset[x] + by;
    leaving[x] = leaving[x] + now_leaving;
    for (j : 0 .. ACTORS - 1) {
        if
        :: item[j] == x -> moments[j] = moments[j] | MOMENT(x)
        :: else
        fi
    }
}

inline check_answer(there) {
    if
    :: there -> CHECK(no_false_positive, (moments[me] & 2) != 0)
    :: else -> CHECK(no_false_negative, (moments[me] & 1) != 0)
    fi
}

/* While no lock is held the table is exactly the multiset. */
inline check_table() {
    for (j : 1 .. ITEMS) {
        copies = 0;
        for (k : 0 .. BUCKETS - 1) {
            copies = copies + COPIES(word[k], j)
        }
        CHECK(none_lost_or_doubled, copies == multiset[j])
    }
}

/* Places that the search must get to, or its silence says nothing. */
#ifndef REACH
#define REACH 0
#endif
#define PLACE(number) if :: REACH == number -> CHECK(unreached, false) :: else fi
#define TWO_MOVES 1      /* an insert that moved two elements or more */
#define LOOKED_AGAIN 2   /* a reader's counter had moved */
#define LOST_RACE 3      /* a path no longer stood under the locks */
#define WAS_FULL 4
#define WAS_LIMIT 5
#define EXISTED 6        /* insert_unique found the element under the locks only */
#define HAD_MOVED 7      /* remove found the element gone from where it had seen it */
#define STALLED_MIDWAY 8 /* a look ended while a writer was stopped between fill and clear */

/* ---- Locks: lib/lock.h, lib/stripe.c -------------------------------------------------------- */

#define HELD(bucket) (lock[STRIPE(bucket)] == 1 + me)

/* guira__stripe_set_lock: W1, ascending. `need` is the set. A lock that is taken is waited for. */
#ifdef MUTANT_LOCK_ORDER
#define FIRST_STRIPE (me == 0 -> 0 : STRIPES - 1)
#define NEXT_STRIPE (me == 0 -> s + 1 : (s == 0 -> STRIPES : s - 1))
#else
#define FIRST_STRIPE 0
#define NEXT_STRIPE (s + 1)
#endif
inline set_lock() {
    atomic { s = FIRST_STRIPE; skip_unneeded() };
    do
    :: s == STRIPES -> break
    :: atomic { s < STRIPES && lock[s] == 0 -> lock[s] = 1 + me; s = NEXT_STRIPE; skip_unneeded() }
    od;
    s = 0
}

inline skip_unneeded() {
    do
    :: s < STRIPES && (need & BIT(s)) == 0 -> s = NEXT_STRIPE
    :: else -> break
    od
}

/* guira__stripe_set_unlock: descending. */
inline set_unlock() {
    do
    :: need == 0 -> break
    :: need != 0 ->
       d_step {
           for (k : 0 .. STRIPES - 1) {
               if
               :: (need & BIT(k)) != 0 -> s = k
               :: else
               fi
           }
           lock[s] = 0;
           need = need & ~BIT(s);
           s = 0;
           copies = 0;
           for (j : 0 .. STRIPES - 1) {
               copies = copies + lock[j]
           }
           if
           :: copies == 0 -> check_table()
           :: else
           fi
       }
    od
}

/* ---- Stores: lib/protocol.h ----------------------------------------------------------------- */

/* W2 in a move: fill_for_move. */
inline fill_for_move(bucket, slot, tag) {
    d_step {
        CHECK(locked_when_changed, HELD(bucket));
        word[bucket] = word[bucket] | (tag << (3 * (slot)))
    }
}

/* W3, first half: announce_removal. */
inline announce_removal(bucket) {
    CHECK(locked_when_changed, HELD(bucket));
#ifndef MUTANT_NO_COUNTER
    for (j : 0 .. 2 * ACTORS - 1) {
        if
        :: watch[j] == 1 + STRIPE(bucket) -> watch[j] = 0
        :: else
        fi
    }
    still[0] = still[0] & ~BIT(STRIPE(bucket));
    still[1] = still[1] & ~BIT(STRIPE(bucket))
#endif
}

/* W3, second half. */
inline clear(bucket, slot) {
    d_step {
        CHECK(locked_when_changed, HELD(bucket));
        word[bucket] = word[bucket] & ~(7 << (3 * (slot)))
    }
}

/* W3 of a move: empty_after_move. */
inline empty_after_move(bucket, slot) {
#ifdef MUTANT_COUNTER_AFTER_CLEAR
    clear(bucket, slot);
    d_step { announce_removal(bucket) }
#else
    d_step { announce_removal(bucket) };
    clear(bucket, slot)
#endif
}

/* W2 that completes an insert: fill_and_complete. */
inline fill_and_complete(bucket, slot, x) {
    d_step {
        CHECK(locked_when_changed, HELD(bucket));
        word[bucket] = word[bucket] | (x << (3 * (slot)));
        if
        :: op == INSERT_UNIQUE -> CHECK(one_winner, multiset[x] == 0)
        :: else
        fi;
        multiset_changes(x, 1, 0);
        status = OK
    }
}

/* W3 that completes a remove: empty_and_complete. */
inline empty_and_complete(bucket, x) {
#ifndef MUTANT_COUNTER_AFTER_CLEAR
    d_step { announce_removal(bucket); multiset_changes(x, 0, 1) };
#else
    d_step { multiset_changes(x, 0, 1) };
#endif
    d_step {
        CHECK(locked_when_changed, HELD(bucket));
        word[bucket] = word[bucket] & ~(7 << (3 * FIRST(word[bucket], x)));
        CHECK(none_lost_or_doubled, multiset[x] > 0);
        multiset_changes(x, -1, -1);
        status = OK
    };
#ifdef MUTANT_COUNTER_AFTER_CLEAR
    d_step { announce_removal(bucket) }
#endif
}

/* ---- Readers: look() in lib/protocol.h ------------------------------------------------------ */

#define UNCLEAR 0
#define NOT_THERE 1
#define SEEN_AT_HOME 2
#define SEEN_AWAY 3

inline read_counters() {
    watch[2 * me] = 1 + STRIPE(home[x]);    /* R1 */
    watch[2 * me + 1] = 1 + STRIPE(away[x]) /* R1 */
}

inline look() {
#ifdef MUTANT_BUSY
    lock[STRIPE(home[x])] == 0 && lock[STRIPE(away[x])] == 0; /* as if counters were odd meanwhile */
#endif
#ifndef MUTANT_COUNTERS_LATE
    read_counters();
#endif
    sight = (HAS(word[home[x]], x) -> SEEN_AT_HOME : UNCLEAR);               /* R2 */
    sight = (sight == UNCLEAR && HAS(word[away[x]], x) -> SEEN_AWAY : sight); /* R2 */
#ifdef MUTANT_COUNTERS_LATE
    read_counters();
#endif
    if
    :: sight == UNCLEAR ->
#ifdef MUTANT_UNVALIDATED
        sight = NOT_THERE
#else
        sight = (watch[2 * me] != 0 -> NOT_THERE : UNCLEAR); /* R3 */
#ifndef MUTANT_ONE_COUNTER
        sight = (watch[2 * me + 1] != 0 -> sight : UNCLEAR)  /* R3 */
#endif
#endif
    :: else
    fi;
    d_step { watch[2 * me] = 0; watch[2 * me + 1] = 0 }
}

/* look_surely, without its tries for the locks: the writers' looks. */
inline look_surely() {
    do
    :: look();
       if
       :: sight != UNCLEAR -> break
       :: else
       fi
    od
}
