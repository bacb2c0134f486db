#!/bin/sh
# The main job on the sample documents: `sh tests/demo.sh target/debug/oriel`.
#
# The library lies in a temporary folder and is gone at the end; no library of the user's is touched.
set -eu
cd "$(dirname "$0")/.."
oriel=${1:-target/debug/oriel}
[ -x "$oriel" ] || {
    printf '%s is missing; run make build\n' "$oriel" >&2
    exit 1
}
case $oriel in
/*) ;;
*) oriel=./$oriel ;;
esac

library=$(mktemp -d)
trap 'rm -rf "$library"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

heading() {
    printf '\n--- %s\n\n' "$1"
}

ask() {
    heading "$1"
    "$oriel" --library "$library" ask "$1"
}

heading 'Indexing tests/fixtures/sample, the papers of a small firm (all invented)'
"$oriel" --library "$library" add tests/fixtures/sample
"$oriel" --library "$library" index

ask 'How long does the battery keep the hands of a Petrel moving after a power cut?'
ask 'How many days off does everyone get in a year?'
ask 'What is the password of the wireless network?'

heading 'The same with a folder of your own'
cat <<'TEXT'
    target/debug/oriel add ~/Documents
    target/debug/oriel index
    target/debug/oriel ask "…"

Run `target/debug/oriel index` again whenever something has changed: only what is new is read.
Nothing of this leaves your machine. `target/debug/oriel --help` lists what else there is.
TEXT
