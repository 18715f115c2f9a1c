#!/bin/sh
# Progress is shown on a terminal, which `script` makes, and nowhere else.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"
command -v script >/dev/null || {
    echo 'there is no program script, so nothing was tried'
    exit 0
}

seq 1000 >keys
# Longer than progress waits before it shows anything, whatever the machine does.
slowly='{ seq 500; sleep 1; seq 501 1000; sleep 1; }'

# shown OPTION...: what a terminal gets.
shown() {
    script -q -e -c "$slowly | '$guira' build $* -n 2000 set.guira" log </dev/null >terminal ||
        wrong 'the build failed'
    cat terminal
}

shown | grep -a -q ' lines, .*/s' || wrong "no progress: $(cat -v terminal)"
shown -q | grep -a -q ' lines, ' && wrong "progress in spite of --quiet: $(cat -v terminal)"
sh -c "$slowly" | "$guira" build -n 2000 set.guira 2>err
[ ! -s err ] || wrong "progress without a terminal: $(cat -v err)"

# asked OPTION...: what a terminal gets of a query.
asked() {
    script -q -e -c "$slowly | '$guira' query $* set.guira" log </dev/null >terminal ||
        wrong 'the query failed'
    cat terminal
}

asked | grep -a -q ' lines, ' && wrong "progress among lines: $(cat -v terminal)"
tr -d '\r' <terminal | grep -a -q -x 1000 || wrong "no lines: $(cat -v terminal)"
asked -c | grep -a -q ' lines, .*/s' || wrong "query -c without progress: $(cat -v terminal)"
expect 1 "$guira" query -a set.guira keys
