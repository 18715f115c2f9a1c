#!/bin/sh
# The status of each command for each kind of end, and messages that say what to do.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

seq 1000 >keys
seq 2001 3000 >others
commands='build query add remove merge info verify size'

# Help, and mistakes that all commands know.
expect 2 "$guira"
says 'Usage: guira COMMAND'
expect 0 "$guira" --help
for command in $commands; do
    grep -q "^  $command " out || wrong "--help does not name $command"
done
expect 0 "$guira" --version
grep -q '^guira [0-9]*\.[0-9]*\.[0-9]*$' out || wrong "version: $(cat out)"
expect 2 "$guira" biuld
says 'guira --help'
for command in $commands; do
    expect 0 "$guira" "$command" --help
    grep -q "^Usage: guira $command " out || wrong "no usage of $command"
    [ ! -s err ] || wrong "$command --help says something on standard error"
    expect 2 "$guira" "$command"
    says "guira $command --help"
    expect 2 "$guira" "$command" --no-such-option x
    says "guira $command --help"
done
expect 2 "$guira" info one two
says "'two' is one operand too many"

# build
expect 0 "$guira" build -s 1 set.guira keys
[ ! -s out ] || wrong 'build prints something'
[ ! -s err ] || wrong 'build says something'
expect 0 "$guira" build -s 1 -v set.guira keys
says '1,000 lines'
for threads in 0 -1 +4 4x '' 1025 99999999999999999999 1e3 ' 4'; do
    expect 2 "$guira" build "-j$threads" x.guira keys
    says 'threads'
done
for threads in 1 2 3 7 64 1024; do
    expect 0 "$guira" build --threads=$threads x.guira keys
    expect 0 "$guira" query -c -j $threads x.guira keys
    [ "$(cat out)" = 1000 ] || wrong "-j $threads: $(cat out) of 1000 found"
done
for rate in 0 1 -0.5 nan 100% 0% 1.5 x 0,01 0.01x; do
    expect 2 "$guira" build -p "$rate" y.guira keys
    says 'rate'
done
for capacity in 0 -5 x 1e6 1KB 20000000T; do
    expect 2 "$guira" build -n "$capacity" y.guira keys
    says 'capacity'
done
for seed in 0 -1 x 0x 0x-1 18446744073709551616; do
    expect 2 "$guira" build -s "$seed" y.guira keys
    says 'seed'
done
expect 2 "$guira" build -n 2k -m 1k y.guira keys
expect 2 "$guira" build -n 100 y.guira keys
says '--capacity'
expect 2 "$guira" build -n 18446744073709551615 y.guira keys
says 'guira size'
expect 2 "$guira" build -l set.guira -n 5 y.guira keys
[ ! -e y.guira ] || wrong 'a build that failed left a file'
yes same | head -n 50 >many
expect 0 "$guira" build y.guira many
expect 2 "$guira" build -k y.guira many
says '--copies'
rm y.guira x.guira many

# query
expect 0 "$guira" query set.guira keys
same out keys
expect 1 "$guira" query -a set.guira keys
[ ! -s out ] || wrong 'a key is absent'
expect 0 "$guira" query -a set.guira others
expect 0 "$guira" query -q set.guira keys
[ ! -s out ] || wrong 'query -q prints something'
expect 1 "$guira" query -q -a set.guira keys
expect 1 "$guira" query set.guira /dev/null
expect 1 "$guira" query -c set.guira /dev/null
[ "$(cat out)" = 0 ] || wrong 'query -c of nothing is not 0'
expect 0 "$guira" query -A set.guira keys
cut -f 2 out | cmp - keys || wrong 'query -A does not print all lines'
expect 2 "$guira" query -A -c set.guira keys
expect 2 "$guira" query none.guira keys
says 'No such file'
expect 2 "$guira" query keys keys
says 'guira build'
expect 2 "$guira" query - - <set.guira
says 'standard input'

# verify, info, size
expect 0 "$guira" verify set.guira set.guira
expect 1 "$guira" verify set.guira keys
expect 1 "$guira" verify -q keys
[ ! -s out ] || wrong 'verify -q prints something'
expect 2 "$guira" verify none.guira
expect 2 "$guira" verify none.guira keys set.guira
says 'none.guira: No such file'
grep -q '^keys: this is no saved filter' out || wrong 'verify stops at a file that is not there'
grep -q '^set.guira: whole' out || wrong 'verify stops at a file that is not there'
expect 0 "$guira" info set.guira
expect 0 "$guira" info -M set.guira
expect 0 "$guira" info --json set.guira
expect 2 "$guira" info keys
expect 0 "$guira" size 10M
expect 0 "$guira" size 1
expect 0 "$guira" size -J -p 0.1% 1G
expect 2 "$guira" size ten
expect 2 "$guira" size 0
expect 2 "$guira" size 18000000T
only keys others set.guira
