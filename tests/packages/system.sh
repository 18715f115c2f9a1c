#!/bin/sh
# Part of check.sh: a system of its own, in which packages are installed, upgraded and removed.
# shellcheck disable=SC2034,SC2154 # variables of check.sh
# shellcheck disable=SC2086 # lists of files and names

# Only packages without which Debian does not work: dpkg is one, apt is not.
make_system() {
    system=$work/system
    if [ "$(id -u)" -ne 0 ]; then
        empty_system "only root can make a clean Debian"
    elif ! command -v mmdebstrap >/dev/null; then
        empty_system "mmdebstrap is not installed"
    elif clean_debian >"$work/mmdebstrap.log" 2>&1; then
        kind_of_system="in a clean Debian"
    else
        tail -n 5 "$work/mmdebstrap.log"
        rm -rf --one-file-system "$system"
        empty_system "mmdebstrap fails"
    fi
}

# From where this machine has its own packages.
clean_debian() {
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    set --
    for mirrors in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources; do
        [ ! -s "$mirrors" ] || set -- "$@" "$mirrors"
    done
    timeout 300 mmdebstrap --mode=root --variant=essential "$release" "$system" "$@"
}

# empty_system WHY: a folder with nothing but dpkg's lists. Dependencies and triggers cannot be kept.
empty_system() {
    echo "NOT IN A CLEAN DEBIAN, as $1: packages go into an empty folder"
    kind_of_system="in an empty folder, not in a clean Debian"
    mkdir -p "$system/var/lib/dpkg/updates" "$system/var/lib/dpkg/info" "$system/tmp"
    touch "$system/var/lib/dpkg/status"
}

is_clean_debian() {
    [ "$kind_of_system" = "in a clean Debian" ]
}

# dpkg ARGUMENTS: dpkg of the system. In the empty folder one who is not root only pretends to own
# the files.
dpkg_there() {
    if is_clean_debian; then
        chroot "$system" dpkg "$@"
    else
        fakeroot dpkg --root="$system" --force-not-root --force-depends --force-script-chrootless \
            --log="$work/dpkg.log" "$@"
    fi
}

# there COMMAND ARGUMENTS: run a command of guira in the system's folder tmp
there() {
    if is_clean_debian; then
        chroot "$system" env -C /tmp "$@"
    else
        command=$1
        shift
        (cd "$system/tmp" &&
            LD_LIBRARY_PATH="$system${library_dir#"$tree"}" "$system/usr/bin/$command" "$@")
    fi
}

# Names of all files but dpkg's own lists, logs, and what ldconfig writes.
list_system() {
    find "$system" -path "$system/var/lib/dpkg" -prune -o -path "$system/var/log" -prune -o \
        -path "$system/var/cache/ldconfig" -prune -o -path "$system/etc/ld.so.cache" -prune -o \
        -print | sort
}

remove_system() {
    rm -rf --one-file-system "$system"
}

# put PACKAGE...: copy packages to where dpkg of the system finds them, and set `put` to their names
put() {
    put=
    rm -rf "$system/tmp/packages"
    mkdir "$system/tmp/packages"
    cp "$@" "$system/tmp/packages"
    for package in "$@"; do
        if is_clean_debian; then
            put="$put /tmp/packages/${package##*/}"
        else
            put="$put $system/tmp/packages/${package##*/}"
        fi
    done
}

refuses_without_library() {
    is_clean_debian || return 0
    put "$tools"
    if dpkg_there --install $put >"$work/refused" 2>&1; then
        fail "guira-tools installs without its library"
    fi
    grep -q "depends on $library_name" "$work/refused" || fail "guira-tools does not install"
    dpkg_there --purge guira-tools
}

# older PACKAGE: the same as of an earlier version, whose library file has another name
older() {
    folder=$work/older/$(field "$1" Package)
    mkdir -p "$work/older"
    dpkg-deb --raw-extract "$1" "$folder"
    rm "$folder/DEBIAN/md5sums"
    sed -i "/^Version:\|^Depends:/s/\([ (]\)$version/\1$version~before/" "$folder/DEBIAN/control"
    for file in "$folder"/usr/lib/*/"libguira.so.$version"; do
        [ -e "$file" ] || continue
        mv "$file" "$file~before"
        ln -sf "libguira.so.$version~before" "${file%/*}/$soname"
    done
    dpkg-deb --root-owner-group --build "$folder" "$folder.deb" >>"$work/older.log"
}

install_old_packages() {
    for package in $packages; do
        older "$package"
    done
    put "$work"/older/*.deb
    dpkg_there --install $put
    installed_are "$version~before"
    [ -e "$system${library_dir#"$tree"}/libguira.so.$version~before" ] || fail "no older library"
    seq 1000 >"$system/tmp/keys"
    there guira build old.guira keys
}

# installed_are VERSION: of all three
installed_are() {
    for name in $names; do
        state=$(dpkg_there --status "$name" | sed -n 's/^Status: //p; s/^Version: //p' | tr '\n' ' ')
        case $state in
        "install ok installed $1-"*) ;;
        *) fail "$name is: $state" ;;
        esac
    done
    changed=$(dpkg_there --verify $names)
    [ -z "$changed" ] || fail "installed files differ from the packages': $changed"
}

# works VERSION: build, ask and look at a filter; read the one that the older package made
works() {
    [ "$(there guira --version)" = "guira $1" ] || fail "guira --version"
    there guira build new.guira keys
    printf '7\nseven\n' >"$system/tmp/questions"
    for filter in old new; do
        [ "$(there guira query $filter.guira questions | head -n 1)" = 7 ] || fail "guira query"
        there guira info $filter.guira | grep -q '^keys .* of 1,000$' || fail "guira info"
        there guira verify $filter.guira || fail "guira verify"
    done
}

upgrade_packages() {
    put $packages
    dpkg_there --install $put
    installed_are "$version"
    left=$(find "$system" -name '*guira*before*')
    [ -z "$left" ] || fail "the older package left $left"
}

# The program knows no folder of the library, so it is ldconfig's trigger that lets it start.
runs_compiled_program() {
    is_clean_debian || return 0
    cp "$work/shared_c" "$system/tmp"
    there ./shared_c || fail "a compiled program does not run"
    chroot "$system" ldconfig -p | grep -q "$soname" || fail "ldconfig does not know the library"
}

remove_packages() {
    if is_clean_debian && dpkg_there --remove "$library_name" >"$work/refused" 2>&1; then
        fail "the library goes while others need it"
    fi
    dpkg_there --purge $names
    rm -rf "$system/tmp"/*
    list_system >"$work/after"
    diff "$work/before" "$work/after" || fail "something is left, or gone"
}
