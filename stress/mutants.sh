#!/bin/sh
# Plant faults in copies of lib/, one at a time, and see that each is caught.
#
#     mutants.sh [NAME [SECONDS [SEED]]]
#
# NAME picks one mutant, "all" is the default; "odd" and "even" are every second one. Each runs
# under guira_followed, guira_left_behind and guira_interleave, which a seed decides, so that what is
# caught once is caught always. Those marked "history" are beyond it (two steps with no hook between
# them, or weak orders) and are given to guira_history, with pauses and then without, for SECONDS
# each (default 10), and without batches, as their long intervals excuse much. Those marked "eight"
# are in look-ups that only batches make, and only with AVX-512: they are given to guira_history with
# pauses on one small table, and skipped on other processors. Needs cc and perl. A line a mutant;
# fails if one survives, if the unchanged library is accused, if an edit no longer applies, or if
# there is no mutant of that name.
# shellcheck disable=SC2016 # the edits are for perl to expand
set -eu
only=${1:-all}
seconds=${2:-10}
seed=${3:-1}
# Options of guira_history: for a run that ends soon after the first violation.
small_table='--round 100000 --buckets 16 --tag-bits 16 --window 2 --stripes 16 --load 0.75'
source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
compiler=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0
number=0
ran=0
headers=lib # of the library, as mutated
cd "$work"

# A mutant that does not compile is caught by nothing.
build() {
    "$compiler" -O1 -std=c11 -pthread -I"$source/include" -I"$work/$headers" "$@" && return 0
    echo "$name: does not compile"
    exit 1
}

# compile LIB_FLAGS...: the mutated library, as object files. What does not depend on the file that
# was edited is taken from an unchanged library, compiled once with these flags.
compile() {
    unchanged="$work/unchanged.$(printf '%s' "$*" | cksum | tr ' ' '.')"
    if [ ! -d "$unchanged" ]; then
        mkdir "$unchanged"
        (cd "$unchanged" && build -c -MMD "$@" -I"$source/stress/history" "$work"/clean/*.c)
    fi
    rm -f ./*.o
    cp "$unchanged"/*.o .
    for sources in $(grep -lF "/clean/$file" "$unchanged"/*.d) "$work"/lib/pauses.c; do
        sources=$work/lib/$(basename "$sources" | sed 's/[.][cd]$//').c
        [ ! -e "$sources" ] || build -c "$@" -I"$source/stress/history" "$sources"
    done
}

# program NAME FLAGS_AND_FILES...: link it with the mutated library. Its own objects are compiled once,
# as no mutant is in what they use of the library's headers.
program() {
    program=$1
    shift
    if [ ! -d "$program.objects" ]; then
        mkdir "$program.objects"
        (cd "$program.objects" && headers=clean && build -c -I"$source/stress" \
            -I"$source/stress/history" "$@")
    fi
    build -o "$program" "$program.objects"/*.o ./*.o -lm
}

interleaved() {
    timeout 120 ./interleave --rounds 250 --seed "$1" >out 2>&1
}

caught_by_interleave() {
    compile -DGUIRA_TEST_HOOKS
    program followed -DGUIRA_TEST_HOOKS "$source"/stress/followed.c
    timeout 10 ./followed >out 2>&1 || return 0
    program interleave "$source"/stress/interleave.c "$source"/stress/baton.c \
        "$source"/stress/team.c "$source"/stress/oracle.c
    interleaved 1 || return 0
    program left_behind -DGUIRA_TEST_HOOKS "$source"/stress/left_behind.c \
        "$source"/stress/history/history.c "$source"/stress/team.c "$source"/stress/oracle.c
    timeout 60 ./left_behind >out 2>&1 || return 0
    interleaved 2 && interleaved 3 && return 1
    return 0
}

# caught_by_history LIB_FLAGS...
caught_by_history() {
    compile "$@"
    # shellcheck disable=SC2046 # a list of files
    program history $(history_sources)
    status=0
    # shellcheck disable=SC2086 # a list of options
    timeout 600 ./history --seconds "$seconds" --seed "$seed" $history_options >out 2>&1 || status=$?
    [ "$status" -ne 0 ] && [ "$status" -ne 2 ] # 2: an option is wrong, or nothing was decided
}

# Of guira_history, all but the checker's own tests and the pauses.
history_sources() {
    for file in "$source"/stress/history/*.c "$source"/stress/oracle.c "$source"/stress/team.c; do
        case ${file##*/} in
        test_* | naive.c | pauses.c) ;;
        *) echo "$file" ;;
        esac
    done
}

