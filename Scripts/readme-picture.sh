#!/bin/sh
# Creates docs/tour.svg, the picture in README.md: types commands in a vt session, then records and renders the session.
# Usage: Scripts/readme-picture.sh VT
set -eu
vt=$(realpath "$1")
result=$(realpath "$(dirname "$0")/..")/docs/tour.svg
work=$(mktemp -d)
trap '"$vt" sessions kill tour >/dev/null 2>&1; rm -rf "$work"' EXIT
export VT_HOME="$work/vt"
mkdir -p "$work/bin" "$work/app"
ln -s "$vt" "$work/bin/vt"
printf 'all:\n\t@for t in parser session replay; do sleep 0.4; echo "ok $$t"; done; echo "FAIL link"; exit 1\n' \
    >"$work/app/Makefile"
cat >"$work/rc" <<END
PS1='$ '
PATH="$work/bin:$PATH"
MAKEFLAGS=--no-print-directory
export MAKEFLAGS
cd "$work/app"
END

"$vt" sessions create tour --size 72x17 -- bash --noprofile --rcfile "$work/rc" -i >/dev/null
"$vt" sessions wait tour --match '^\$' --timeout 10s >/dev/null

# Types a line character by character, and waits for the next prompt of the shell.
type_line() {
    line=$1
    while [ -n "$line" ]; do
        rest=${line#?}
        printf %s "${line%"$rest"}" | "$vt" sessions send tour --stdin >/dev/null
        line=$rest
        sleep 0.04
    done
    sleep 0.3
    at=$("$vt" sessions send tour --enter)
    "$vt" sessions wait tour --match '^\$ ?$' --from "$at" --timeout 30s >/dev/null
    sleep 0.9
}

type_line 'vt sessions create build -- make     # keeps running after logout'
type_line 'vt sessions wait build --match FAIL  # wait for output'
type_line 'vt sessions wait build --exit; echo "exit status $?"'
type_line 'vt sessions logs build --plain | grep -c ok'
type_line 'vt record build -o build.cast && vt cast grep FAIL build.cast'
sleep 1.5
"$vt" record tour -o "$work/tour.cast" --title 'vt: terminal sessions for scripts' >/dev/null
"$vt" cast render "$work/tour.cast" -o "$result" --force --idle-limit 1s --theme dracula
echo "$result"
