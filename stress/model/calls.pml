/*
 * The calls made of the protocol's steps, and the actors that make them: lib/insert.h, lib/path.h,
 * lib/remove.h, lib/lookup.h.
 */

/* How many calls a writer makes; 0: it never ends. */
#ifndef CALLS
#define CALLS 0
#endif

/* ---- The search for a path: find_path, no lock held ---------------------------------- */

#define ON_PATH(i_, slot_) (length > (i_) && hop_bucket[i_] == bucket && hop_slot[i_] == (slot_))
#define MAY_MOVE(slot_) \
    (length < MAX_MOVES && !ON_PATH(0, slot_) && !ON_PATH(1, slot_) && !ON_PATH(2, slot_))

/*
 * Chains of moves from one side, then from the other; which side first, and which entry of a bucket
 * moves on, is left open. So this finds every path that a breadth-first search may find, and more.
 * With one slot a bucket a chain has no branches, and the search is exhaustive.
 */
inline find_path() {
    found = false;
    tried = 0;
    if
    :: side = 0
    :: side = 1
    fi;
    do
    :: length = 0;
       bucket = BUCKET(x, side);
       do
       :: atomic { /* search_word: one read */
              if
              :: HAS(word[bucket], 0) ->
                  hop_bucket[length] = bucket;
                  hop_slot[length] = FIRST(word[bucket], 0);
                  hop_tag[length] = 0;
                  found = true;
                  break
              :: else ->
                  if
                  :: MAY_MOVE(0) -> slot = 0
                  :: SLOTS == 2 && MAY_MOVE(1) -> slot = 1
                  :: else -> break
                  fi;
                  hop_bucket[length] = bucket;
                  hop_slot[length] = slot;
                  hop_tag[length] = TAG(word[bucket], slot);
                  bucket = OTHER(hop_tag[length], bucket);
                  slot = 0;
                  length++
              fi
          }
       od;
       if
       :: found || tried == 1 -> break
       :: else -> side = 1 - side; tried = 1
       fi
    od;
    tried = 0;
    d_step {
        bucket = 0;
        side = 0;
#ifdef MUTANT_NO_MOVES
        found = found && length == 0;
#endif
        if
        :: found
        :: else -> forget_path()
        fi
    }
}

inline forget_path() {
    for (i : 0 .. MAX_MOVES) {
        hop_bucket[i] = 0;
        hop_slot[i] = 0;
        hop_tag[i] = 0
    }
    i = 0;
    length = 0
}

/* ---- insert, insert_unique: lib/insert.h ---------------------------------------------------- */

/* fill_window; the caller holds the bucket's stripe. */
inline fill_window(bucket) {
    if
    :: HAS(word[bucket], 0) -> fill_and_complete(bucket, FIRST(word[bucket], 0), x)
    :: else
    fi
}

#define HELD_COPIES (COPIES(word[home[x]], x) + COPIES(word[away[x]], x))
#define BOTH_STRIPES (BIT(STRIPE(home[x])) | BIT(STRIPE(away[x])))

/* insert_directly, is_at_limit */
inline insert_directly() {
    side = 0;
    do
    :: side == 2 || status != GO_ON -> break
    :: else ->
       bucket = BUCKET(x, side);
       if
       :: HAS(word[bucket], 0) -> /* window_looks_free: one read */
           need = BIT(STRIPE(bucket));
           set_lock();
           fill_window(bucket);
           set_unlock()
       :: else
       fi;
       side++
    od;
    side = 0;
    bucket = 0;
    if
    :: status == GO_ON && COPIES(word[home[x]], x) == SLOTS -> /* one read */
       if
       :: COPIES(word[away[x]], x) == SLOTS -> /* one read */
           need = BOTH_STRIPES;
           set_lock();
           if
           :: HELD_COPIES == 2 * SLOTS -> status = REFUSED; PLACE(WAS_LIMIT)
           :: else
           fi;
           set_unlock()
       :: else
       fi
    :: else
    fi
}

inline insert_unique_directly() {
    look_surely();
    if
    :: sight != NOT_THERE -> status = REFUSED; check_answer(true)
    :: else ->
#ifdef MUTANT_ONE_SIDE_LOCKED
        /* Each window by itself, with the stripe of that window only. */
        side = 0;
        do
        :: side == 2 || status != GO_ON -> break
        :: else ->
           bucket = BUCKET(x, side);
           need = BIT(STRIPE(bucket));
           set_lock();
           if
           :: HELD_COPIES > 0 -> status = REFUSED
           :: else -> fill_window(bucket)
           fi;
           set_unlock();
           side++
        od;
        side = 0;
        bucket = 0
#else
        need = BOTH_STRIPES;
        set_lock();
        if
        :: HELD_COPIES > 0 -> status = REFUSED; check_answer(true); PLACE(EXISTED)
        :: else ->
            fill_window(home[x]);
            if
            :: status == GO_ON -> fill_window(away[x])
            :: else
            fi
        fi;
        set_unlock()
#endif
    fi;
    sight = UNCLEAR
}

/* path_stands */
#ifdef MUTANT_NO_RECHECK
#define STANDS(i_) true
#else
#define STANDS(i_) (length < (i_) || TAG(word[hop_bucket[i_]], hop_slot[i_]) == hop_tag[i_])
#endif
#define HOP_BIT(i_) (length < (i_) -> 0 : BIT(STRIPE(hop_bucket[i_])))
#define PATH_STANDS (STANDS(0) && STANDS(1) && STANDS(2) && STANDS(3))

