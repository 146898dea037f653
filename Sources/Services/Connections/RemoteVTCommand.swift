import Core

/// The command that runs vt on a server.
package enum RemoteVTCommand {
    /// Where `vt install` puts the program by default, relative to the home directory.
    package static let homePath = ".local/bin/vt"

    /// The script's exit status if vt is not installed; vt itself never uses this status.
    static let notInstalledStatus: UInt8 = 127

    static func installHint(for server: String) -> String { "to install it, use 'vt install \(server)'" }

    /// The bytes that precede the output of vt; anything before them comes from a shell's startup files.
    package static let marker = Array("\u{1E}vt\n".utf8)

    /// Finds and executes vt, after printing the marker.
    ///
    /// Non-interactive shells seldom have `~/.local/bin` in PATH, and PATH must not change for the programs vt starts.
    private static let script: ByteString = """
        vt=$HOME/.local/bin/vt; [ -x "$vt" ] || vt=$(command -v vt) || \
        { echo 'vt is not installed' >&2; exit 127; }; \
        printf '\\036vt\\n'; exec "$vt" "$@"
        """

    /// The requests that do not need a shell to be performed.
    static let relay = request(["relay"])
    static let version = request(["version"])

    /// A request that runs `vt WORDS…`, regardless of the login shell.
    package static func request(_ words: [ByteString]) -> ExecRequest {
        ExecRequest(.arguments(["sh", "-c", script, "vt"] + words))
    }
}
