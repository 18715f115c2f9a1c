#!/bin/sh
# What --help says of options is what the man pages and the completions say. $2 is the folder tools/.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"
tools=$2

# options: "-x --long" of each line that describes an option.
options() {
    sed -n 's/^ *\(-.\), \(--[a-z-]*\).*/\1 \2/p'
}

"$guira" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' >commands
[ "$(wc -l <commands)" -eq 8 ] || wrong 'not 8 commands'
while read -r command; do
    "$guira" "$command" --help >help
    options <help >wanted
    [ -s wanted ] || wrong "no options of $command"
    page=$tools/man/guira-$command.1
    sed 's/\\f.//g; s/\\-/-/g' "$page" | options | cmp - wanted ||
        wrong "$page has other options"
    grep -q "guira..$command" "$tools/man/guira.1" || wrong "guira.1 does not name $command"
    awk 'length > 79' help >long
    [ ! -s long ] || wrong "a line of the help of $command is too wide"
    while read -r short long; do
        # Each is known: what else is wrong with the call, it is not that.
        "$guira" "$command" "$short" x >out 2>err </dev/null || true
        grep -q 'invalid option' err && wrong "$command does not take $short"
        "$guira" "$command" "$long" >out 2>err </dev/null || true
        grep -q 'unrecognized option' err && wrong "$command does not take $long"
    done <wanted
done <commands

if command -v man >/dev/null; then
    for page in "$tools"/man/*.1; do
        man --warnings -l "$page" >out 2>err </dev/null || wrong "man cannot show $page"
        [ ! -s err ] || wrong "$page: $(cat err)"
    done
fi

# complete SHELL WORD...: what the shell would offer for the last word.
if command -v bash >/dev/null; then
    cat >ask.bash <<'END'
. "$1"
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
_guira "$2"
printf '%s\n' "${COMPREPLY[@]}"
END
    bash ask.bash "$tools/completion/guira" "$guira" '' | grep -v '^-' | cmp - commands ||
        wrong 'bash offers other commands'
    while read -r command; do
        "$guira" "$command" --help | options | sed 's/.* //' >wanted
        bash ask.bash "$tools/completion/guira" "$guira" "$command" -- | cmp - wanted ||
            wrong "bash offers other options of $command"
    done <commands
    bash ask.bash "$tools/completion/guira" "$guira" info comm | grep -q '^commands$' ||
        wrong 'bash offers no files'
fi
PATH=$(dirname "$guira"):$PATH
if command -v fish >/dev/null; then
    fish --no-config -c ". '$tools/completion/guira.fish'; complete -C 'guira '" | cut -f 1 | sort >out
    sort commands | cmp - out || wrong 'fish offers other commands'
    guira build --help | options | sed 's/.* //' | sort >wanted
    fish --no-config -c ". '$tools/completion/guira.fish'; complete -C 'guira build --'" | cut -f 1 | sort |
        cmp - wanted || wrong 'fish offers other options'
fi
