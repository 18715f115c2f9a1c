#!/bin/sh
# consume.sh WAY SOURCE WORK: build and run the consumers in the folder WORK
#
#     shared        against an installed shared library, found by CMake and by pkg-config
#     static        the same with a static library
#     subdirectory  against the source folder, added to the consumer's own build
#
# CC, CXX and CMAKE_GENERATOR choose the tools.
set -eu
way=$1 source=$2 work=$3
consumer=$source/tests/install/consumer
prefix=$work/prefix

fail() {
    echo "$1" >&2
    exit 1
}

# Installed under one name and used under another, so no path of the machine may be in it.
install_guira() {
    cmake -S "$source" -B "$work/guira" -DBUILD_SHARED_LIBS="$1" -DGUIRA_BUILD_TESTS=OFF \
        -DGUIRA_BUILD_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX="$work/first"
    cmake --build "$work/guira" --parallel 2
    cmake --install "$work/guira"
    mv "$work/first" "$prefix"
    env -u LD_LIBRARY_PATH "$prefix/bin/guira" --version || fail "the installed command does not start"
    if grep -rIF -e "$source" -e "$work" "$prefix"; then
        fail "installed files name folders of the build"
    fi
    if grep -rIE -e '-W' -e sanitize "$prefix"/lib*; then
        fail "installed packages pass on warning or sanitizer flags"
    fi
}

# What was there before stays, also in a folder of guira; of guira itself nothing does.
uninstalls_completely() {
    mkdir -p "$work/first/include"
    touch "$work/first/include/other.h"
    cmake --install "$work/guira"
    touch "$work/first/include/guira/other.h"
    cmake --build "$work/guira" --target uninstall
    left=$(cd "$work/first" && find . ! -type d | sort | tr '\n' ' ')
    [ "$left" = "./include/guira/other.h ./include/other.h " ] || fail "after uninstall: $left"

    rm "$work/first/include/guira/other.h"
    cmake --install "$work/guira"
    cmake --build "$work/guira" --target uninstall
    left=$(find "$work/first" -name '*guira*')
    [ -z "$left" ] || fail "after the second uninstall: $left"
    if cmake --build "$work/guira" --target uninstall; then
        fail "uninstalls what is not there"
    fi
}

# The preprocessor lists the headers that it opened.
headers_are_self_contained() {
    "$CC" -M -I"$prefix/include" "$consumer/consumer.c" >"$work/headers"
    grep -q guira/guira.h "$work/headers" || fail "the list of headers lacks guira.h"
    if grep -E '/(ck_|xxh)' "$work/headers"; then
        fail "guira's headers need headers of its dependencies"
    fi
}

use_by_cmake() {
    wanted=$(sed -n 's/.*_STRING "\([0-9]*\.[0-9]*\).*/\1/p' "$source/include/guira/version.h")
    cmake -S "$consumer" -B "$work/consumer" -DGUIRA_WANTED="$wanted" "$@"
    cmake --build "$work/consumer" --parallel 2
    "$work/consumer/consumer_c"
    "$work/consumer/consumer_cpp"
}

use_by_pkg_config() {
    found=$(find "$prefix" -name guira.pc)
    PKG_CONFIG_PATH=${found%/*}
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
    # pkg-config quotes for the shell that evaluates its answer.
    flags=$(pkg-config --cflags --libs "$@" guira)
    eval "\"\$CC\" -std=c11 -o \"\$work/by_pkg_config_c\" \"\$consumer/consumer.c\" $flags"
    eval "\"\$CXX\" -std=c++17 -o \"\$work/by_pkg_config_cpp\" \"\$consumer/consumer.cpp\" $flags"
    "$work/by_pkg_config_c"
    "$work/by_pkg_config_cpp"
}

# Where both libraries are installed: no shared one of guira is needed to start.
use_archive_beside_shared() {
    flags=$(pkg-config --cflags --libs-only-L guira)
    eval "\"\$CC\" -std=c11 -o \"\$work/archive_c\" \"\$consumer/consumer.c\" $flags \
        -l:libguira.a -lm"
    for program in "$work/archive_c" "$work/consumer/consumer_archive"; do
        if ldd "$program" | grep libguira; then
            fail "$program is linked with the shared library"
        fi
        env -u LD_LIBRARY_PATH "$program"
    done
}

rm -rf "$work"
mkdir -p "$work"
case $way in
shared)
    install_guira ON
    headers_are_self_contained
    use_by_cmake -DCMAKE_PREFIX_PATH="$prefix"
    use_by_pkg_config
    use_archive_beside_shared
    uninstalls_completely
    ;;
static)
    install_guira OFF
    headers_are_self_contained
    use_by_cmake -DCMAKE_PREFIX_PATH="$prefix"
    use_by_pkg_config --static
    ;;
subdirectory)
    use_by_cmake -DGUIRA_SOURCE="$source"
    [ ! -e "$work/consumer/guira/tests" ] || fail "guira's tests are part of a consumer's build"
    ;;
*) fail "unknown way: $way" ;;
esac
