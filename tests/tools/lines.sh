#!/bin/sh
# Which bytes are a key: every one between two delimiters, and nothing else.
# shellcheck disable=SC2002 # pipes are meant
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

# check NAME: each line of the file is found, the output is the file, and threads keep the order.
check() {
    "$guira" build -s 1 -p 1e-6 "$1.guira" "$1"
    for threads in 1 2 5 16; do
        "$guira" query -j $threads "$1.guira" "$1" >found || wrong "$1 is not found"
        same "$1" found
        cat "$1" | "$guira" query -j $threads "$1.guira" >found || wrong "$1 is not found by pipe"
        same "$1" found
    done
}

seq 300000 >many
check many
seq 300000 | tac >backwards
"$guira" query -j 8 many.guira backwards >found
same backwards found
cat many | "$guira" build -s 1 -n 300k piped.guira
"$guira" query -c piped.guira many >found
echo 300000 | cmp - found || wrong 'keys of a pipe are not found'

# Standard input that is a file is counted, too, from where it is.
"$guira" build -s 1 redirected.guira <many
expect 1 "$guira" query -a redirected.guira many
{
    read -r first
    "$guira" build -s 1 -p 1e-6 redirected.guira
} <many
tail -n +2 many >rest
expect 1 "$guira" query -a redirected.guira rest
echo "$first" >found
expect 1 "$guira" query redirected.guira found

# An empty line is a key, and no line is none.
printf '\n' >empty
check empty
expect 1 "$guira" query empty.guira /dev/null
printf '\n\na\n\n' | "$guira" query -c empty.guira >found
echo 3 | cmp - found || wrong 'not each empty line is found'
: >nothing
"$guira" build -s 1 -p 1e-6 nothing.guira nothing
expect 1 "$guira" query nothing.guira empty

# The last line counts without newline, and gets one in the output.
printf 'one\ntwo' >unended
"$guira" build -s 1 -p 1e-6 unended.guira unended
printf 'two\none\n' | "$guira" query unended.guira >found
printf 'two\none\n' | cmp - found || wrong 'the line without newline is not found'
"$guira" query unended.guira unended >found
printf 'one\ntwo\n' | cmp - found || wrong 'the line without newline is not printed with one'
# ... also where a second file begins.
printf 'three\n' >third
"$guira" build -s 1 -p 1e-6 both.guira unended third
printf 'twothree\ntwo\nthree\n' | "$guira" query both.guira >found
printf 'two\nthree\n' | cmp - found || wrong 'lines of two files run together'
printf 'three\n' | "$guira" query both.guira unended - >found
printf 'one\ntwo\nthree\n' | cmp - found || wrong 'a file and standard input are not both read'

# All bytes, NUL and carriage return among them.
i=0
while [ $i -lt 256 ]; do
    # shellcheck disable=SC2059
    [ $i -eq 10 ] || printf "<\\$(printf %03o $i)>\n"
    i=$((i + 1))
done >bytes
[ "$(wc -c <bytes)" -eq 1020 ] || wrong 'this test does not make 255 lines'
check bytes
printf '<\n<>\n' >halves
expect 1 "$guira" query bytes.guira halves

# NUL-separated: newlines are bytes of a key.
printf 'a\nb\0c\0\0last' >nul
"$guira" build -s 1 -z -p 1e-6 nul.guira nul
printf 'last\0\0a\nb\0c\0b\0' | "$guira" query -z nul.guira >found
printf 'last\0\0a\nb\0c\0' | cmp - found || wrong 'NUL-separated keys are not found'

# Lines longer than a read, and than a pipe.
awk 'BEGIN { for (n = 0; n < 23; n++) { s = "x"; for (i = 0; i < n; i++) s = s s; print s
             print s "y" } }' >long
check long
tr -d '\n' <long >longest
check_longest=$(wc -c <longest)
"$guira" build -s 1 -p 1e-6 longest.guira longest
cat longest | "$guira" query longest.guira | wc -c >found
echo $((check_longest + 1)) | cmp - found || wrong 'the longest line is not printed whole'

# What is compressed is named, for each program that is here.
seq 100 >plain
for program in gzip xz zstd bzip2; do
    command -v $program >/dev/null || continue
    $program -c plain >packed
    expect 0 "$guira" build -s 1 packed.guira plain packed
    says 'packed is compressed'
    says 'cat FILE | guira'
    expect 0 "$guira" build -q -s 1 packed.guira plain packed
    [ ! -s err ] || wrong "build -q warns: $(cat err)"
    "$guira" build -s 1 packed.guira - 2>err <packed
    says 'standard input is compressed'
done
expect 0 "$guira" build -s 1 packed.guira plain
[ ! -s err ] || wrong "a warning of plain lines: $(cat err)"

# Lines that come slowly are answered when they come.
mkfifo ask answer
"$guira" query many.guira <ask >answer &
exec 3>ask 4<answer
for line in 7 70 299999; do
    echo $line >&3
    read -r said <&4
    [ "$said" = $line ] || wrong "asked for $line, heard $said"
done
exec 3>&-
wait $! || wrong 'query ends badly'
exec 4<&-
