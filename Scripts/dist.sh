#!/bin/bash
# dist.sh BINARY DIRECTORY: packs a release build as an archive and as a Debian package, each with a checksum beside it.
#
# The same commit and binary give the same bytes: names are sorted, and times are that of the commit
# (https://reproducible-builds.org/specs/source-date-epoch/).
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."

binary=$1
out=$2
version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/Core/Values/Release.swift)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

install_to() {
	make --no-print-directory -s install-files RELEASE="$binary" DESTDIR="$1" PREFIX="$2"
}

make_archive() {
	local name=vt-$version-linux-$(uname -m)
	install_to "$work/$name" ''
	install -m 644 LICENSE README.md CHANGELOG.md "$work/$name"
	tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu \
		-cf - "$name" | gzip -9n >"$out/$name.tar.gz"
	checksum "$name.tar.gz"
}

make_package() {
	local architecture root=$work/package name
	architecture=$(dpkg --print-architecture)
	name=vt_${version}_$architecture.deb
	install_to "$root" /usr
	gzip -9n "$root"/usr/share/man/man[17]/*
	install -D -m 644 LICENSE "$root/usr/share/doc/vt/copyright"
	gzip -9nc CHANGELOG.md | install -D -m 644 /dev/stdin "$root/usr/share/doc/vt/changelog.gz"
	mkdir "$root/DEBIAN"
	cat >"$root/DEBIAN/control" <<-END
		Package: vt
		Version: $version
		Architecture: $architecture
		Maintainer: the vt authors <vt@localhost>
		Installed-Size: $(du -k --apparent-size -s "$root/usr" | cut -f1)
		Recommends: librsvg2-bin
		Suggests: ffmpeg
		Section: net
		Priority: optional
		Description: terminal sessions that scripts can trust
		 vt runs commands on one server or on hundreds of them, and keeps programs
		 running in sessions, on this machine or on a server. Every byte of a session's
		 output is logged, and the exit status of its program is recorded.
		 .
		 The program is a static executable. A server needs only sshd; sessions on it
		 also require vt.
	END
	(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
	find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
	dpkg-deb --root-owner-group -Zxz -z3 --build "$root" "$out/$name" >/dev/null
	checksum "$name"
}

checksum() {
	(cd "$out" && sha256sum "$1" >"$1.sha256")
	echo "$out/$1"
}

make_archive
make_package
