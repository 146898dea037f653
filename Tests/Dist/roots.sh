# Functions for scripts that run commands in root file systems below the directory $roots; sourced by them.

step() { echo "== $*"; }
fail() { echo "${0##*/}: $*" >&2; exit 1; }

search_path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# The directories of this system that in_root mounts in the root, at the same paths.
binds=

# in_root ROOT WORD…: runs a command in a root, with its own /proc and terminals; ends all processes that it leaves.
in_root() {
	binds=$binds unshare --mount --pid --fork --kill-child bash -c '
		root=$1
		shift
		for directory in $binds; do
			mkdir -p "$root$directory"
			mount --bind "$directory" "$root$directory"
		done
		mount -t proc proc "$root/proc"
		mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
		"$@"
	' in_root "$@"
}

# make_debian CODENAME PACKAGES: makes a minimal Debian system in $roots/CODENAME, unless it is there already.
make_debian() {
	local codename=$1 packages=$2 debian=$roots/$1 log=$roots/$1.log
	[ -e "$debian/complete" ] && return
	step "a minimal Debian $codename"
	rm -rf "$debian"
	debootstrap --variant=minbase --include="$packages" "$codename" "$debian" >"$log" || {
		tail "$log" >&2
		exit 1
	}
	ln -sfn pts/ptmx "$debian/dev/ptmx"
	touch "$debian/complete"
}
