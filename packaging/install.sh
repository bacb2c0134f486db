#!/bin/sh
# Installs the build: `install.sh BUILT ROOT PREFIX` copies from the folder BUILT below ROOT/PREFIX. This script defines the
# contents of all packages.
set -eu
umask 022
cd "$(dirname "$0")/.."
built=$1
to=$2$3
share=$to/share
id=app.oriel.Oriel

put() { # MODE FILE PATH
    mkdir -p "$(dirname "$3")"
    install -m "$1" "$2" "$3"
}

generators=oriel-generator
[ "$(uname -m)" != x86_64 ] || generators="$generators oriel-generator-avx512 oriel-generator-avxvnni oriel-generator-sse42"
for program in oriel oriel-desktop $generators oriel-remote oriel-remote-index oriel-serve; do
    put 755 "$built/$program" "$to/bin/$program"
    strip --strip-unneeded "$to/bin/$program"
done

put 644 packaging/$id.desktop "$share/applications/$id.desktop"
put 644 packaging/$id.metainfo.xml "$share/metainfo/$id.metainfo.xml"
put 644 src-tauri/icons/icon.svg "$share/icons/hicolor/scalable/apps/$id.svg"
for icon in 32x32:32x32 128x128:128x128 128x128@2x:256x256 icon:512x512; do
    put 644 "src-tauri/icons/${icon%:*}.png" "$share/icons/hicolor/${icon#*:}/apps/$id.png"
done

# The models for search and checks. The generator, half a gigabyte, is downloaded when the user asks for it.
for model in models/oriel-reranker-v1 models/oriel-reader-v3 models/oriel-checker-v3 models/oriel-answerer-v1 models/fetched/all-minilm-l6-v2; do
    for file in "$model"/*; do
        put 644 "$file" "$share/oriel/models/$(basename "$model")/$(basename "$file")"
    done
done

doc=$share/doc/oriel
put 644 packaging/copyright "$doc/copyright"
put 644 LICENSE-MIT "$share/licenses/oriel/LICENSE-MIT"
put 644 LICENSE-APACHE "$share/licenses/oriel/LICENSE-APACHE"
gzip -9nc "$built/third-party-licences" >"$doc/third-party-licences.gz"
gzip -9nc CHANGELOG.md >"$doc/changelog.gz"

"$to/bin/oriel" package-files "$share"
gzip -9nf "$share"/man/man1/oriel.1 "$share"/man/man1/oriel-*.1
