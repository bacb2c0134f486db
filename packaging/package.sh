#!/bin/sh
# Builds the .deb and the .rpm: `package.sh TARGET VERSION`. Both are written to TARGET/packages. The environment variable
# MAINTAINER sets the contact address.
set -eu
umask 022
cd "$(dirname "$0")/.."
target=$1
version=$2
maintainer=${MAINTAINER:-The Oriel authors <maintainers@oriel.app>}
out=$target/packages
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd -P)
tree=$out/tree
sh packaging/install.sh "$target/dist" "$tree" /usr

# Both packages use one tree; Debian's package refers to the licence texts of the system.
deb=$out/deb
cp -a "$tree" "$deb"
rm -r "$deb/usr/share/licenses"
mv "$deb/usr/share/zsh/site-functions" "$deb/usr/share/zsh/vendor-completions"
mkdir -p "$deb/DEBIAN" "$out/shlibs/debian"
printf 'Source: oriel\n\nPackage: oriel\nArchitecture: any\n' >"$out/shlibs/debian/control"
(cd "$out/shlibs" && dpkg-shlibdeps -O "$deb"/usr/bin/*) >"$out/depends"
depends=$(sed -n 's/^shlibs:Depends=//p' "$out/depends")
cat >"$deb/DEBIAN/control" <<CONTROL
Package: oriel
Version: $version-1
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$deb" | cut -f1)
Depends: $depends
Recommends: libayatana-appindicator3-1
Section: utils
Priority: optional
Description: ask questions of your own documents, offline
 Oriel answers questions from your own documents, on your own computer, and
 shows the exact place each answer came from. It reads PDF, Word, Markdown,
 HTML and text, keeps its index in step with your folders, and sends nothing
 anywhere.
 .
 This package contains the app, the command oriel, the models for search, and the
 program that downloads further models when you ask for it.
CONTROL
printf 'oriel (%s-1) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -R)" | gzip -9n >"$deb/usr/share/doc/oriel/changelog.Debian.gz"
install -D -m 644 packaging/lintian-overrides "$deb/usr/share/lintian/overrides/oriel"
(cd "$deb" && find usr -type f -exec md5sum {} +) >"$deb/DEBIAN/md5sums"
dpkg-deb --root-owner-group -Zxz --build "$deb" "$out"

rpmbuild -bb --quiet --define "_topdir $out/rpm" --define "_rpmdir $out" --define "tree $tree" \
    --define "app_version $version" packaging/oriel.spec
mv "$out"/"$(uname -m)"/*.rpm "$out"
rm -rf "$tree" "$deb" "$out/shlibs" "$out/depends" "$out/rpm" "${out:?}/$(uname -m)"

desktop-file-validate packaging/*.desktop
appstreamcli validate --no-net packaging/*.metainfo.xml
lintian --fail-on error --tag-display-limit 0 "$out"/*.deb
ls -l "$out"
