import Core

/// The sh(1) scripts that an installation runs on the server.
///
/// Each starts a new line before its output, because the login shell's startup files might have printed part of a line.
enum InstallScript {
    /// The exit statuses of `finish`, each of which identifies the step that failed.
    enum Failure: UInt32 {
        case unverified = 71
        case damaged = 72
        case doesNotRun = 73
        case notRenamed = 74
        case isNotVT = 75
        case notExecutable = 76
    }

    /// The exit statuses of `send`.
    enum SendFailure: UInt32 {
        case notCreated = 73
        case notWritten = 74
    }

    /// The exit status of `look` if the path is relative to the home directory, but there is none.
    static let homelessStatus: UInt32 = 66

    /// Prints four lines: the system, the machine, the absolute path of `$1`, and what exists there, as `directory`,
    /// `special` for a device or the like, the SHA-256 digest of an executable file, `other` or `none`.
    private static let look: ByteString = """
        case $1 in /*) t=$1;; *) [ -n "${HOME-}" ] || exit 66; t=$HOME/${1#'~/'};; esac; \
        echo; uname -s && uname -m && printf '%s\\n' "$t"; \
        if [ -d "$t" ]; then echo directory; elif [ -e "$t" ] && ! [ -f "$t" ]; then echo special; \
        elif [ -x "$t" ]; then sha256sum <"$t" || echo other; \
        elif [ -e "$t" ]; then echo other; else echo none; fi
        """

    /// Writes `$2` bytes of standard input to the new executable file `$1`, whose directory is created if it does not
    /// exist, and syncs it to disk if sync(1) can do that for a file; removes the file if bytes are missing.
    ///
    /// With -C, the redirection fails if the file exists.
    private static let send: ByteString = """
        mkdir -p -- "${1%/*}/" || exit 73; set -C; umask 077; trap '' HUP PIPE; \
        { cat && [ "$(wc -c <"$1")" -eq "$2" ] && chmod 755 "$1" || { rm -f -- "$1"; exit 74; }; \
        sync "$1" 2>/dev/null || :; } >"$1" || exit 73
        """

    /// Runs the program `$1`, which must print a version of vt.
    private static let run = #"v=$("$1" version </dev/null) || exit 73; case $v in 'vt '*) ;; *) exit 75;; esac"#

    private static let show = #"printf '\n%s\n' "$v""#

    private static let version = ByteString("\(run); \(show)")

    private static let remove: ByteString = #"rm -f -- "$1""#

    /// Checks the file `$1` against the digest `$3`, runs it and atomically replaces `$2` with it; prints its version.
    ///
    /// The file has been made executable, so only the file system can prevent its execution (access(2)).
    ///
    /// Files of interrupted installations are deleted if they are more than an hour old.
    private static let finish = ByteString(
        """
        s=$(sha256sum <"$1") || exit 71; [ "${s%% *}" = "$3" ] || exit 72; [ -x "$1" ] || exit 76; \(run); mv -fT -- "$1" "$2" || exit 74; \
        find "${2%/*}/" -maxdepth 1 -name '.vt-install-*' -mmin +60 -delete 2>/dev/null; \(show)
        """
    )

    static func examination(of path: String) -> ExecRequest {
        request(look, [path])
    }

    static func sending(to path: String, sizeBytes: Int) -> ExecRequest {
        request(send, [path, String(sizeBytes)])
    }

    static func removing(_ path: String) -> ExecRequest {
        request(remove, [path])
    }

    static func finishing(_ temporary: String, as path: String, sha256: String) -> ExecRequest {
        request(finish, [temporary, path, sha256])
    }

    static func version(of path: String) -> ExecRequest {
        request(version, [path])
    }

    private static func request(_ script: ByteString, _ words: [String]) -> ExecRequest {
        ExecRequest(.arguments(["sh", "-c", script, "vt"] + words.map { ByteString($0) }))
    }
}
