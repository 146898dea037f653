/// A host key in a known_hosts file.
package struct KnownHost: Hashable, Sendable {
    /// The role of a key other than a host's own (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
    package enum Marker: String, CaseIterable, Hashable, JSONValue, Sendable {
        case revoked
        case certificateAuthority = "cert-authority"
    }

    /// Comma-separated names and patterns, or one hashed name, `|1|…`, as in the file.
    package var names: String
    package var marker: Marker?
    package var keyType: String
    package var fingerprint: String
    package var file: String
    /// The line number, starting at 1.
    package var line: Int
    /// Whether the file is vt's own, the only known_hosts file that vt changes.
    package var isOwn: Bool

    package init(
        names: String,
        marker: Marker?,
        keyType: String,
        fingerprint: String,
        file: String,
        line: Int,
        isOwn: Bool
    ) {
        self.names = names
        self.marker = marker
        self.keyType = keyType
        self.fingerprint = fingerprint
        self.file = file
        self.line = line
        self.isOwn = isOwn
    }
}
