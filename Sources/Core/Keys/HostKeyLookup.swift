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

    package init() {}

    /// The name to look up: the server's name in known_hosts files, or the alias.
    package func name(of endpoint: Endpoint) -> String {
        alias?.lowercased() ?? endpoint.knownHostsName
    }
}
