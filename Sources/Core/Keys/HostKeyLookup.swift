/// Where the key of a server is looked up, and where a new one is stored.
package struct HostKeyLookup: Hashable, Sendable {
    /// The user's known_hosts files (ssh_config(5), UserKnownHostsFile), the first of which receives new keys; nil
    /// means vt's own file, which then receives new keys, and the files that OpenSSH reads by default.
    ///
    /// Missing files count as empty. A new key is not stored if the list is empty or starts with `/dev/null`.
    package var userFiles: [String]?
    /// The system-wide known_hosts files (GlobalKnownHostsFile); nil means the files that OpenSSH reads by default.
    package var globalFiles: [String]?
    /// An additional file to read, which must exist.
    package var additionalFile: String?
    /// The name to use instead of the server's host and port (HostKeyAlias).
    package var alias: String?
    /// Whether the names of new keys in `userFiles` are hashed (HashKnownHosts); vt's own file has plain names.
    package var hashesNames = false
    /// A file with keys that are never trusted (RevokedHostKeys): public keys, or a key revocation list.
    package var revokedKeys: String?
    /// The words of a command that prints known keys (KnownHostsCommand), in which only the tokens `%H`, `%I`, `%K`,
    /// `%f`, `%t` and `%%` are not yet expanded; empty if there is none.
    package var command: [String] = []
    /// Whether the key must not contradict one that is known for the server's address (CheckHostIP).
    package var checksAddress = false
    /// The minimum size of an RSA key (RequiredRSASize).
    package var minimumRSABits: Int?
    /// The output of `command`, in the format of known_hosts files.
    package var listedKeys: [UInt8] = []
    /// The server's address, once it is known and has to be checked.
    package var address: String?

    /// The name of the option with `command`, which stands for a file name in messages.
    package static let commandName = "KnownHostsCommand"

    package init() {}

    /// The name to look up: the server's name in known_hosts files, or the alias.
    package func name(of endpoint: Endpoint) -> String {
        alias?.lowercased() ?? endpoint.knownHostsName
    }
}
