#!/bin/sh
# Plant faults in copies of lib/, one at a time, and see which of them guira_history finds.
#
#     mutants.sh [SECONDS [SEED [NAME]]]
#
# SECONDS are for each run (default 20); a mutant that survives the first run gets a second. Needs cc
# and perl. Prints a line a mutant, "caught" or "survived"; fails if the unchanged library is accused,
# if an edit no longer applies, or if a mutant survived that is marked as one that has to be caught.
# The others need an interleaving that seldom comes about by itself; forced scheduling and the model
# checkers are for them.
# shellcheck disable=SC2016 # the edits are for perl to expand
set -eu
seconds=${1:-20}
seed=${2:-1}
only=${3:-}
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0
cd "$work"

# All of guira_history and the library, which pauses with -DGUIRA_ATOMIC_HEADER="pauses.h".
build() {
    "${CC:-cc}" -O2 -std=c11 -pthread "$@" -I"$source/include" \
        -I"$work/lib" -I"$source/stress/history" -o guira_history "$work"/lib/*.c \
        "$source"/stress/oracle.c "$source"/stress/team.c "$source"/stress/history/[!tn]*.c \
        "$source"/stress/history/timeline.c "$source"/stress/history/terminal.c -lm
}

# Pauses bring about interleavings; without them calls are fast enough to see weak orders.
run() {
    # shellcheck disable=SC2086 # several options
    ./guira_history --seconds "$seconds" --seed "$seed" ${GUIRA_HISTORY_OPTIONS:-} >"$work/out" 2>&1
}

# mutant WHETHER NAME FILE PERL-EXPRESSION: the expression edits the whole file at once.
mutant() {
    must=$1 name=$2 file=$3 edit=$4
    [ -z "$only" ] || [ "$only" = "$name" ] || return 0
    rm -rf "${work:?}/lib"
    cp -r "$source/lib" "$work/lib"
    perl -0pi -e "$edit" "$work/lib/$file"
    if [ "$name" != none ] && cmp -s "$source/lib/$file" "$work/lib/$file"; then
        echo "$name: the edit does not apply any more"
        failed=1
        return 0
    fi
    verdict=caught
    build -DGUIRA_ATOMIC_HEADER='"pauses.h"'
    if run; then
        build
        if run; then
            verdict=survived
        fi
    fi
    # Besides the checker, the quiet table is looked at after each round.
    by=
    grep -q 'nothing explains this' "$work/out" && by=" by the checker"
    grep -q 'VIOLATION' "$work/out" && by="$by, a quiet table is wrong"
    echo "$name: $verdict$by"
    if [ "$name" = none ]; then
        [ "$verdict" = survived ] || failed=1
    elif [ "$must" = must ] && [ "$verdict" = survived ]; then
        failed=1
    fi
}

mutant must none protocol.h ''
mutant must unvalidated-miss protocol.h 's/return home_after == .*?UNCLEAR;/(void)home_after; (void)away_after; return NOT_THERE;/s'
mutant may one-counter-validated protocol.h 's/ && away_after == away_before//; s/(away_after = word_load.*?;)/$1 (void)away_before; (void)away_after;/s'
mutant may counters-read-late protocol.h 's/(    uint64_t home_before.*?\n    uint64_t away_before[^\n]*\n)(.*?)(    if \(matching_slots)/$2$1$3/s'
mutant may no-counter-in-moves protocol.h 's/(void empty_after_move.*?)    announce_removal\(t, bucket\);/$1/s'
mutant may no-counter-in-removes protocol.h 's/(void empty_and_complete.*?)    announce_removal\(t, bucket\);/$1/s'
mutant may counter-after-clear protocol.h 's/(void empty_after_move.*?)(    announce_removal\(t, bucket\);\n)(.*?MOVE_STORE\);[^\n]*\n)/$1$3$2/s'
mutant must clear-before-fill insert.c 's/(        fill_for_move[^\n]*\n)(        empty_after_move[^\n]*\n)/$2$1/'
mutant must path-unchecked insert.c 's/(static bool path_stands[^{]*\{)/$1 (void)f; (void)path; return true;/'
mutant must unique-absent-unchecked insert.c 's/if \(held_copies\(f, c\) > 0\) \{\n        status = GUIRA_EXISTS/if (false) {\n        status = GUIRA_EXISTS/'
mutant may unique-path-unchecked insert.c 's/if \(unique && held_copies\(f, c\) > 0\)/if (false)/'
mutant must unique-one-lock insert.c 's/(static int insert_unique_directly.*?)struct stripe_set both = stripes_of\(f, c\);/$1struct stripe_set both; both.size = 0; guira__stripe_set_add(&both, stripe_of(&f->table, c->bucket[0]));/s'
mutant may limit-unconfirmed insert.c 's/bool limit = held_copies\(f, c\) == 2 \* g->window_slots;/bool limit = true;/'
mutant must count-unlocked lookup.c 's/(static unsigned count.*?)    guira__stripe_set_lock[^\n]*\n(.*?)    guira__stripe_set_unlock[^\n]*\n/$1$2/s'
mutant must remove-misses-moved remove.c 's/removed = empty_window\(f, &c, 0\) \|\| empty_window\(f, &c, 1\);//'
mutant must insert-unlocked insert.c 's/            stripe_lock\(&f->stripes, stripe\);\n//; s/            stripe_unlock\(&f->stripes, stripe\);\n//'
mutant must remove-unlocked remove.c 's/    stripe_lock\(&f->stripes, stripe\);\n//; s/    stripe_unlock\(&f->stripes, stripe\);\n//'
mutant may reader-gives-up lookup.c 's/if \(seen != UNCLEAR\) \{/if (looks > 1 || seen != UNCLEAR) { if (seen == UNCLEAR) { return NOT_THERE; }/'
mutant must full-inserts-all-the-same insert.c 's/(        fill_and_complete\(&f->table, end->bucket,.*?;\n.*?;\n)        status = GUIRA_OK;/$1        status = path->length > 2 ? GUIRA_FULL : GUIRA_OK;/s'
mutant may completing-stores-release protocol.h 's/#define ORDER_COMPLETE_STORE memory_order_seq_cst/#define ORDER_COMPLETE_STORE memory_order_release/'
mutant must remove-answers-early remove.c 's/return removed \? GUIRA_OK : GUIRA_NOT_FOUND;/(void)removed; return GUIRA_OK;/'
exit "$failed"
