#!/bin/sh
# Do what a document says, in a new folder: write its files, run its commands, compare what they
# print with what it shows.
#
#     follow.sh COMMAND DOCUMENT BUILD [--write]
#
# COMMAND is guira's. The library is installed from the folder BUILD to ~/.local, as the guide does.
#
#     ```console       each line after "$ " is run by bash, and prints the lines that follow.
#                      With --write the document is brought up to date
#     ```sh            the block is run by bash and succeeds
#     <!-- file: NAME -->        in the line above any block: it is the file NAME
#     <!-- not run: REASON -->   in the line above a block of commands
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/../tools/common.sh"
document=$2
build=$3
PATH=$(dirname "$guira"):$PATH
HOME=$folder
export HOME

cmake --install "$build" --prefix "$HOME/.local" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$HOME/.local" -name guira.pc)")
LD_LIBRARY_PATH=${PKG_CONFIG_PATH%/*}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
mkdir work
cd work

# finish MARK FENCE: what is done at the end of a block, whose lines are in the file block
finish() {
    case $1$2 in
    '<!-- file: '*)
        name=${1#<!-- file: }
        cp ../block "${name% -->}"
        ;;
    *'```sh')
        bash -eu ../block >../log 2>&1 </dev/null || {
            cat ../block ../log >&2
            wrong 'these commands of the document fail'
        }
        sed 's/^/$ /' ../block >>../commands
        ;;
    esac
}

: >../commands
fence='' mark=''
while IFS= read -r line; do
    case $fence:$line in
    ':```'*)
        fence=$line block_mark=$mark
        case $fence in
        '```' | '```c' | '```cpp' | '```cmake' | '```sh' | '```console' | '```text') ;;
        *) wrong "unknown kind of block: $fence" ;;
        esac
        case $mark in
        '<!-- not run: '*) fence='```not run' ;;
        esac
        : >../block
        ;;
    ?*':```')
        finish "$block_mark" "$fence"
        fence=
        ;;
    '```console:$ '*)
        printf '%s\n' "$line"
        printf '%s\n' "$line" >>../commands
        bash -c "${line#??}" 2>&1 </dev/null || true
        continue
        ;;
    '```console:'*) continue ;; # what was printed, when it was written
    :*) ;;
    *) printf '%s\n' "$line" >>../block ;;
    esac
    mark=$line
    printf '%s\n' "$line"
done <"$document" >../now
if grep -qE '^```(sh|console)$' "$document" && [ ! -s ../commands ]; then
    wrong 'no command of the document was run'
fi
if [ "${4:-}" = --write ]; then
    cp ../now "$document"
else
    diff "$document" ../now >&2 || wrong 'the document shows other output than the commands print'
fi