caught_by_pauses() {
    cp "$source/stress/history/pauses.c" "$work/lib/"
    caught_by_history -DGUIRA_ATOMIC_HEADER='"pauses.h"'
    rm -f "$work/lib/pauses.c"
}

# The library without the kernels for one shape each, which are the same source as those for any, and
# take most of the time.
cp -r "$source/lib" "$work/clean"
rm "$work"/clean/kernel_[0-9]*.c "$work"/clean/kernel_growing_[0-9]*.c
perl -pi -e 's/each\(\d+, \d+\)//g' "$work/clean/kernel_list.h"

# mutant WHERE NAME FILE PERL-EXPRESSION: the expression edits the whole file at once.
mutant() {
    where=$1 name=$2 file=$3 edit=$4
    number=$((number + 1))
    case $only in
    all | "$name") ;;
    odd) [ $((number % 2)) -eq 1 ] || return 0 ;;
    even) [ $((number % 2)) -eq 0 ] || return 0 ;;
    *) return 0 ;;
    esac
    ran=$((ran + 1))
    rm -rf "${work:?}/lib"
    cp -r "$work/clean" "$work/lib"
    perl -0pi -e "$edit" "$work/lib/$file"
    if [ "$name" != none ] && cmp -s "$work/clean/$file" "$work/lib/$file"; then
        echo "$name: the edit does not apply any more"
        failed=1
        return 0
    fi
    history_options='--batches 0'
    [ "$where" != eight ] || history_options=$small_table
    if [ "$where" = eight ] && ! grep -q avx512vl /proc/cpuinfo; then
        verdict='skipped, the processor has no AVX-512'
    elif [ "$where" = interleave ] && caught_by_interleave; then
        verdict='caught by guira_interleave'
    elif [ "$where" != interleave ] && caught_by_pauses; then
        verdict='caught by guira_history with pauses'
    elif [ "$where" = history ] && caught_by_history; then
        verdict='caught by guira_history'
    else
        verdict=survived
    fi
    echo "$name: $verdict"
    case $name:$verdict in
    none:survived) ;;
    none:*) failed=1 ;;
    *:survived) failed=1 ;;
    esac
}

mutant interleave none protocol.h ''

# Readers
mutant interleave unvalidated-miss protocol.h 's/return after == before.*?UNCLEAR;/(void)after; return NOT_THERE;/s'
mutant interleave one-counter-validated protocol.h 's/    before \+= word_load[^\n]*\n//; s/    after \+= word_load[^\n]*\n//; s/(const atomic_word \*away_counter[^;]*;)/$1 (void)away_counter;/'
mutant interleave counters-read-late protocol.h 's/(    uint64_t before = .*?\n    before \+=[^\n]*\n)(.*?)(    \/\* Which side)/$2$1$3/s'
mutant interleave reader-gives-up lookup.h 's/\} while \(seen == UNCLEAR\);\n    return seen;/} while (false);\n    return seen == UNCLEAR ? NOT_THERE : seen;/'
mutant interleave count-of-one-bucket filter.h 's/ \+\n\s*bits_set\(matching_slots\(g, away, c->pattern\[1\]\)\)/ + 0 * bits_set(away)/'

# Readers of eight elements at once
mutant eight eight-unvalidated eight.h 's/\*clear = after == before;/*clear = true;/'
mutant eight eight-counters-read-late eight.h 's/(    uint64_t before = 0;\n    for .*?\n    \}\n)(    eight home = .*?    eight away = [^\n]*\n)/$2$1/s'

