#!/bin/bash
# run.sh DIST ROOTS: tests the archive and the Debian package in DIST, as root. Installs the package in a bare Debian
# system below ROOTS, which debootstrap makes on the first run, and runs vt there and in a root that holds only busybox.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/roots.sh"
dist=$(cd "$1" && pwd)
mkdir -p "$2"
roots=$(cd "$2" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run_in ROOT WORD…: runs a command inside a root, without the variables of this process.
run_in() {
	in_root "$1" env -i PATH=$search_path HOME=/root chroot "$1" "${@:2}"
}

check_files() {
	step 'the checksums are right, and the files can be reproduced'
	(cd "$dist" && sha256sum --quiet --check ./*.sha256)
	"$here/../../Scripts/dist.sh" "$scratch/bin/vt" "$scratch/again" >/dev/null
	for file in "$scratch"/again/*; do
		cmp "$file" "$dist/${file##*/}"
	done
}

unpack() {
	tar -C "$scratch" --strip-components=1 -xf "$dist"/vt-*.tar.gz
	if readelf -lW "$scratch/bin/vt" | grep -qE '^ +(INTERP|DYNAMIC) '; then fail 'vt is not statically linked'; fi
}

test_busybox() {
	step 'sessions in a root that holds only busybox'
	local root=$scratch/busybox
	mkdir -p "$root"/{bin,dev/pts,proc,tmp}
	mknod -m 666 "$root/dev/null" c 1 3
	ln -s pts/ptmx "$root/dev/ptmx"
	# The package cannot be installed beside busybox.
	(cd "$scratch" && apt-get -o APT::Sandbox::User=root download -qq busybox-static >/dev/null)
	dpkg-deb --fsys-tarfile "$scratch"/busybox-static_*.deb | tar -xO --wildcards '*/bin/busybox' >"$root/bin/busybox"
	chmod 755 "$root/bin/busybox"
	for name in sh grep sleep rm; do ln -s busybox "$root/bin/$name"; done
	cp "$scratch/bin/vt" "$here/sessions.sh" "$root/bin"
	run_in "$root" /bin/sh /bin/sessions.sh
}

test_debian() {
	step 'the package in a bare Debian'
	cp "$dist"/vt_*.deb "$here/sessions.sh" "$debian/tmp"
	run_in "$debian" sh -ec '
		dpkg --install /tmp/vt_*.deb >/dev/null
		vt version
		dpkg --verify vt
		[ -e /usr/share/bash-completion/completions/vt ]
		[ "$(dpkg-query -f "\${Depends}" -W vt)" = "" ]
		sh /tmp/sessions.sh
	'
}

# Names that only modules know: the C library of the system must be the one to load them, in getent.
test_names() {
	step 'names of services that vt does not have itself'
	sed -i 's/^passwd:.*/passwd: files extrausers/; s/^hosts:.*/hosts: files myhostname dns/' "$debian/etc/nsswitch.conf"
	mkdir -p "$debian/var/lib/extrausers"
	echo 'extra:x:4242:4242::/home/extra:/bin/sh' >"$debian/var/lib/extrausers/passwd"
	rm -rf "$debian/home/extra"
	install -d -o 4242 -g 4242 "$debian/home/extra"

	in_root "$debian" env -i PATH=$search_path chroot --userspec=4242:4242 "$debian" sh -ec '
		vt sessions create mine -- true >/dev/null
		vt sessions wait mine --exit --timeout 30s >/dev/null
		[ -d /home/extra/.local/state/vt/sessions ]
	' || fail 'a user of another service has no home directory'

	local status
	for _ in 1 2 3; do
		status=0
		rm -f "$scratch"/trace.*
		in_root "$debian" strace -ff -qq -e trace=open,openat,execve -o "$scratch/trace" \
			chroot "$debian" vt exec --connect-timeout 10s x@name.localhost:1 true 2>"$scratch/errors" || status=$?
		# strace itself can fail if a process is killed while strace stops it.
		grep -q '^strace: ptrace' "$scratch/errors" || break
	done
	[ $status = 255 ] && grep -q 'connection refused (host.unreachable)' "$scratch/errors" || {
		cat "$scratch/errors" >&2
		fail 'a host name of another service is not resolved'
	}
	grep -q 'libnss_myhostname' "$scratch"/trace.* || fail 'the test does not use the module'
	for trace in "$scratch"/trace.*; do
		if ! grep -q 'execve(.*getent' "$trace" && grep -q libnss "$trace"; then fail 'vt loads NSS modules'; fi
	done

	run_in "$debian" vt exec x@no-such-name.invalid true 2>"$scratch/errors" || true
	grep -q '(host.unresolved)' "$scratch/errors" || fail 'a name that does not exist is not reported'
}

[ "$(id -u)" = 0 ] || fail 'run this as root'
unpack
check_files
test_busybox
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
debian=$roots/$codename
make_debian "$codename" libnss-extrausers,libnss-myhostname
test_debian
test_names
step 'done'
