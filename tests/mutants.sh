#!/bin/sh
# Plant faults in saving, loading, mapping, cloning and merging, one at a time, and see that the test
# that is named for each fails.
#
#     mutants.sh [NAME]
#
# NAME picks one fault. What stress/mutants.sh plants needs threads; what is planted here needs none,
# so each fault is one file of lib/ compiled again, linked with one program of tests/. Needs cc,
# pkg-config, cmocka and perl. A line a fault; fails if a test passes all the same, or if an edit no
# longer applies.
# shellcheck disable=SC2016 # the edits are for perl to expand
set -eu
only=${1:-all}
source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
compiler=${CC:-cc}
cmocka=$(pkg-config --cflags --libs cmocka)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0
cd "$work"
mkdir lib support

# compile FILE OBJECT: a file of the library or of a test
compile() {
    set_for_tests=
    case $1 in
    "$source"/tests/*) set_for_tests=-D_DEFAULT_SOURCE ;; # as in tests/CMakeLists.txt
    esac
    "$compiler" -O1 -std=c11 $set_for_tests -pthread -I"$source/include" -I"$source/lib" \
        -I"$source/tests/support" -c "$1" -o "$2"
}

# The functions that a test has sent through it, as tests/CMakeLists.txt says.
wraps() {
    tr '\n' ' ' <"$source/tests/CMakeLists.txt" |
        sed -nE "s/.*guira_test\($1 ([^)]*)WRAP ([^)]*)\).*/\2/p" |
        tr -s ' ' '\n' | sed -n 's/./-Wl,--wrap=&/p'
}

# link TEST LIB_FOLDER: a program `test` of that test, with the library's objects in that folder
link() {
    [ -e "test_$1.o" ] || compile "$source/tests/test_$1.c" "test_$1.o"
    extra=
    [ "$1" != faults ] || extra=faults.o
    # shellcheck disable=SC2046,SC2086 # lists of words
    "$compiler" -pthread $(wraps "$1") -o test "test_$1.o" $extra support/*.o "$2"/*.o $cmocka -lm
}

# fault NAME FILE TEST CASE PERL-EXPRESSION: the expression edits the whole file at once; then that
# case of that test must fail.
fault() {
    name=$1 file=$2 test=$3 case=$4 edit=$5
    [ "$only" = all ] || [ "$only" = "$name" ] || return 0
    cp "$source/lib/$file" mutated.c
    perl -0pi -e "$edit" mutated.c
    rm -rf mutated
    cp -r lib mutated
    if cmp -s "$source/lib/$file" mutated.c; then
        verdict='the edit does not apply any more'
    elif ! compile mutated.c "mutated/${file%.c}.o" || ! link "$test" mutated; then
        verdict='does not compile'
    elif timeout 300 ./test >out 2>&1; then
        verdict="survived test_$test"
    elif grep -q "FAILED  \] $case\$" out; then
        verdict=caught
    else
        verdict="test_$test failed, but not by $case"
    fi
    echo "$name: $verdict"
    [ "$verdict" = caught ] || failed=1
}

for file in "$source"/lib/*.c; do
    compile "$file" "lib/$(basename "$file" .c).o"
done
for file in "$source"/tests/support/*.c; do
    case ${file##*/} in
    faults.c) compile "$file" faults.o ;;
    probe_multiply.c) ;;
    *) compile "$file" "support/$(basename "$file" .c).o" ;;
    esac
done

# Snapshots
fault snapshot-without-locks snapshot.c snapshot the_count_is_taken_while_locks_are_held 's/    guira__(un)?lock_all[^\n]*\n//g'
fault count-after-the-unlock snapshot.c snapshot the_count_is_taken_while_locks_are_held 's/(    [^\n]*guira__item_sum[^\n]*\n)(    guira__unlock_all[^\n]*\n)/$2$1/'

# Merging
fault refused-entries-not-struck merge.c merge a_merge_that_does_not_fit_changes_nothing 's/            \*block->word\[i\] &= [^\n]*\n//'
fault all-is-taken-back merge.c merge a_merge_past_the_limit_changes_nothing 's/(take_back\(into, &s->of.table\[i\]->geometry, &s->copy\[i\]), end\[i\]\)/$1, s->of.table[i]->geometry.buckets)/'
fault nothing-is-taken-back merge.c merge a_merge_that_does_not_fit_changes_nothing 's/(take_back\(into, &s->of.table\[i\]->geometry, &s->copy\[i\]), end\[i\]\)/$1, 0 * end[i])/'

