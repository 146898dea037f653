import Core

/// The command that runs the vt of a server.
package enum RemoteVTCommand {
    /// Where `vt install` puts the program, in the home directory.
    package static let homePath = ".local/bin/vt"

    /// What the failure that the script itself tells has as its exit status; no failure of vt has it.
    static let notInstalledStatus: UInt8 = 127

    /// Finds vt and becomes it.
    ///
    /// Non-interactive shells seldom have `~/.local/bin` in PATH, and PATH stays as it is for what vt starts.
    private static let script: ByteString = """
        vt=$HOME/.local/bin/vt; [ -x "$vt" ] || vt=$(command -v vt) || \
        { echo '{"error":{"code":"not-found","exit":127,"message":"vt is not installed"}}' >&2; exit 127; }; \
        exec "$vt" "$@"
        """

    /// Runs `vt WORDS…`, whatever the login shell is.
    package static func request(_ words: [ByteString]) -> ExecRequest {
        ExecRequest(.arguments(["sh", "-c", script, "vt"] + words))
    }
}
