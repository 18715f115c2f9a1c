#!/bin/sh
# Build the site from the Markdown pages and the headers, and check its links.
#
#     build.sh SITE
#
# SITE is made anew. It has the folders of the repository, so links lead the same way; README.md of
# a folder is index.html there. The reference is in reference/.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
mkdir -p "$1"
SITE=$(CDPATH='' cd -- "$1" && pwd)
WORK=$(mktemp -d "${TMPDIR:-/tmp}/guira-site.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM
VERSION=$(sed -n 's/.*VERSION_STRING "\(.*\)"/\1/p' "$ROOT/include/guira/version.h")
export ROOT SITE WORK VERSION

fail() {
    echo "docs: $1" >&2
    exit 1
}

# What the headers do not explain, and what they explain wrongly, is a fault.
reference() {
    doxygen "$ROOT/docs/site/Doxyfile"
    if [ -s "$WORK/warnings" ]; then
        cat "$WORK/warnings" >&2
        fail "the reference has faults"
    fi
}

# page FILE.md: the page of a file, with links back to the root of the site
page() {
    out=$SITE/${1%.md}.html
    case $1 in
    README.md | */README.md) out=$SITE/${1%README.md}index.html ;;
    esac
    mkdir -p "$(dirname "$out")"
    NAMES=$WORK/names.xml ROOT_OF_SITE=$(echo "$1" | sed 's|[^/]*$||; s|[^/]*/|../|g') \
        pandoc --from gfm+implicit_figures-implicit_figures --to html5 --toc --toc-depth=2 --wrap=preserve \
        --fail-if-warnings --lua-filter "$ROOT/docs/site/links.lua" \
        --template "$ROOT/docs/site/page.html" --output "$out" "$ROOT/$1"
}

rm -rf "$SITE"
mkdir -p "$SITE"
reference
cd "$ROOT"
find README.md CHANGELOG.md CONTRIBUTING.md docs -name '*.md' ! -path 'docs/site/*' >"$WORK/pages"
while read -r file; do
    page "$file"
done <"$WORK/pages"
cp docs/site/style.css "$SITE"
# What pages show or link to beside each other.
cp -R LICENSE examples include "$SITE"
cp -R docs/plots "$SITE/docs"
find docs -maxdepth 1 -name '*.html' -exec cp {} "$SITE/docs" \;
