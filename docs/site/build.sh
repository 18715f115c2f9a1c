#!/bin/sh
# Build the site from the Markdown pages and the headers, and check its links.
#
#     build.sh SITE
#
# SITE is made anew, and left as it was if there is a fault. It has the folders of the repository, so
# links lead the same way; README.md of a folder is index.html there, and reference/ is the reference.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
target=$1
WORK=$(mktemp -d "${TMPDIR:-/tmp}/guira-site.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM
chmod 755 "$WORK" # linkchecker gives up the rights of root
SITE=$WORK/site
VERSION=$(sed -n 's/.*VERSION_STRING "\(.*\)"/\1/p' "$ROOT/include/guira/version.h")
export ROOT SITE WORK VERSION
mkdir "$SITE"
cd "$ROOT"

fail() {
    echo "docs: $1" >&2
    exit 1
}

# A declaration that has no comment is a fault, and so is a comment that does not fit its declaration.
reference() {
    doxygen docs/site/Doxyfile
    if [ -s "$WORK/warnings" ]; then
        cat "$WORK/warnings" >&2
        fail "the reference has faults"
    fi
    # Its pages are doxygen's own: above each, the way back.
    find "$SITE/reference" -name '*.html' -exec sed -i 's|^<body>$|&<nav class="site"><a \
href="../index.html">guira</a> <a href="../docs/index.html">Documentation</a> <a \
href="../docs/guide/start.html">Guide</a></nav>|' {} +
    grep -q '<nav class="site">' "$SITE/reference/index.html" || fail "no way back from the reference"
}

# page FILE.md
page() {
    case $1 in
    README.md | */README.md) out=$SITE/${1%README.md}index.html ;;
    *) out=$SITE/${1%.md}.html ;;
    esac
    mkdir -p "$(dirname "$out")"
    NAMES=$WORK/names.xml ROOT_OF_SITE=$(echo "$1" | sed 's|[^/]*$||; s|[^/]*/|../|g') \
        pandoc --from gfm --to html5 --toc --toc-depth=2 --fail-if-warnings \
        --lua-filter docs/site/links.lua --template docs/site/page.html --output "$WORK/page" "$1"
    # Without the links that each line of code has to itself.
    sed 's|<a href="#cb[0-9-]*" aria-hidden="true" tabindex="-1"></a>||g' "$WORK/page" >"$out"
}

reference
find README.md CHANGELOG.md CONTRIBUTING.md docs -name '*.md' ! -path 'docs/site/*' |
    LC_ALL=C sort >"$WORK/pages"
while read -r file; do
    page "$file"
done <"$WORK/pages"
# What pages show, and files that they link to.
cp docs/site/style.css "$SITE"
cp -R LICENSE examples include "$SITE"
find docs -path docs/site -prune -o \( -name '*.svg' -o -name '*.png' \) -print |
    while read -r file; do
        mkdir -p "$SITE/$(dirname "$file")"
        cp "$file" "$SITE/$file"
    done
for file in docs/*.html; do
    [ ! -e "$file" ] || sed 's/\(href="[^":]*\)\.md\(["#]\)/\1.html\2/g' "$file" >"$SITE/$file"
done

# All pages, so that one to which nothing leads is checked too.
find "$SITE" -name '*.html' ! -path '*/reference/*' >"$WORK/pages"
xargs linkchecker --config "$ROOT/docs/site/linkchecker.ini" <"$WORK/pages" >"$WORK/links" 2>&1 || {
    cat "$WORK/links" >&2
    fail "the site has faults"
}
tail -n 3 "$WORK/links"
rm -rf "$target"
mkdir -p "$(dirname "$target")"
cp -R "$SITE" "$target"