fault blocks-too-large-for-the-stack merge.c stack every_call_keeps_to_the_stack_that_is_promised 's/BLOCK = 256/BLOCK = 600/'

# Checks of what is loaded
fault largest-tag-off-by-one words.c hostile words_that_no_filter_has_are_refused 's/(largest_tag = [^;]*)\* shape_of\(g\)->offsets;/$1* shape_of(g)->offsets + 1;/'
fault unused-bits-unchecked words.c hostile words_that_no_filter_has_are_refused 's/word & ~\(shape_of/word \& 0 * (shape_of/'
fault length-not-looked-at load.c file a_file_that_is_too_short_costs_no_memory 's/(check_length\(const struct source \*source, uint64_t length\) \{)/$1 (void)source; (void)length; return GUIRA_OK;/'
fault walks-over-unverified-words map.c map bad_words_are_refused_by_whatever_walks_over_them 's/return is_verified \? GUIRA_OK : guira_verify\(f\);/(void)is_verified; return GUIRA_OK;/'
fault verified-once-and-for-all map.c map a_file_that_was_put_right_is_verified_again 's/status == GUIRA_OK, memory_order_relaxed/1, memory_order_relaxed/'

# Two tables
fault view-not-read-again snapshot.c middle_copies a_snapshot_is_of_the_tables_in_use_when_the_locks_are_held 's/stands = guira__view\(f\)\.word == s->of\.view\.word/stands = true/'
fault seen-in-the-old-table visit.c middle_walks what_is_moved_from_table_to_table_meanwhile_is_visited 's/\(\(is_old && copies_in/((!is_old && copies_in/'
fault walk-ends-with-its-view visit.c middle_walks a_visit_goes_on_to_tables_that_appear_meanwhile 's/(if \(to < \*turn)\)/$1 || *turn > 0)/'
fault copies-fit-unchecked words.c middle_walks an_element_with_more_copies_than_one_table_holds_is_invariant_6 's/(2 \* g->shape\.window_slots)/2 * $1/'
fault only-one-table-taken-back merge.c middle_copies a_merge_past_the_limit_takes_back_what_is_of_both_tables 's/(s->of\.tables && status != GUIRA_OK)/$1 \&\& i < 1/'
fault one-table-under-the-limit load.c middle_files the_limit_of_bytes_is_for_both_tables 's/max_table_bytes != 0 && words >/max_table_bytes != 0 && (h->buckets << h->level) >/'
fault fingerprints-not-halved format.c middle_files levels_that_there_cannot_be_are_refused 's/h->fingerprints % \(UINT64_C/0 * (UINT64_C/'
fault highest-level-unchecked load.c middle_files levels_beyond_all_addresses_are_too_large 's/status == GUIRA_OK && h->levels > 0/false/'
fault no-stripe-left-to-empty create.c middle_copies a_clone_is_in_mid_growth_and_goes_on_by_itself 's/word_store\(&g->unfinished, stripes,/word_store(&g->unfinished, 2 * (uint64_t)stripes,/'

# A growth that stands still
fault nothing-behind-what-stays migrate.c growth_stages entries_without_room_stay_and_are_found 's/return passed < left \? passed : 0;/return 0 * (passed + left);/'
fault newcomers-take-the-room growth.c growth_stages nobody_takes_the_room_of_entries_that_wait 's/(guira__is_blocked[^{]*\{)/$1 return false;/'

# Replacing a file
fault file-not-flushed replace.c faults the_file_is_flushed_before_it_is_renamed_and_the_folder_after 's/if \(flush\(r->file\) != 0\)/if (false)/'
fault folder-not-flushed replace.c faults the_file_is_flushed_before_it_is_renamed_and_the_folder_after 's/flush\(r->folder\) != 0/false/'
fault permissions-of-a-new-file replace.c replace a_new_file_has_the_permissions_of_the_one_it_replaces 's/fchmod\(r\.file, \(mode_t\)permissions\) != 0/false/'
fault one-temporary-for-all replace.c replace savers_of_one_path_replace_each_other_whole 's/O_CREAT \| O_EXCL/O_CREAT/; s/\(unsigned long long\)number\);/(unsigned long long)(number & 0));/'

# Without a fault they pass, so it was the fault that they noticed.
for object in test_*.o; do
    test=${object#test_}
    test=${test%.o}
    if ! link "$test" lib || ! timeout 300 ./test >out 2>&1; then
        echo "test_$test fails without a fault too"
        failed=1
    fi
done
exit "$failed"
