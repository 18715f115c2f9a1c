#!/bin/sh
# Part of check.sh: what can be seen of the packages without installing them.
# shellcheck disable=SC2154 # variables of check.sh
# shellcheck disable=SC2086 # lists of files

# The version is stated once; here is where it shows.
versions_agree() {
    top=$(sed -n '/^## \[/{s/^## \[\(.*\)\].*/\1/p;q}' "$source/CHANGELOG.md")
    if [ "$top" = Unreleased ]; then
        top=$(sed -n 's/^To be \([0-9.]*[0-9]\)\.$/\1/p' "$source/CHANGELOG.md" | head -n 1)
    fi
    same_version CHANGELOG.md "$top"
    for package in $packages; do
        packaged=$(field "$package" Version)
        same_version "$package" "${packaged%-*}"
    done
    same_version guira.pc "$(pkg-config --modversion "$library_dir/pkgconfig/guira.pc")"
    same_version "guira --version" \
        "$(LD_LIBRARY_PATH=$library_dir "$tree/usr/bin/guira" --version | sed 's/guira //')"
    numbers=$(sed -n 's/^#define GUIRA_VERSION_[MP][A-Z]* //p' "$source/include/guira/version.h")
    same_version "version.h by its numbers" "$(echo "$numbers" | tr '\n' . | sed 's/\.$//')"
}

# same_version WHERE WHAT
same_version() {
    [ "$2" = "$version" ] || fail "$1 says version $2, version.h says $version"
}

# Suppressed: initial-upload-closes-no-bugs, as these packages close no bug in Debian's tracker.
lintian_is_content() {
    lintian --allow-root --display-info --pedantic --suppress-tags initial-upload-closes-no-bugs \
        --fail-on error,warning,info,pedantic $packages || fail "lintian is not content"
}

contents_are_right() {
    soname=$(objdump -p "$library_dir"/libguira.so | sed -n 's/ *SONAME *//p')
    [ "$library_name" = "libguira${soname#libguira.so.}" ] || fail "$library_name has $soname"
    depends_on "$tools" "$library_name (>= $version)"
    depends_on "$development" "$library_name (= $(field "$library" Version))"

    dpkg-deb --control "$library" "$work/control"
    sed -n 's/^ \([^@]*\)@Base [0-9.]*$/\1/p' "$work/control/symbols" |
        diff "$source/tests/symbols/exported.txt" - || fail "the symbols file lists others"
    grep -qx 'activate-noawait ldconfig' "$work/control/triggers" || fail "no trigger for ldconfig"
    for man in "$tree"/usr/share/man/man1/*; do
        gzip -t "$man" || fail "not compressed: $man"
    done
    for file in docs/growth.md docs/guide/start.md docs/picture.html examples/cache/service.c; do
        cmp "$source/$file" "$tree/usr/share/doc/libguira-dev/$file" || fail "no $file"
    done
    grep -qx 'prefix=/usr' "$library_dir/pkgconfig/guira.pc" || fail "guira.pc is not for /usr"
}

# depends_on PACKAGE WORDS
depends_on() {
    case ", $(field "$1" Depends)," in
    *", $2,"*) ;;
    *) fail "$1 does not depend on $2" ;;
    esac
}

# As in C and in C++, found by pkg-config and by CMake, with the shared library and the static one.
programs_compile_and_run() {
    consumer=$source/tests/install/consumer
    PKG_CONFIG_PATH=$library_dir/pkgconfig
    LD_LIBRARY_PATH=$library_dir
    PKG_CONFIG_SYSROOT_DIR=$tree # as guira.pc names /usr
    export PKG_CONFIG_PATH LD_LIBRARY_PATH PKG_CONFIG_SYSROOT_DIR
    flags=$(pkg-config --cflags --libs guira)
    headers=$(pkg-config --cflags guira)
    eval "gcc -std=c11 -o \"\$work/shared_c\" \"\$consumer/consumer.c\" $flags"
    eval "g++ -std=c++17 -o \"\$work/shared_cpp\" \"\$consumer/consumer.cpp\" $flags"
    eval "gcc -std=c11 -o \"\$work/static_c\" \"\$consumer/consumer.c\" $headers \
        \"\$library_dir/libguira.a\" -lm"
    cmake -S "$consumer" -B "$work/consumer" -D CMAKE_PREFIX_PATH="$tree/usr" \
        -D GUIRA_WANTED="${version%.*}" \
        -D CMAKE_C_COMPILER=gcc -D CMAKE_CXX_COMPILER=g++ >"$work/cmake.log"
    cmake --build "$work/consumer" >>"$work/cmake.log"
    for program in shared_c shared_cpp consumer/consumer_c consumer/consumer_cpp; do
        ldd "$work/$program" | grep -q "=> $library_dir/$soname" ||
            fail "$program is not linked with the package's library"
        "$work/$program" || fail "$program fails"
    done
    unset LD_LIBRARY_PATH
    "$work/static_c" || fail "static_c fails"
}
