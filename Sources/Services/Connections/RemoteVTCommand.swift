import Core

/// The command that runs vt on a server.
package enum RemoteVTCommand {
    /// Where `vt install` puts the program by default, relative to the home directory.
    package static let homePath = ".local/bin/vt"

    /// The exit status of the script, also in the error it prints, if vt is not installed; no error of vt has this one.
    static let notInstalledStatus: UInt8 = 127

    /// The bytes that precede the output of vt; anything before them was printed by the startup files of a shell.
    package static let marker = Array("\u{1E}vt\n".utf8)

    /// Finds and executes vt, after printing the marker.
    ///
    /// Non-interactive shells seldom have `~/.local/bin` in PATH, and PATH must not change for the programs vt starts.
    private static let script: ByteString = """
        vt=$HOME/.local/bin/vt; [ -x "$vt" ] || vt=$(command -v vt) || \
        { echo '{"error":{"code":"not-found","exit":127,"message":"vt is not installed"}}' >&2; exit 127; }; \
        printf '\\036vt\\n'; exec "$vt" "$@"
        """

    /// Runs `vt WORDS…` with any login shell.
    package static func request(_ words: [ByteString]) -> ExecRequest {
        ExecRequest(.arguments(["sh", "-c", script, "vt"] + words))
    }
}
