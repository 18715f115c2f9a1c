#!/bin/sh
# add, remove, merge: what goes in and out, families of filters, and several commands at once.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

seq 1 1000 >a
seq 1001 2000 >b
cat a b >both

# has FILTER FILE: each line is found.
has() {
    expect 1 "$guira" query -a "$1" "$2"
}

# size_is FILTER N
size_is() {
    "$guira" info -J "$1" >out
    grep -q "\"keys\": $2," out || wrong "$1 has not $2 keys: $(cat out)"
}

"$guira" build -k -n 20000 -p 0.001 -s 5 set.guira a
"$guira" add -k set.guira b
has set.guira both
size_is set.guira 2000
# Copies compete for few slots, so there is room for many more keys.
"$guira" add -k -o copy.guira set.guira a
size_is set.guira 2000
size_is copy.guira 3000
head -n 1 a | "$guira" query -A copy.guira >out
printf '2\t1\n' | cmp - out || wrong 'the copies are not counted'
"$guira" add copy.guira a b
size_is copy.guira 3000

expect 2 "$guira" remove set.guira a
says '--copies'
size_is set.guira 2000
expect 0 "$guira" remove -k set.guira a
has set.guira b
size_is set.guira 1000
expect 1 "$guira" query set.guira a
expect 1 "$guira" remove -k -o copy.guira set.guira both
says 'guira remove: 1,000 lines were not in the filter'
expect 1 "$guira" remove -kq set.guira both
[ ! -s err ] || wrong 'remove -q says something'
size_is set.guira 0

# Families.
"$guira" build -n 20000 -p 0.001 -s 7 one.guira a
"$guira" build --like one.guira two.guira b
size_is two.guira 1000
"$guira" build -n 20000 -p 0.001 -s 8 stranger.guira b
cp one.guira before
expect 2 "$guira" merge one.guira two.guira stranger.guira
says '--like'
same one.guira before
"$guira" merge -o sum.guira one.guira two.guira
same one.guira before
has sum.guira both
size_is sum.guira 2000
"$guira" merge sum.guira one.guira two.guira
size_is sum.guira 2000
"$guira" merge -k sum.guira one.guira
size_is sum.guira 3000
"$guira" build -l one.guira - b | "$guira" merge -o - one.guira - | "$guira" query -c - both >out
[ "$(cat out)" = 2000 ] || wrong 'filters through pipes are not merged'

# More than it was made for, while it fits.
"$guira" build -n 1000 -s 9 crowd.guira a
seq 1001 1030 >few
expect 0 "$guira" add -o more.guira crowd.guira few
says ' keys in a filter for 1,000: its rate is '
expect 0 "$guira" add -q -o more.guira crowd.guira few
[ ! -s err ] || wrong 'add -q says something'
expect 0 "$guira" build -n 1000 -s 9 more.guira a few
says ' keys in a filter for 1,000: its rate is '
expect 0 "$guira" build --like crowd.guira few.guira few
[ ! -s err ] || wrong 'a warning without reason'
expect 0 "$guira" merge -o more.guira crowd.guira few.guira
says ' keys in a filter for 1,000: its rate is '
expect 0 "$guira" merge -qo more.guira crowd.guira few.guira
[ ! -s err ] || wrong 'merge -q says something'
rm crowd.guira more.guira few few.guira

# Too much, and then all is as it was.
seq 10000 >much
"$guira" build -n 2000 -s 7 full.guira a
cp full.guira before
expect 2 "$guira" add full.guira much
says '--capacity'
says '--max-capacity'
same full.guira before
"$guira" build -n 10000 -s 7 other.guira much
expect 2 "$guira" merge full.guira other.guira
same full.guira before

# Several at once: no key of any is lost.
"$guira" build -n 20000 -p 1e-6 -s 1 shared.guira /dev/null
for i in 1 2 3 4 5 6 7 8; do
    seq $((1000 * i)) $((1000 * i + 999)) >part$i
    "$guira" add shared.guira part$i &
done
wait
cat part? >much
has shared.guira much
rm part?
only a b both set.guira copy.guira one.guira two.guira stranger.guira before sum.guira much \
    full.guira other.guira shared.guira
