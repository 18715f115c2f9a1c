#!/bin/sh
# Count the instructions of single calls and of small batches, with valgrind, which counts the same
# in each run; print them as a table in Markdown beside their budgets.
#
#     count.sh GUIRA_CALLS
#
# A figure is the difference of two runs, of so many keys and twice as many, for each key; the
# caller's loop is in it. Valgrind has no AVX-512, so batches are the scalar ones. A figure over its
# budget is marked. The budgets are for gcc 12 on x86-64, with some 3 % to spare; CI keeps to them.
set -eu
calls=$1
keys=4096
rates='0.03 0.01 0.001 0.0001'

instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 |
        awk '/Collected/ { print $4 }'
}

per_key() {
    once=$(instructions "$calls" "$1" "$2" $keys)
    twice=$(instructions "$calls" "$1" "$2" $((2 * keys)))
    echo $(((twice - once) / keys))
}

# row CALL BUDGET WHAT: a line of the table
row() {
    line="| $3 |"
    for rate in $rates; do
        figure=$(per_key "$1" "$rate")
        if [ "$figure" -gt "$2" ]; then
            figure="$figure (over)"
        fi
        line="$line $figure |"
    done
    echo "$line $2 |"
}

echo '## Instructions a key'
echo
echo 'Counted by valgrind, with the loop that calls; filters half full, inserts from empty to half.'
echo 'Batches without AVX-512.'
echo
echo '| call | 3 % | 1 % | 0.1 % | 0.01 % | budget |'
echo '|---|---|---|---|---|---|'
row hit 132 'look-up of an integer, hit'
row miss 139 'look-up of an integer, miss'
row hit-uniform 118 'look-up of a uniform hash, hit'
row insert 160 'insert'
row insert-unique 490 'insert_unique'
row remove 135 'remove'
row count 337 'count'
row hit:1 161 'look-up, batch of 1'
row hit:2 154 'batch of 2'
row hit:4 146 'batch of 4'
row hit:8 140 'batch of 8'
row hit:256 150 'batch of 256'
row insert:1 192 'insert, batch of 1'
row insert:8 172 'batch of 8'
row insert:256 196 'batch of 256'
row remove:256 172 'remove, batch of 256'
