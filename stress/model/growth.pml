/*
 * The hand-over between tables: lib/view.h, lib/growth.h, lib/growing.h. As in protocol.pml every
 * access that another thread may see or disturb is one step, and all are sequentially consistent.
 *
 * Two growths in a row, from A with two buckets to B with four and C with eight, one slot each; of
 * C the model has the buckets that elements may be in. Two stripes, 0 and 1.
 *
 *     table          A         B              C
 *     bucket       0   1   0  1  2  3   3  6  5  1
 *     stripe       0   1   0  0  1  1   0  1  1  0
 *     number       0   1   2  3  4  5   6  7  8  9   in word[]
 *     element 1    h   a   a  h         h  a
 *     element 2    a   h         h  a         h  a   (h: its home, a: away)
 *     at first     1   2   (-DTWO_ELEMENTS; else 1 alone, with -DUNIQUE none)
 *
 * The view is its step alone: 0 A; 1 from A to B; 2 B; 3 from B to C; 4 C.
 *
 * Actor 0 lets the filter grow up to LAST_STEP. Actor 1, with -DTWO_WRITERS also actor 2, makes CALLS
 * changes; otherwise actor 2 looks for element 1, but not with -DNO_READER. Every change may empty a stripe of the old table
 * first, or find another thread in the middle of that. Paths that make room are not here: they stay
 * within one table, and lock and check as an insert does. Counters and moments are as in
 * protocol.pml. Mutants are chosen by -DMUTANT_..., see run.sh.
 */
#ifndef LAST_STEP
#define LAST_STEP 4
#endif
#ifndef CALLS
#define CALLS 1
#endif

#define ITEMS 2
#define WORDS 10
#define STRIPES 2
#define ACTORS 3
#define LIMIT 2 /* copies of one element: 2w */
#define me _pid

hidden byte stripe_of[WORDS] = {0, 1, 0, 0, 1, 1, 0, 1, 1, 0};
hidden byte home_of[9] = {0, 0, 1, 0, 3, 4, 0, 6, 8}; /* of an element in a level */
hidden byte away_of[9] = {0, 1, 0, 0, 2, 5, 0, 7, 9};
#define HOME(level_, x_) home_of[3 * (level_) + (x_)]
#define AWAY(level_, x_) away_of[3 * (level_) + (x_)]
#define FIRST_OF(level_) ((level_) == 0 -> 0 : ((level_) == 1 -> 2 : 6))
#define LEVEL_OF(word_) ((word_) < 2 -> 0 : ((word_) < 6 -> 1 : 2))
#define BUCKETS_IN_STRIPE(level_) ((level_) + 1)

/* What a view says. */
#define FROM(view_) ((view_) / 2)
#define TO(view_) (((view_) + 1) / 2)
#define TWO_TABLES(view_) ((view_) % 2 == 1)

#define BIT(n_) (1 << (n_))
#define STRIPE_BIT(word_) BIT(stripe_of[word_])
#define STRIPES_AT(level_, x_) (STRIPE_BIT(HOME(level_, x_)) | STRIPE_BIT(AWAY(level_, x_)))
#define ALL_STRIPES(view_, x_) (STRIPES_AT(FROM(view_), x_) | STRIPES_AT(TO(view_), x_))
#define COPIES(level_, x_) ((word[HOME(level_, x_)] == (x_)) + (word[AWAY(level_, x_)] == (x_)))

/* Calls. */
#define INSERT 1
#define INSERT_UNIQUE 2
#define REMOVE 3

/* ---- The state ------------------------------------------------------------------------------ */

#ifdef TWO_ELEMENTS
byte word[WORDS] = {1, 2, 0, 0, 0, 0, 0, 0, 0, 0};
byte multiset[ITEMS + 1] = {0, 1, 1};
#elif defined(UNIQUE)
byte word[WORDS];
byte multiset[ITEMS + 1];
#else
byte word[WORDS] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
byte multiset[ITEMS + 1] = {0, 1, 0};
#endif
byte lock[STRIPES];          /* 0, or 1 + the actor that holds it */
byte view;
byte unfinished;             /* stripes of the old table */
byte cursor[STRIPES];        /* buckets that were seen empty */
byte cursor_of[STRIPES];     /* in this step */
byte watch[3 * ACTORS];      /* of each actor: 1 + the stripe whose counter it knows; 0: it moved */
byte leaving[ITEMS + 1];     /* removes that are announced, but not done */
byte item[ACTORS];           /* what an actor's call is about */
byte moments[ACTORS];        /* 1: it was absent at some moment of the call, 2: it was there */

