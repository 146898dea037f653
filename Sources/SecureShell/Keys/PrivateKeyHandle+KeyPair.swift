import Core

extension PrivateKeyHandle {
    /// The length of a Base64 line in bytes, as written by ssh-keygen(1).
    private static let lineBytes = 70
    /// Unencrypted sections are padded to this size.
    private static let blockBytes = 8

    /// The key as an unencrypted file in OpenSSH's format (PROTOCOL.key in OpenSSH's source), with its public half.
    ///
    /// Returns nil for an unsupported key type, or if libcrypto fails.
    func pair(comment: String) -> KeyPair? {
        guard var parts = openSSHParts else { return nil }
        defer { parts.privateKey.wipe() }
        guard let publicKey = PublicKey(blob: parts.publicKey, comment: comment) else { return nil }
        var section = Self.section(parts.privateKey, comment: comment)
        defer { section.wipe() }
        var bytes = Array("openssh-key-v1\0".utf8)
        defer { bytes.wipe() }
        for word in ["none", "none", ""] { bytes.appendString(Array(word.utf8)) }
        bytes.appendUInt32(1)
        bytes.appendString(parts.publicKey)
        bytes.appendString(section)
        guard let secret = try? Secret(Array(Self.armored(bytes).utf8)) else { return nil }
        return KeyPair(privateKey: secret, publicKey: publicKey, isEncrypted: false)
    }

    /// The section that would be encrypted; its two equal random numbers would show that the passphrase is correct.
    private static func section(_ privateKey: [UInt8], comment: String) -> [UInt8] {
        let check = UInt32.random(in: .min ... .max)
        var section: [UInt8] = []
        // Reallocation would leave copies in memory.
        section.reserveCapacity(privateKey.count + comment.utf8.count + 64)
        section.appendUInt32(check)
        section.appendUInt32(check)
        section += privateKey
        section.appendString(Array(comment.utf8))
        var padding: UInt8 = 1
        while section.count % blockBytes != 0 {
            section.append(padding)
            padding += 1
        }
        return section
    }

    private static func armored(_ bytes: [UInt8]) -> String {
        let text = Base64.encode(bytes)
        var lines = ["-----BEGIN OPENSSH PRIVATE KEY-----"]
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(lineBytes)))
            rest = rest.dropFirst(lineBytes)
        }
        lines.append("-----END OPENSSH PRIVATE KEY-----")
        return lines.joined(separator: "\n") + "\n"
    }
}