/* One turn of shift_entries: W4. */
inline move_entry(from, to) {
#ifdef MUTANT_CLEAR_BEFORE_FILL
    empty_after_move(hop_bucket[from], hop_slot[from]);
    fill_for_move(hop_bucket[to], hop_slot[to], hop_tag[from])
#else
    fill_for_move(hop_bucket[to], hop_slot[to], hop_tag[from]);
    empty_after_move(hop_bucket[from], hop_slot[from])
#endif
}

#ifndef MUTANT_HOP_BY_HOP
/* Lock the whole path, check it, shift from the end backwards, fill x, unlock. */
inline insert_along() {
    need = HOP_BIT(0) | HOP_BIT(1) | HOP_BIT(2) | HOP_BIT(3);
#ifndef MUTANT_ONE_SIDE_LOCKED
    need = need | (op == INSERT_UNIQUE -> BOTH_STRIPES : 0);
#endif
    set_lock();
    if
    :: op == INSERT_UNIQUE && HELD_COPIES > 0 -> status = REFUSED; PLACE(EXISTED)
    :: (op != INSERT_UNIQUE || HELD_COPIES == 0) && PATH_STANDS ->
        i = length;
        do
        :: i > 0 -> move_entry(i - 1, i); i--
        :: i == 0 -> break
        od;
        fill_and_complete(hop_bucket[0], hop_slot[0], x);
        if
        :: length >= 2 -> PLACE(TWO_MOVES)
        :: else
        fi
    :: else -> PLACE(LOST_RACE)
    fi;
    set_unlock();
    s = 0;
    d_step { forget_path() }
}
#else
/* Two stripes at a time: each entry moves by itself, and only at the end is the first slot taken. */
#define LOST 255
inline insert_along() {
    i = length;
    do
    :: i > 0 && i != LOST ->
       need = HOP_BIT(i) | HOP_BIT(i - 1);
       set_lock();
       if
       :: STANDS(i - 1) && TAG(word[hop_bucket[i]], hop_slot[i]) == 0 -> move_entry(i - 1, i); i--
       :: else -> i = LOST
       fi;
       set_unlock()
    :: i == 0 ->
       need = HOP_BIT(0);
       set_lock();
       if
       :: TAG(word[hop_bucket[0]], hop_slot[0]) == 0 ->
           fill_and_complete(hop_bucket[0], hop_slot[0], x)
       :: else
       fi;
       set_unlock();
       break
    :: i == LOST -> break
    od;
    i = 0;
    d_step { forget_path() }
}
#endif

/* Whether an exhaustive search, one slot a bucket, would fail at this moment. */
inline see_if_hopeless() {
    hopeless = true;
    for (side : 0 .. 1) {
        bucket = BUCKET(x, side);
        for (j : 0 .. MAX_MOVES) {
            if
            :: word[bucket] == 0 -> hopeless = false; break
            :: else -> bucket = OTHER(word[bucket], bucket)
            fi
        }
    }
    side = 0;
    bucket = 0
}

/* all_removals, one counter after another, before a search and after it. */
inline remember_removals() {
    s = 0;
    do
    :: s < STRIPES -> still[me] = still[me] | BIT(s); s++ /* E1 observes */
    :: s == STRIPES -> break
    od;
    s = 0
}

inline compare_removals() {
    s = 0;
    do
    :: s < STRIPES && (still[me] & BIT(s)) != 0 -> s++ /* E1 observes */
    :: s < STRIPES && (still[me] & BIT(s)) == 0 -> break
    :: s == STRIPES -> /* FULL, no removal having been announced */
#ifdef STRICT_FULL
        CHECK(full_is_honest, hopeless);
#endif
        status = REFUSED;
        break
    od;
    s = 0
}

/* The loop of insert(). */
inline insert() {
    failed = 0;
    do
    :: status != GO_ON -> break
    :: else ->
       if
       :: op == INSERT_UNIQUE -> insert_unique_directly()
       :: else -> insert_directly()
       fi;
       if
       :: status == GO_ON ->
          if
          :: failed > 0 -> remember_removals()
          :: else
          fi;
          find_path();
          if
          :: found -> found = false; insert_along()
          :: else ->
#ifdef STRICT_FULL
              d_step { see_if_hopeless() };
#endif
              failed++;
              if
              :: failed > 1 -> compare_removals()
              :: else
              fi;
              if
              :: failed == FULL_SEARCHES -> status = REFUSED
              :: else
              fi;
              if
              :: status == REFUSED -> PLACE(WAS_FULL)
              :: else
              fi;
              hopeless = false
          fi;
          still[me] = 0
       :: else
       fi
    od;
    failed = 0
}

/* ---- remove: lib/remove.h ------------------------------------------------------------------- */

/* empty_window; the caller holds the bucket's stripe. */
inline empty_window(bucket) {
    if
    :: HAS(word[bucket], x) -> empty_and_complete(bucket, x)
    :: else
    fi
}

inline remove() {
    look_surely();
    if
    :: sight == NOT_THERE -> status = REFUSED; check_answer(false)
    :: else ->
        bucket = (sight == SEEN_AWAY -> away[x] : home[x]);
        need = BIT(STRIPE(bucket));
        set_lock();
        empty_window(bucket);
        set_unlock();
        bucket = 0;
        if
        :: status == GO_ON ->
            PLACE(HAD_MOVED);
            need = BOTH_STRIPES;
            set_lock();
            empty_window(home[x]);
            if
            :: status == GO_ON -> empty_window(away[x])
            :: else
            fi;
            if
            :: status == GO_ON -> status = REFUSED; check_answer(false)
            :: else
            fi;
            set_unlock()
        :: else
        fi
    fi;
    sight = UNCLEAR
}
