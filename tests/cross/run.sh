#!/bin/sh
# run.sh FOLDER: compile the library and most of its tests for machines that differ from this one in
# word size, byte order or memory order, and run them under qemu. Then let all of them write files,
# and each read those of each.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$1
machines='aarch64 arm s390x'

# Tests that take minutes under qemu, that fork, or that have nothing to do with the machine.
left_out='promise|rate|growth_model|growth_threads|kernel|keys|options|sizing|guard|merge|fork|interleave|labels.*|faults_name_tests'
# Tests of mapping, where guira_map_file loads the file (guira/file.h).
left_out_unmapped='map|compatible|faults|middle_files'

rm -rf "$work/headers" "$work/files"
mkdir -p "$work/headers" "$work/files"
# Never /usr/include itself: its other headers are this machine's.
ln -s /usr/include/ck_*.h /usr/include/gcc /usr/include/spinlock /usr/include/xx*.h \
    "$work/headers"
ln -sf "$root/tests/cross/foreign/ck_md.h" "$work/headers"

# configure NAME [CMAKE ARGUMENTS]
configure() {
    name=$1
    shift
    cmake -S "$root" -B "$work/$name" -G Ninja -D CMAKE_BUILD_TYPE=Debug \
        -D CMAKE_C_FLAGS_DEBUG="-O1 -DSLOWDOWN=100" -D GUIRA_WERROR=ON \
        -D GUIRA_BUILD_EXAMPLES=OFF -D GUIRA_INSTALL=OFF "$@" >"$work/$name.log"
}

# run_tests FOLDER [CTEST ARGUMENTS]: and build first just those programs
run_tests() {
    folder=$1
    shift
    programs=$(ctest --test-dir "$folder" -N "$@" |
        sed -n -e 's/^ *Test *#[0-9]*: \([a-z_]*\)$/test_\1/p' -e 's/.*: fuzz\./fuzz_/p')
    # shellcheck disable=SC2086 # a list of words
    cmake --build "$folder/.." --target exchange $programs
    ctest --test-dir "$folder" -j"$(nproc)" --output-on-failure --no-tests=error --timeout 60 "$@"
}

# exchange NAME write|read FOLDER: on that machine
exchange() {
    program=$work/$1/tests/cross/exchange
    case $1 in
    native) "$program" "$2" "$3" ;;
    arm) "qemu-$1" -L /usr/arm-linux-gnueabihf "$program" "$2" "$3" ;;
    *) "qemu-$1" -L "/usr/$1-linux-gnu" "$program" "$2" "$3" ;;
    esac
}

echo "== native"
configure native
cmake --build "$work/native" --target exchange
for machine in $machines; do
    echo "== $machine"
    configure "$machine" --toolchain "$root/tests/cross/toolchain.cmake" \
        -D GUIRA_MACHINE="$machine" -D GUIRA_HEADERS="$work/headers"
    case $machine in
    aarch64) not_here=$left_out ;;
    *) not_here="$left_out|$left_out_unmapped" ;;
    esac
    run_tests "$work/$machine/tests" -LE 'install|symbols' -E "^($not_here)\$"
done

for writer in native $machines; do
    mkdir "$work/files/$writer"
    exchange "$writer" write "$work/files/$writer"
done
for writer in native $machines; do
    for reader in native $machines; do
        echo "== $reader reads the files of $writer"
        exchange "$reader" read "$work/files/$writer"
    done
done
