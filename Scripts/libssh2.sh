#!/bin/bash
# libssh2.sh DIRECTORY MINIMUM: provides a static libssh2 of version MINIMUM or later. Prints its prefix, which is below
# DIRECTORY, or nothing if the libssh2 of this system is new enough.
#
# Otherwise, apt(8) downloads and verifies the source package of the current stable release of Debian, or of the newest
# release of Ubuntu, from the mirrors that this machine uses. A private configuration keeps it from changing the system.
# A version that has been built is used again until there is a newer one or libssh2.patch changes, and also if the mirrors
# cannot be reached.
set -euo pipefail
minimum=$2
patch=$(cd "$(dirname "$0")" && pwd)/libssh2.patch

fail() {
	echo "libssh2.sh: $*" >&2
	exit 1
}

# list_mirrors OPTION…: the repositories of a distribution that apt knows from its last update: ORIGIN|LABEL|URI.
list_mirrors() {
	apt-get "$@" indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' | sort -u
}

# list_sources: the lines of sources.list(5) for the source packages of the newest release.
list_sources() {
	local mirrors suite
	mirrors=$(list_mirrors)
	if [ -z "$mirrors" ]; then
		apt-get -qq -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" update >&2 || true
		mirrors=$(list_mirrors -o Dir::State::Lists="$work/lists")
	fi
	# The releases of Ubuntu by date: VERSION,NAME,SERIES,CREATED,RELEASED,…
	suite=$(awk -F, -v today="$(date +%F)" '$5 ~ /^[0-9]/ && $5 <= today { print $5, $3 }' \
		/usr/share/distro-info/ubuntu.csv 2>/dev/null | sort | tail -1 | cut -d' ' -f2) || true
	awk -F'|' -v suite="$suite" -v keyrings=/usr/share/keyrings '
		function source(name, suite, components) {
			print "deb-src [signed-by=" keyrings "/" name "-archive-keyring.gpg] " $3 " " suite " " components
		}
		$1 == "Debian" && $2 == "Debian" { source("debian", "stable", "main") }
		$1 == "Debian" && $2 == "Debian-Security" { source("debian", "stable-security", "main") }
		$1 == "Ubuntu" && suite {
			source("ubuntu", suite, "main universe")
			source("ubuntu", suite "-security", "main universe")
		}
	' <<<"$mirrors"
}

# configure_apt: lets apt use only the private directories; proxies and the like are those of this machine.
configure_apt() {
	mkdir -p "$work"/{lists,cache/archives}/partial
	list_sources >"$work/sources.list"
	[ -s "$work/sources.list" ] || fail 'apt has no repository of Debian or Ubuntu'
	{
		apt-config dump --no-empty | grep '^Acquire::'
		cat <<-END
			Dir::Etc::Main "/dev/null";
			Dir::Etc::Parts "/dev/null";
			Dir::Etc::SourceList "$work/sources.list";
			Dir::Etc::SourceParts "/dev/null";
			Dir::State::Lists "$work/lists";
			Dir::Cache "$work/cache";
			APT::Sandbox::User "root";
		END
	} >"$work/apt.conf"
	export APT_CONFIG=$work/apt.conf
}

is_built() {
	[ -e "$directory/$1/lib/pkgconfig/libssh2.pc" ] && cmp -s "$patch" "$directory/$1/libssh2.patch"
}

# build VERSION: builds the library without assertions, with which a malformed packet would end the process, and with
# libssh2.patch, if that fits.
build() {
	rm -rf "$work/source" "${directory:?}/$1"
	mkdir "$work/source"
	cd "$work/source"
	apt-get -qq source libssh2="$1"
	cd libssh2-*/
	if patch -s -p1 --dry-run <"$patch" >&2; then
		patch -s -p1 <"$patch"
	else
		echo "libssh2.sh: libssh2 $1 is built without ${patch##*/}" >&2
	fi
	./configure --quiet CC=clang CPPFLAGS='-DNDEBUG -D_FORTIFY_SOURCE=2' \
		CFLAGS='-O2 -fstack-protector-strong -ffunction-sections -fdata-sections' --prefix="$directory/$1" \
		--disable-shared --disable-examples-build --with-crypto=openssl --without-libz
	make -s -j "$(nproc)" -C src install
	make -s install-includeHEADERS install-pkgconfigDATA
	cp "$patch" "$directory/$1/"
	# The tree can be moved.
	sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|' "$directory/$1/lib/pkgconfig/libssh2.pc"
	cd "$directory"
	rm -rf "$work/source"
}

pkg-config --atleast-version="$minimum" libssh2 && exit
mkdir -p "$1"
directory=$(cd "$1" && pwd)
work=$directory/.apt
configure_apt
version=$({ apt-get -qq update && apt-cache showsrc --only-source libssh2; } |
	sed -n 's/^Version: //p' | sort -V | tail -1) || true
if dpkg --compare-versions "${version:-0}" ge "$minimum"; then
	is_built "$version" || (build "$version") >/dev/null
else
	version=$(ls "$directory" | sort -V | tail -1)
fi
dpkg --compare-versions "${version:-0}" ge "$minimum" && is_built "$version" ||
	fail "no source package of libssh2 $minimum or later is available"
echo "$directory/$version"
