#!/bin/sh
# check.sh PAGE: let the page check itself in a browser without a screen: all scenes, steps, keys,
# swipes, a phone's width. Then plant faults in a copy of it, each of which it must find. Ends with
# 77 where there is no chromium.
set -eu
page=$1
chromium=$(command -v chromium || command -v chromium-browser) || {
    echo "SKIPPED: there is no chromium here; ./dev install picture installs it"
    exit 77
}
folder=$(mktemp -d "${TMPDIR:-/tmp}/guira-picture.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

# verdict FILE [OPTIONS]: what the page says about itself. No name has an address here, so nothing
# can be fetched. Root, which CI is, gets no sandbox; the page is ours. Time runs as fast as it can.
verdict() {
    file=$1
    shift
    HOME=$folder timeout 100 "$chromium" --headless --no-sandbox --disable-gpu \
        --disable-dev-shm-usage --disable-background-networking --no-first-run \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$folder/profile" \
        --window-size=1200,900 --virtual-time-budget=120000 --dump-dom "$@" \
        "file://$file#check" 2>"$folder/log" |
        sed -n 's/.*<output id="verdict"[^>]*>\([^<]*\)<.*/\1/p'
}

wrong() {
    echo "WRONG: $*" >&2
    exit 1
}

# passes END [OPTIONS]: the page passes, and its verdict ends so.
passes() {
    end=$1
    shift
    says=$(verdict "$page" "$@")
    case $says in
    PASS*"$end") echo "$says" ;;
    *)
        tail -n 5 "$folder/log" >&2
        wrong "the page fails in $chromium: $(printf %.2000s "$says")"
        ;;
    esac
}

# plant SCRIPT: let sed put a fault into the copy.
plant() {
    sed "$1" "$folder/planted.html" >"$folder/next.html"
    ! cmp -s "$folder/planted.html" "$folder/next.html" || wrong "no fault was planted: $1"
    mv "$folder/next.html" "$folder/planted.html"
}

# found WHAT: what was wrong with the copy has that in it.
found() {
    case $says in
    FAIL*"$1"*) echo "found: $1" ;;
    *) wrong "a fault was not found: $1: $(printf %.2000s "$says")" ;;
    esac
}

if grep -nE 'https?:|@import|<(script|link|img|iframe)[^>]*(src|href)=|url\([^#]' "$page"; then
    wrong "the page is not all in one file"
fi
passes steps
passes 'nothing flies' --force-prefers-reduced-motion

cp "$page" "$folder/planted.html"
plant 's/"at":"MOVE_DONE","set":/"at":"MOVE_DONE","was":/'
plant 's/? hex(entry.fingerprint) : /? hex(entry.offset) : /'
plant "s/'ArrowLeft': /'ArrowLoft': /"
plant 's/dx < 0 ? 1 : -1/dx < 0 ? -1 : 1/'
plant "s/^function showFacts(state) {/&console.error('planted');/"
plant 's/^\.page {/& min-width: 400px;/'
says=$(verdict "$folder/planted.html")
found 'growth, step 8: the rings differ'
found 'room, step 1: a wrong fingerprint'
found 'remove: not at the beginning'
found 'a swipe to the left is'
found 'console: planted'
found 'room at 360 px: 4'
