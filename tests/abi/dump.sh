#!/bin/sh
# dump.sh LIBRARY HEADERS: print the binary interface of LIBRARY, which has debugging information, as
# far as programs can know of it: exported functions, and the types that the folder HEADERS defines
set -eu
exec abidw --exported-interfaces-only --headers-dir "$2" --drop-private-types --no-corpus-path \
    --no-comp-dir-path --no-show-locs --no-elf-needed --no-parameter-names --type-id-style hash "$1"
