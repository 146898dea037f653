#!/bin/bash
# debian13.sh ROOTS: builds and tests the current commit in Debian 13, which has libssh2 1.11, as root. The system and a
# checkout are made below ROOTS and kept for the next run; the Swift toolchain and the packages are those of this system.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/roots.sh"
mkdir -p "$1"
roots=$(cd "$1" && pwd)
debian=$roots/trixie
checkout=$roots/trixie-checkout
toolchain=$(dirname "$(dirname "$(dirname "$(realpath "$(command -v swift)")")")")
binds="$toolchain $checkout"
certificates=/etc/ssl/certs/ca-certificates.crt

# make_in_debian TARGET…: runs make in the checkout, in Debian 13.
make_in_debian() {
	step "make $*"
	in_root "$debian" env -i HOME=/root LANG=C.UTF-8 PATH="$toolchain/usr/bin:$search_path" PIP_CERT=$certificates \
		chroot "$debian" make --no-print-directory -C "$checkout" "$@"
}

[ "$(id -u)" = 0 ] || fail 'run this as root'
# What the toolchain needs: a linker, the headers of the C and C++ libraries, git, and the libraries that it loads.
make_debian trixie ca-certificates,g++,git,libcurl4t64,libncurses6,libstdc++-14-dev,libxml2,make,procps
cp /etc/resolv.conf "$debian/etc/resolv.conf"
# debootstrap leaves this file to the installer.
printf '127.0.0.1\tlocalhost\n127.0.1.1\tdebian\n' >"$debian/etc/hosts"
[ ! -e $certificates ] || cp $certificates "$debian$certificates"

[ -e "$checkout" ] || git clone -q --no-checkout "$here/../.." "$checkout"
git -C "$checkout" fetch -q "$(git -C "$here" rev-parse --show-toplevel)" HEAD
git -C "$checkout" checkout -q --detach FETCH_HEAD
swift package --package-path "$checkout" resolve

make_in_debian demo
make_in_debian install DESTDIR=/tmp/installed
in_root "$debian" chroot "$debian" /tmp/installed/usr/local/bin/vt version --json | tee "$roots/trixie.version"
grep -q '"libssh2" *: *"1\.1[1-9]' "$roots/trixie.version" || fail 'vt does not use libssh2 1.11 or later'
make_in_debian test-ssh
step 'done'
