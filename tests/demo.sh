#!/bin/sh
# Demonstration: indexes the sample documents and asks questions: `sh tests/demo.sh target/debug/oriel`.
#
# The library is in a temporary folder, which is deleted at the end. The user's library is not used.
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

heading 'Indexing tests/fixtures/sample, the documents of a small firm (all invented)'
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

Run `target/debug/oriel index` again after a change: only new and changed files are read.
Nothing leaves your machine. `target/debug/oriel --help` lists all commands.
TEXT
