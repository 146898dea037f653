/// The public half of a user's key.
package struct PublicKey: Hashable, Sendable {
    /// The key type given in the blob, such as `ssh-ed25519`.
    package var type: String
    /// The wire format (RFC 4253 §6.6).
    package var blob: [UInt8]
    package var comment: String

    /// Returns nil if the blob does not start with the name of a key type.
    package init?(blob: [UInt8], comment: String) {
        guard let key = HostKey(blob: blob) else { return nil }
        type = key.type
        self.blob = blob
        self.comment = comment
    }

    /// The size of the key, as `ssh-keygen -l` prints it; nil for types other than Ed25519, ECDSA and RSA.
    package var bits: Int? {
        switch type {
        case "ssh-ed25519", "ecdsa-sha2-nistp256": 256
        case "ecdsa-sha2-nistp384": 384
        case "ecdsa-sha2-nistp521": 521
        case "ssh-rsa": HostKey(blob: blob)?.rsaBits
        default: nil
        }
    }

    /// The type and the key, as in authorized_keys files, without the comment.
    package var text: String {
        "\(type) \(Base64.encode(blob))"
    }

    /// The line of a `.pub` file and of an authorized_keys file, without its line end.
    package var line: String {
        comment.isEmpty ? text : "\(text) \(comment)"
    }
}
