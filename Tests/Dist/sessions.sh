#!/bin/sh
# Runs sessions with the vt on PATH; needs only a shell and grep. Exits with 0 if everything is as expected.
set -e

fail() {
	echo "sessions.sh: $*" >&2
	exit 1
}

export VT_HOME="${TMPDIR:-/tmp}/vt-sessions"
rm -rf "$VT_HOME"

vt sessions create talk -- sh -c 'echo ready; read word; echo "word: $word"; read rest' >/dev/null
vt sessions wait talk --match ready --timeout 30s >/dev/null || fail 'the program did not start'
vt sessions send talk hello --enter >/dev/null
vt sessions wait talk --match 'word: hello' --timeout 30s >/dev/null || fail 'the program did not read its input'
vt sessions logs talk | grep -q '^word: hello' || fail 'the log lacks the output'
vt sessions screen talk | grep -q '^word: hello' || fail 'the screen lacks the output'
vt sessions list | grep -q '^talk  *running' || fail 'the session is not listed'

vt sessions create end -- sh -c 'read word; echo "last: $word"; exit 7' >/dev/null
status=0
echo bye | vt attach end >"$VT_HOME/attached" || status=$?
[ $status = 7 ] || fail "attach exited with $status"
grep -q '^last: bye' "$VT_HOME/attached" || fail 'attach did not show the output'

vt sessions kill talk >/dev/null
vt sessions cleanup --all >/dev/null
[ -z "$(vt -q sessions list | grep -v '^NAME')" ] || fail 'a session is left over'
