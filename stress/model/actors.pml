/*
 * Two writers and a reader. Their calls repeat for ever, or -DCALLS=n times a writer; -DONE_LOOK ends
 * the reader after one call.
 */

#ifdef STALL
#define MAY_BE_STALLED provided (stalled != _pid)
#else
#define MAY_BE_STALLED
#endif

active [2] proctype writer() MAY_BE_STALLED {
    byte op, x, status, sight, side, s, need;               /* a call */
    byte bucket, slot, tried, length, i, failed;            /* a search and its path */
    bool found, hopeless;
    byte hop_bucket[MAX_MOVES + 1], hop_slot[MAX_MOVES + 1], hop_tag[MAX_MOVES + 1];
    byte calls;
    bool again = true;                                      /* the last insert did not succeed */
end:
    do
    :: CALLS == 0 || calls < CALLS ->
        choose();
        call_begins();
        if
        :: op == REMOVE -> remove()
        :: else -> insert()
        fi;
        skip; /* no jump may end in a d_step */
        d_step {
            item[me] = 0;
            moments[me] = 0;
            again = (op == REMOVE || status != OK);
            op = 0;
            x = 0;
            status = GO_ON;
            calls = (CALLS == 0 -> 0 : calls + 1)
        }
    :: CALLS > 0 && calls == CALLS -> break
    od;
    finished++
}

/* contains, without a bound on how often it looks again. */
#ifndef NO_READER
active proctype reader() {
    byte x, sight;
end:
    do
    :: choose_look();
       call_begins();
       do
       :: look();
          if
          :: sight != UNCLEAR -> break
          :: else -> PLACE(LOOKED_AGAIN)
          fi
       od;
        skip; /* no jump may end in a d_step */
       if
       :: stalled != 255 && word[0] == word[1] && word[0] != 0 -> PLACE(STALLED_MIDWAY)
       :: else
       fi;
       d_step {
           check_answer(sight != NOT_THERE);
           item[me] = 0;
           moments[me] = 0;
           x = 0;
           sight = UNCLEAR;
           answered = true
       };
#ifdef ONE_LOOK
       break
#endif
    od
}
#endif

#ifdef STALL
/* Stops for ever a writer that holds a lock, at any moment, or none. */
#define HOLDS(w_) (lock[0] == 1 + (w_) || lock[1] == 1 + (w_) || lock[2] == 1 + (w_))
active proctype staller() {
    if
    :: skip
    :: atomic { HOLDS(0) -> stalled = 0 }
    :: atomic { HOLDS(1) -> stalled = 1 }
    fi
}

/* A stalled writer blocks no reader. */
ltl reader_answers { <> answered }
#endif

#ifdef NO_READER
/* No deadlock and, with weak fairness, no livelock: each call ends. */
ltl calls_end { <> (finished == 2) }
#endif
