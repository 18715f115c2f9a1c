#!/bin/sh
# Check the form of all sources, or give the C files theirs.
#
#     lint.sh BUILD      BUILD was configured with everything that is to be checked by clang-tidy
#     lint.sh --format   let clang-format change the C files
set -eu
cd "$(dirname "$0")/.."

c_files() {
    find include lib tests stress tsan examples bench tools -name '*.[ch]' -print0
}

if [ "$1" = --format ]; then
    c_files | xargs -0 clang-format -i
    exit 0
fi
build=$1
root=$(pwd)
failed=0

echo "clang-format"
c_files | xargs -0 clang-format --dry-run -Werror || failed=1
echo "line width"
if c_files | xargs -0 grep -nE '.{101}'; then
    failed=1
fi
echo "clang-tidy"
sed -n 's/^ *"file": "\(.*\.c\)",*$/\1/p' "$build/compile_commands.json" |
    grep -vF "$root/build/" | sort -u | tr '\n' '\0' |
    xargs -0 -n1 -P"$(nproc)" clang-tidy --quiet -p "$build" || failed=1
echo "cppcheck"
c_files | tr '\0' '\n' | grep '\.c$' |
    cppcheck --file-list=- --enable=warning,performance,portability --error-exitcode=1 \
        --inline-suppr --std=c11 --quiet -j"$(nproc)" -Iinclude -Ilib \
        -UGUIRA_ATOMIC_HEADER || failed=1
echo "shellcheck"
find . -path ./build -prune -o -path ./.git -prune -o -name '*.sh' -print0 |
    xargs -0 shellcheck dev .ci/run || failed=1
echo "codespell"
codespell || failed=1
[ "$failed" -eq 0 ] || {
    echo "lint: there are faults" >&2
    exit 1
}
