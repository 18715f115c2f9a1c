#!/bin/sh
# check.sh PAGE: let the page check itself in a browser without a screen: all scenes, steps, keys,
# swipes, a phone's width. Then plant faults in copies of it, each of which it must find. Ends with
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

# verdict FILE: what the page says about itself. No name has an address, so nothing can be fetched.
# Root, which CI is, gets no sandbox; the page comes from here. Time runs as fast as it can.
verdict() {
    HOME=$folder timeout 100 "$chromium" --headless --no-sandbox --disable-gpu \
        --disable-dev-shm-usage --disable-background-networking --no-first-run \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$folder/profile" \
        --window-size=1200,900 --virtual-time-budget=120000 --dump-dom "file://$1#check" \
        2>"$folder/log" | sed -n 's/.*<output id="verdict"[^>]*>\([^<]*\)<.*/\1/p'
}

wrong() {
    echo "WRONG: $*" >&2
    exit 1
}

# planted WHAT SAYS SCRIPT: a copy that sed has put a fault into fails, and says so.
planted() {
    sed "$3" "$page" >"$folder/planted.html"
    ! cmp -s "$page" "$folder/planted.html" || wrong "no fault was planted: $1"
    says=$(verdict "$folder/planted.html")
    case $says in
    FAIL*"$2"*) echo "found: $1" ;;
    *) wrong "a fault was not found: $1: '$says'" ;;
    esac
}

if grep -nE 'https?:|@import|<(script|link|img|iframe)[^>]*(src|href)=|url\([^#]' "$page"; then
    wrong "the page is not all in one file"
fi
says=$(verdict "$page")
echo "$says"
case $says in
PASS*) ;;
*)
    tail -n 5 "$folder/log" >&2
    wrong "the page fails in $chromium"
    ;;
esac

planted 'a step that is not taken' 'the rings differ' \
    's/"at":"MOVE_DONE","set":/"at":"MOVE_DONE","was":/'
planted 'a slot that shows something else' 'a wrong fingerprint' \
    's/? hex(entry.fingerprint) : /? hex(entry.offset) : /'
planted 'a key that does nothing' 'not at the beginning' "s/'ArrowLeft': /'ArrowLoft': /"
planted 'a swipe the wrong way' 'a swipe to the left' 's/dx < 0 ? 1 : -1/dx < 0 ? -1 : 1/'
planted 'an error' 'console: planted' "s/^function showFacts(state) {/&console.error('planted');/"
planted 'a page too wide for a phone' 'at 360 px' 's/^\.page {/& min-width: 400px;/'
