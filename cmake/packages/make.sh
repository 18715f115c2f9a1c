#!/bin/sh
# Make the Debian packages in the folder BUILD and print their paths.
#
#     make.sh BUILD [--library]
#
# With --library only the shared library is compiled. The flags are those of Debian's own packages.
# All times in the packages are that of the last commit, so the same source makes the same packages.
set -eu
cd "$(dirname "$0")/../.." # whose name dpkg-buildflags has the compiler leave out
build=$1
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null ||
    stat -c %Y CHANGELOG.md)}
DEB_BUILD_MAINT_OPTIONS=hardening=+all
export SOURCE_DATE_EPOCH DEB_BUILD_MAINT_OPTIONS
umask 022

link_flags=$(dpkg-buildflags --get LDFLAGS)
cmake --preset release -B "$build" -D CMAKE_INSTALL_PREFIX=/usr -D BUILD_SHARED_LIBS=ON \
    -D CMAKE_BUILD_RPATH_USE_ORIGIN=ON -D CMAKE_SKIP_INSTALL_RPATH=ON \
    -D GUIRA_BUILD_TESTS=OFF -D GUIRA_BUILD_EXAMPLES=OFF \
    -D CMAKE_C_FLAGS="$(dpkg-buildflags --get CPPFLAGS) $(dpkg-buildflags --get CFLAGS)" \
    -D CMAKE_SHARED_LINKER_FLAGS="$link_flags" -D CMAKE_EXE_LINKER_FLAGS="$link_flags"
if [ "${2-}" = --library ]; then
    exec cmake --build "$build" --target guira
fi
cmake --build "$build"
cd "$build"
rm -f ./*.deb
cpack
printf '%s\n' "$PWD"/*.deb
