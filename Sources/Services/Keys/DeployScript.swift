import Core

/// The sh(1) script that adds a line to the authorized_keys file of the user who runs it.
enum DeployScript {
    /// The exit statuses of the script, each of which identifies the step that failed.
    enum Failure: UInt32 {
        case incomplete = 71
        case noDirectory = 72
        case unreadable = 73
        case unwritable = 74
        case locked = 75
    }

    /// Precedes the result on standard output, because a shell's startup files can also print text.
    static let marker = "vt-key-deploy:"

    /// Reads the line from standard input; prints the marker, the outcome, a colon and the path of the file.
    ///
    /// A line counts as present if it contains the type and the key, whatever its options and comment. The file is
    /// replaced atomically, through symbolic links, while a lock is held; a directory is the only lock that every sh can
    /// create. The mode of the file becomes 0600, or stays 0400.
    static let text: ByteString = """
        umask 077; IFS= read -r line || exit 71; [ -n "$HOME" ] || exit 72; d=$HOME/.ssh; \
        [ -d "$d" ] || mkdir -p "$d" || exit 72; l=$d/.vt-key-deploy.lock; n=0; \
        until mkdir "$l" 2>/dev/null; do [ -d "$l" ] || [ -w "$d" ] || exit 74; n=$((n + 1)); \
        if [ $n -gt 150 ]; then [ -d "$l" ] || exit 74; exit 75; fi; sleep 0.1 2>/dev/null || sleep 1; done; \
        f=$d/authorized_keys; t=$f.vt-$$; n=0; \
        trap 'rm -f "$t"; rmdir "$l"' EXIT; trap 'exit 129' HUP; trap 'exit 130' INT; trap 'exit 143' TERM; \
        while [ -h "$f" ]; do n=$((n + 1)); [ $n -le 40 ] && r=$(readlink "$f") || exit 73; \
        case $r in /*) f=$r;; *) f=${f%/*}/$r;; esac; t=$f.vt-$$; done; \
        cr=$(printf '\\r'); IFS="$IFS$cr"; set -f; set -- $line; k="$1 $2"; s=added; m=600; \
        if [ -e "$f" ]; then [ -f "$f" ] && [ -r "$f" ] || exit 73; \
        case $(ls -ldn "$f") in -r--------*) m=400;; esac; \
        while IFS= read -r x || [ -n "$x" ]; do set -- $x; case $1 in '#'*) continue;; esac; \
        case " $* " in " $k "*) s=present; break;; *" $k "*) s=restricted;; esac; done <"$f" || exit 73; fi; \
        if [ $s = added ]; then rm -f "$t"; true >"$t" || exit 74; \
        if [ -s "$f" ]; then cat "$f" >"$t" || exit 74; [ -z "$(tail -c 1 "$f")" ] || echo >>"$t" || exit 74; fi; \
        printf '%s\\n' "$line" >>"$t" && chmod $m "$t" && mv -f "$t" "$f" || exit 74; \
        if command -v restorecon >/dev/null 2>&1; then restorecon "$d" "$f" >/dev/null 2>&1; fi; fi; \
        printf '%s%s:%s\\n' vt-key-deploy: "$s" "$f"
        """

    static let request = ExecRequest(.arguments(["sh", "-c", text, "vt"]))
}