/* ---- What must hold ------------------------------------------------------------------------- */

bool no_false_negative = true;
bool no_false_positive = true;
bool none_lost_or_doubled = true;
bool one_winner = true;
bool limit_kept = true;
bool none_left_behind = true;
bool unreached = true;
#define CHECK(property, condition) property = (condition); assert(property)
#ifndef REACH
#define REACH 0
#endif
#define PLACE(number) if :: REACH == number -> CHECK(unreached, false) :: else fi
#define LATE_FILL 1     /* the old table is filled after the new view was published */
#define TWO_VIEWS_LATE 2 /* a look ends with a view two growths old */
#define BOTH_MIGRATE 3  /* two threads have emptied a stripe each */
#define EXISTED 4       /* insert_unique found the element under the locks only */
#define WAS_LIMIT 5     /* an insert met the limit */

hidden byte j, k, copies;

#define MOMENT(x_) ((multiset[x_] == leaving[x_]) + 2 * (multiset[x_] > 0))

inline call_begins() {
    d_step { item[me] = x; moments[me] = MOMENT(x) }
}

inline multiset_changes(x, by, now_leaving) {
    multiset[x] = multiset[x] + by;
    leaving[x] = leaving[x] + now_leaving;
    CHECK(limit_kept, multiset[x] <= LIMIT);
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

/* While no lock is held the tables of the view are exactly the multiset, and others are empty. */
inline check_tables() {
    for (j : 1 .. ITEMS) {
        copies = 0;
        for (k : 0 .. WORDS - 1) {
            copies = copies + (word[k] == j)
        }
        CHECK(none_lost_or_doubled, copies == multiset[j])
    }
    for (k : 0 .. WORDS - 1) {
        CHECK(none_left_behind, word[k] == 0 || LEVEL_OF(k) == FROM(view) || LEVEL_OF(k) == TO(view))
    }
}

/* ---- Locks ---------------------------------------------------------------------------------- */

/* Ascending; `need` is the set. */
#ifdef MUTANT_LOCK_ORDER
#define FIRST_LOCK (me & 1)
#else
#define FIRST_LOCK 0
#endif
inline take_lock(n_) {
    if
    :: (need & BIT(n_)) != 0 -> atomic { lock[n_] == 0 -> lock[n_] = 1 + me }
    :: else
    fi
}

inline set_lock() {
    take_lock(FIRST_LOCK);
    take_lock(1 - FIRST_LOCK)
}

/* At once: that another thread finds only one of them free is one of its waits. */
inline set_unlock() {
    d_step {
        if
        :: (need & 1) != 0 -> lock[0] = 0
        :: else
        fi;
        if
        :: (need & 2) != 0 -> lock[1] = 0
        :: else
        fi;
        need = 0;
        if
        :: lock[0] == 0 && lock[1] == 0 -> check_tables()
        :: else
        fi
    }
}

/* view_holds, asked under the locks. */
#ifdef MUTANT_VIEW_NOT_HELD
#define VIEW_STANDS true
#else
#define VIEW_STANDS (view == v)
#endif

/* ---- Steps ---------------------------------------------------------------------------------- */

/* W3, first half. */
inline announce(word_) {
    for (j : 0 .. 3 * ACTORS - 1) {
        if
        :: watch[j] == 1 + stripe_of[word_] -> watch[j] = 0
        :: else
        fi
    }
}

inline fill_and_complete(word_) {
    d_step {
        word[word_] = x;
        if
        :: op == INSERT_UNIQUE -> CHECK(one_winner, multiset[x] == 0)
        :: else
        fi;
        if
        :: LEVEL_OF(word_) < TO(view) -> PLACE(LATE_FILL)
        :: else
        fi;
        multiset_changes(x, 1, 0);
        done = true
    }
}

inline empty_and_complete(word_) {
    d_step { announce(word_); multiset_changes(x, 0, 1) };
    d_step { word[word_] = 0; multiset_changes(x, -1, -1); done = true }
}

/* ---- Looks: look_under ---------------------------------------------------------------------- */

#define UNCLEAR 0
#define NOT_THERE 1
#define SEEN 2 /* in number SEEN + its word */

inline see(word_) {
    if
    :: sight == UNCLEAR && word[word_] == x -> sight = SEEN + word_
    :: else
    fi
}

inline look() {
    v = view;                                              /* R0 */
    watch[3 * me] = 1 + stripe_of[HOME(TO(v), x)];         /* R1; home is in one stripe */
    watch[3 * me + 1] = 1 + stripe_of[AWAY(TO(v), x)];     /* R1 */
    watch[3 * me + 2] = 1 + stripe_of[AWAY(FROM(v), x)];   /* R1 */
    if
    :: TWO_TABLES(v) -> see(HOME(FROM(v), x)); see(AWAY(FROM(v), x)) /* R2 */
    :: else
    fi;
    see(HOME(TO(v), x));                                   /* R2 */
    see(AWAY(TO(v), x));                                   /* R2 */
    if
    :: sight == UNCLEAR ->
        sight = (watch[3 * me] != 0 -> NOT_THERE : UNCLEAR);   /* R3 */
        sight = (watch[3 * me + 1] != 0 -> sight : UNCLEAR);   /* R3 */
        sight = (watch[3 * me + 2] != 0 -> sight : UNCLEAR);   /* R3 */
#ifndef MUTANT_VIEW_UNVALIDATED
        sight = (view == v -> sight : UNCLEAR)                 /* R3 */
#endif
    :: else
    fi;
    d_step {
        watch[3 * me] = 0; watch[3 * me + 1] = 0; watch[3 * me + 2] = 0;
        if
        :: view > v + 2 -> PLACE(TWO_VIEWS_LATE)
        :: else
        fi
    }
}

inline look_surely() {
    do
    :: look();
       if
       :: sight != UNCLEAR -> break
       :: else
       fi
    od
}

/* ---- Growth: start, migrate, end ------------------------------------------------------------ */

/* start(): the lock that it takes makes it one step. `v_` is what was seen before. */
inline start(v_) {
    d_step {
        if
        :: view == v_ && view < LAST_STEP -> unfinished = STRIPES; view = view + 1
        :: else
        fi
    }
}

/* advance(): pass the empty buckets of stripe `s`; `bucket` is the first that is not. */
#ifdef MUTANT_OLD_CURSOR
#define CURSOR(s_) cursor[s_]
#else
#define CURSOR(s_) (cursor_of[s_] == v -> cursor[s_] : 0)
#endif
#define BUCKET_AT(n_) (FIRST_OF(FROM(v)) + s * BUCKETS_IN_STRIPE(FROM(v)) + (n_))

inline advance() {
    finished = false;
    entries = false;
#ifdef MUTANT_UNVISITED
    if
    :: cursor_of[s] != v && word[BUCKET_AT(0)] == 0 && word[BUCKET_AT(FROM(v))] == 0 ->
        cursor[s] = BUCKETS_IN_STRIPE(FROM(v));
        cursor_of[s] = v;
        finished = true
    :: else ->
#endif
    need = BIT(s);
    set_lock();
    d_step {
        if
        :: VIEW_STANDS && CURSOR(s) < BUCKETS_IN_STRIPE(FROM(v)) ->
            n = CURSOR(s);
            do
            :: n < BUCKETS_IN_STRIPE(FROM(v)) && word[BUCKET_AT(n)] == 0 -> n++
            :: else -> break
            od;
            finished = (n == BUCKETS_IN_STRIPE(FROM(v)));
            entries = !finished;
#ifdef MUTANT_EMPTY_NOT_COUNTED
            finished = finished && cursor_of[s] == v;
#endif
            cursor[s] = n;
            cursor_of[s] = v;
            bucket = BUCKET_AT(n);
            n = 0
        :: else
        fi
    };
    set_unlock()
#ifdef MUTANT_UNVISITED
    fi
#endif
}

/* end_migration(), with the wish for one more growth, which finds the view that has just ended. */
inline end_migration() {
    d_step {
        for (k : 0 .. WORDS - 1) {
            CHECK(none_left_behind, LEVEL_OF(k) != FROM(v) || word[k] == 0)
        }
        view = v + 1;
        if
        :: emptied[1 - (me & 1)] -> PLACE(BOTH_MIGRATE)
        :: else
        fi
    };
#ifdef MUTANT_WISH_IN_ANY_VIEW
    n = view;
#else
    n = v + 1;
#endif
    start(n);
    n = 0
}

inline finish_stripe() {
    d_step {
        unfinished--;
        emptied[me & 1] = true;
        last = (unfinished == 0)
    };
    if
    :: last -> end_migration(); last = false
    :: else
    fi
}

/* W4 from table to table. The element is the one that was seen in the bucket without locks. */
inline move_bucket() {
    y = word[bucket];
    if
    :: y != 0 ->
        need = STRIPE_BIT(bucket) | STRIPES_AT(TO(v), y);
        set_lock();
        if
        :: VIEW_STANDS && word[bucket] == y && (word[HOME(TO(v), y)] == 0 || word[AWAY(TO(v), y)] == 0) ->
#ifdef MUTANT_CLEAR_BEFORE_FILL
            d_step { announce(bucket) };
            word[bucket] = 0;
#endif
            if
            :: word[HOME(TO(v), y)] == 0 -> word[HOME(TO(v), y)] = y
            :: else -> word[AWAY(TO(v), y)] = y
            fi;
#ifndef MUTANT_CLEAR_BEFORE_FILL
            d_step { announce(bucket) };
            word[bucket] = 0
#endif
        :: else
        fi;
        set_unlock()
    :: else
    fi;
    y = 0
}

/* guira__migrate_some(), in stripe s: all of it, unless another thread is at it. */
inline migrate() {
    do
    :: advance();
       if
       :: finished -> finish_stripe(); break
       :: entries -> move_bucket()
       :: else -> break
       fi
    od;
    skip; /* no jump may end in a d_step */
    d_step { finished = false; entries = false; bucket = 0; s = 0 }
}

/* In no stripe if `s` is none. */
inline migrate_in_turn() {
    if
    :: s < STRIPES -> migrate()
    :: else -> s = 0
    fi
}

/* A share of the migration, in either stripe, before a change; or none. With -DNO_SHARES actor 0 does
 * all of it. */
inline share() {
    if
#ifndef NO_SHARES
    :: TWO_TABLES(v) ->
        atomic {
            if
            :: s = 0
            :: s = 1
            :: s = 2
            fi
        };
        migrate_in_turn()
#endif
    :: else
    fi
}

/* ---- Changes -------------------------------------------------------------------------------- */

inline fill_if_free(word_) {
    if
    :: !done && word[word_] == 0 -> fill_and_complete(word_)
    :: else
    fi
}

/* One side while one table is in use. */
inline insert_directly() {
    if
    :: place = HOME(TO(v), x)
    :: place = AWAY(TO(v), x)
    fi;
    need = STRIPE_BIT(place);
    set_lock();
    if
    :: VIEW_STANDS -> refused = (word[place] != 0); fill_if_free(place)
    :: else
    fi;
    set_unlock();
    place = 0
}

inline insert_admitted() {
    need = ALL_STRIPES(v, x);
#ifdef MUTANT_ONE_STRIPE
    need = STRIPE_BIT(HOME(TO(v), x));
#endif
#ifdef MUTANT_NEW_PLACES
    need = STRIPES_AT(TO(v), x);
#endif
    set_lock();
    if
    :: VIEW_STANDS ->
        n = COPIES(TO(v), x) + (TWO_TABLES(v) -> COPIES(FROM(v), x) : 0);
        if
        :: (op == INSERT_UNIQUE && n > 0) -> refused = true; PLACE(EXISTED)
        :: (op == INSERT && n >= LIMIT) -> refused = true; PLACE(WAS_LIMIT)
        :: else ->
            fill_if_free(HOME(TO(v), x));
            fill_if_free(AWAY(TO(v), x));
            refused = !done
        fi;
        n = 0
    :: else
    fi;
    set_unlock()
}

/* guira__relieve(): an insert may begin to grow, whatever it is that makes it. */
inline relieve() {
#ifdef STARTS
    if
    :: !TWO_TABLES(v) -> start(v)
    :: skip
    fi
#endif
    skip
}

inline insert() {
    do
    :: done || refused -> break
    :: else ->
        v = view;
        share();
        relieve();
        if
        :: op == INSERT_UNIQUE ->
            look_surely();
            if
            :: sight >= SEEN -> check_answer(true); refused = true
            :: else -> insert_admitted()
            fi;
            sight = UNCLEAR
        :: op == INSERT && TWO_TABLES(v) -> insert_admitted()
        :: else -> insert_directly()
        fi
    od
}

inline empty_if_there(word_) {
    if
    :: !done && word[word_] == x -> empty_and_complete(word_)
    :: else
    fi
}

inline remove_held() {
    need = ALL_STRIPES(v, x);
    set_lock();
    if
    :: VIEW_STANDS ->
        if
        :: TWO_TABLES(v) -> empty_if_there(HOME(FROM(v), x)); empty_if_there(AWAY(FROM(v), x))
        :: else
        fi;
        empty_if_there(HOME(TO(v), x));
        empty_if_there(AWAY(TO(v), x));
        if
        :: done
        :: else -> refused = true; check_answer(false)
        fi
    :: else
    fi;
    set_unlock()
}

inline remove() {
    do
    :: done || refused -> break
    :: else ->
        v = view;
        share();
        look_surely();
        if
        :: sight == NOT_THERE -> check_answer(false); refused = true
        :: sight >= SEEN && !TWO_TABLES(v) ->
            place = sight - SEEN;
            need = STRIPE_BIT(place);
            set_lock();
            if
            :: VIEW_STANDS -> empty_if_there(place)
            :: else
            fi;
            set_unlock();
            place = 0
        :: else
        fi;
        sight = UNCLEAR;
        if
        :: done || refused
        :: else -> remove_held()
        fi
    od
}

/* ---- Actors --------------------------------------------------------------------------------- */

bool emptied[2]; /* which of actors 0 and 1 has emptied a stripe */
byte ended;      /* actors that are through */

#define EMPTIED(s_) (cursor_of[s_] == v && cursor[s_] == BUCKETS_IN_STRIPE(FROM(v)))

/* Grows: starts, and empties stripes until there is no more to do. */
active proctype grower() {
    byte v, s, n, bucket, y, need;
    bool finished, entries, last;
    do
    :: view == LAST_STEP -> break
    :: else ->
        v = view;
        atomic {
            if
            :: TWO_TABLES(v) && !EMPTIED(0) -> s = 0
            :: TWO_TABLES(v) && !EMPTIED(1) -> s = 1
            :: TWO_TABLES(v) && EMPTIED(0) && EMPTIED(1) && view != v -> s = 2 /* another ended it */
            :: !TWO_TABLES(v) -> start(v); s = 2
            fi
        };
        migrate_in_turn()
    od;
    v = 0;
    ended++
}

#ifdef TWO_WRITERS
active [2] proctype writer() {
#else
active proctype writer() {
#endif
    byte op, x, v, sight, place, need, calls;
    byte s, n, bucket, y;
    bool done, refused, finished, entries, last;
    do
    :: calls == CALLS -> break
    :: else ->
        x = 1;
        if
        :: op = INSERT
#ifdef UNIQUE
        :: op = INSERT_UNIQUE
#else
        :: op = REMOVE
#endif
        fi;
        call_begins();
        if
        :: op == REMOVE -> remove()
        :: else -> insert()
        fi;
        skip; /* no jump may end in a d_step */
        d_step {
            item[me] = 0; moments[me] = 0;
            op = 0; x = 0; v = 0; sight = UNCLEAR;
            done = false; refused = false;
            calls++
        }
    od;
    ended++
}

#if !defined(TWO_WRITERS) && !defined(NO_READER)
active proctype reader() {
    byte x, v, sight;
    x = 1;
    call_begins();
    look_surely();
    skip; /* no jump may end in a d_step */
    d_step {
        check_answer(sight >= SEEN);
        item[me] = 0; moments[me] = 0; x = 0; v = 0; sight = UNCLEAR
    };
    ended++
}
#endif

#ifdef PROGRESS
/* With weak fairness the growth comes to its end, and every call to its own. */
ltl all_end { <> (ended == 2 && view == LAST_STEP) } /* with -DNO_READER */
#endif