# Counters and moves
mutant interleave no-counter protocol.h 's/word_load\(counter, memory_order_relaxed\) \+ 1/word_load(counter, memory_order_relaxed)/'
mutant interleave no-counter-in-moves protocol.h 's/(void empty_after_move.*?)    announce_removal\(t, bucket\);/$1/s'
mutant interleave counter-after-clear protocol.h 's/(void empty_after_move.*?)(    announce_removal\(t, bucket\);\n)(.*?HOOK_MOVE_DONE\);\n)/$1$3$2/s'
mutant interleave clear-before-fill insert.h 's/(        fill_for_move[^\n]*\n)(        empty_after_move[^\n]*\n)/$2$1/'
mutant interleave moves-from-the-front insert.h 's/for \(uint32_t i = path->length; i > 0; i--\) \{\n(        const struct hop \*from)/for (uint32_t i = 1; i <= path->length; i++) {\n$1/'

# Checks under the locks
mutant interleave path-unchecked insert.h 's/(static bool path_stands[^{]*\{)/$1 (void)t; (void)path; return true;/'
mutant interleave only-the-hole-checked insert.h 's/(path_stands.*?)i = 0; i <= path->length/$1i = path->length; i <= path->length/s'
mutant interleave hole-not-checked insert.h 's/(path_stands.*?)i = 0; i <= path->length/$1i = 0; i < path->length/s'
mutant interleave unique-absent-unchecked insert.h 's/        status = admit\(v, s, unique\);/        status = unique ? GO_ON : admit(v, s, unique);/'
mutant interleave unique-path-unchecked insert.h 's/must_admit\(v, unique\) \? admit/must_admit(v, unique) && !unique ? admit/'
mutant interleave limit-unconfirmed insert.h 's/bool limit = held_copies\(t, c\) == 2 \* shape_of\(g\)->window_slots;/bool limit = true;/'
mutant interleave limit-off-by-one insert.h 's/held_copies\(t, c\) == 2 \* shape_of\(g\)->window_slots/held_copies(t, c) >= 2 * shape_of(g)->window_slots - 1/'
mutant interleave remove-misses-moved remove.h 's/bool removed = empty_either_window\(f, v\.to, &c\);/bool removed = false;/'
mutant interleave remove-answers-early remove.h 's/return removed \? GUIRA_OK : GUIRA_NOT_FOUND;/(void)removed; return GUIRA_OK;/'

# Locks
mutant interleave one-lock-for-two filter.h 's/    guira__stripe_set_add\(set, stripe_of\(t, c->bucket\[1\]\)\);\n//'
mutant interleave unique-path-without-own-locks insert.h 's/must_admit\(v, unique\) \? stripes_at\(v, s\) : //'
mutant interleave the-hole-not-locked insert.h 's/(add_stripes_of_path.*?)i = 0; i <= path->length/$1i = 0; i < path->length/s'
mutant interleave locks-out-of-order stripe.c 's/while \(at > 0 && set->stripe\[at - 1\] > stripe\)/while (false)/'
mutant interleave locks-taken-twice stripe.c 's/if \(at > 0 && set->stripe\[at - 1\] == stripe\)/if (false)/'
mutant history count-unlocked lookup.h 's/(static inline unsigned count.*?)    guira__stripe_set_lock[^\n]*\n(.*?)    guira__stripe_set_unlock[^\n]*\n/$1$2/s'
mutant history insert-unlocked insert.h 's/    stripe_lock\(&f->stripes, stripe\);\n//; s/    stripe_unlock\(&f->stripes, stripe\);\n//'
mutant history remove-unlocked remove.h 's/    stripe_lock\(&f->stripes, stripe\);\n//; s/    stripe_unlock\(&f->stripes, stripe\);\n//'

# Answers and counts
mutant interleave lost-race-is-full insert.h 's/guira__back_off\(lost\+\+\);/guira__back_off(lost++); break;/'
mutant interleave full-inserts-all-the-same insert.h 's/(    put\(t, first->bucket.*?;\n)    return GUIRA_OK;/$1    return path->length > 1 ? GUIRA_FULL : GUIRA_OK;/s'
mutant interleave removes-not-counted remove.h 's/    stripe_count\(stripe, -1\);\n/    (void)stripe;\n/'

