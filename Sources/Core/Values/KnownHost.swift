/// A host key that a known_hosts file holds.
package struct KnownHost: Hashable, Sendable {
    /// What a key stands for besides a host's own key (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
    package enum Marker: String, Hashable, Sendable {
        case revoked
        case certificateAuthority = "cert-authority"
    }

    /// Names and patterns with commas between them, or one hashed name, `|1|…`, as the file has them.
    package var names: String
    package var marker: Marker?
    package var keyType: String
    package var fingerprint: String
    package var file: String
    /// Counted from 1.
    package var line: Int
    /// Whether the file is vt's own, which alone vt changes.
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
