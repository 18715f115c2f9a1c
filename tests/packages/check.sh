#!/bin/sh
# check.sh BUILD WORK: are the packages that ./dev packages made in BUILD as they should be?
#
# Versions agree, lintian finds nothing, programs compile against the packages' files, the binary
# interface is that of the last release, and in a clean Debian, made in WORK, the packages install,
# work, upgrade and leave nothing behind. A clean Debian takes root, and the mirrors that this
# machine uses; where it cannot be had, an empty folder has to do, and that is said.
set -eu
build=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
LC_ALL=C
DEBIAN_FRONTEND=noninteractive
export LC_ALL DEBIAN_FRONTEND
umask 022 # as packages want it

fail() {
    echo "packages: $1" >&2
    exit 1
}

# step WHAT: what comes next
step() {
    echo "== $1"
}

# field PACKAGE NAME: of the package's control file
field() {
    dpkg-deb --field "$1" "$2"
}

# shellcheck source=tests/packages/contents.sh
. "$here/contents.sh"
# shellcheck source=tests/packages/system.sh
. "$here/system.sh"

rm -rf --one-file-system "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
version=$(sed -n 's/.*GUIRA_VERSION_STRING "\(.*\)"/\1/p' "$source/include/guira/version.h")
library=$(echo "$build"/libguira[0-9]*.deb)
development=$(echo "$build"/libguira-dev_*.deb)
tools=$(echo "$build"/guira-tools_*.deb)
packages="$library $development $tools"
for package in $packages; do
    [ -f "$package" ] || fail "no package $package"
done
library_name=$(field "$library" Package)
names="guira-tools libguira-dev $library_name"
tree=$work/tree
for package in $packages; do
    dpkg-deb --extract "$package" "$tree"
done
library_dir=$(dirname "$(find "$tree" -name 'libguira.so.*' -type f)")

step "versions"
versions_agree
step "lintian"
lintian_is_content
step "names, links, dependencies"
contents_are_right
step "binary interface"
"$source/tests/abi/faults.sh" "$source" "$work/abi"
"$source/tests/abi/check.sh" "$build/lib/libguira.so.$version" "$source/include/guira" \
    "$source/tests/abi/guira.abi"
step "programs compiled against the packages"
programs_compile_and_run
step "clean system"
make_system
list_system >"$work/before"
step "install, use"
refuses_without_library
install_old_packages
works "$version"
step "upgrade"
upgrade_packages
works "$version"
runs_compiled_program
step "remove"
remove_packages
remove_system
echo "the packages are as they should be ($kind_of_system)"