# Growth: views
mutant interleave view-not-read-again view.h 's/return word_load\(t->view, ORDER_VIEW_AFTER\) == v->word \? NOT_THERE : UNCLEAR;/(void)t; return NOT_THERE;/'
mutant interleave view-old-for-insert insert.h 's/bool filled = view_stands\(f, v\) && /bool filled = /'
mutant interleave view-old-for-insert-admitted insert.h 's/(int insert_admitted.*?)if \(view_stands\(f, v\)\)/$1if (true)/s'
mutant interleave view-old-for-path insert.h 's/int status = view_stands\(f, v\) \? fill_along\(f, v, s, path, unique\) : GO_ON;/int status = fill_along(f, v, s, path, unique);/'
mutant interleave view-old-for-remove growing.h 's/(int remove_held.*?)if \(view_stands\(f, v\)\)/$1if (true)/s'
mutant interleave view-old-for-count growing.h 's/bool stands = view_stands\(f, &v\);/bool stands = true;/'
mutant interleave view-old-for-migration migrate.c 's/if \(view_stands\(f, v\) && cursor < range\.count\)/if (cursor < range.count)/'
mutant interleave view-old-for-start growth.c 's/    if \(view_stands\(f, v\)\) \{\n(        status = have_table)/    if (true) {\n$1/'

# Growth: two tables
mutant interleave reader-skips-old-table view.h 's/    if \(matches_in\(v->from, &s->before\) != 0\) \{\n        return SEEN_BEFORE;\n    \}\n//'
mutant interleave clear-before-fill-across migrate.c 's/(void move_across[^{]*\{\n)(    fill_for_move[^;]*;\n)(    empty_after_move[^;]*;\n)/$1$3$2/'
mutant interleave fills-the-old-table insert.h 's/fill_either_window\(f, v->to, &s->now\)\)/fill_either_window(f, v->from != NULL ? v->from : v->to, v->from != NULL ? &s->before : &s->now))/'
mutant interleave limit-of-one-table insert.h 's/return unique \|\| v->from != NULL;/return unique;/'
mutant interleave count-of-the-new-table view_now.h 's/return held_copies\(v->to, &s->now\) \+ \(.*?\);/return held_copies(v->to, &s->now);/s'
mutant interleave remove-of-the-new-table growing.h 's/\(v->from != NULL && empty_either_window\(f, v->from, &s->before\)\) \|\|\s*//'
mutant history old-stripe-not-locked view_now.h 's/        add_stripes_of\(&set, v->from, &s->before\);/        (void)s;/'
mutant interleave mover-unchecked migrate.c 's/(bool mover_stands[^{]*\{)/$1 (void)f; (void)v; (void)m; return true;/'
mutant history moved-inside-another-stripe migrate.c 's/if \(home_stripe\(v, m\) != stripe \|\| \(mover_stands\(f, v, m\) && !move_home\(v, m\)\)\)/if (mover_stands(f, v, m) \&\& !move_home(v, m))/'
mutant history mover-without-its-stripe migrate.c 's/    guira__stripe_set_add\(&set, stripe_of\(v->from, m->bucket\)\);\n//g'

# Growth: cursors and the end
mutant interleave cursor-skips-unseen migrate.c 's/ &&\s*held_word\(v->from, range\.first \+ cursor\) == 0\)/)/'
mutant interleave cursor-of-another-migration cursor.h 's/return cursor - start < .*?;/(void)start; return cursor & ((UINT64_C(1) << CURSOR_BITS) - 1);/s'
mutant interleave end-a-stripe-early view.h 's/ORDER_STRIPE_EMPTIED\) == 1/ORDER_STRIPE_EMPTIED) == 2/'
mutant interleave entry-left-behind migrate.c 's/(enum progress progress = WAS_FINISHED;.*?)cursor_write\(g, v, stripe, cursor\);/$1cursor_write(g, v, stripe, cursor < range.count ? cursor + 1 : cursor);/s'

# Weak orders, as far as this machine shows them; stress/explore kills each order's mutant
mutant history completing-stores-release protocol.h 's/#define ORDER_COMPLETE_STORE memory_order_seq_cst/#define ORDER_COMPLETE_STORE memory_order_release/'
[ "$ran" -gt 0 ] || { echo "no mutant $only" && failed=1; }
exit "$failed"
