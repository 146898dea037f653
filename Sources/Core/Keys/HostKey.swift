/// A server's public key in the format of the key exchange.
package struct HostKey: Hashable, Sendable {
    /// The key type given in the blob, such as `ssh-ed25519`.
    package var type: String
    /// The wire format (RFC 4253 §6.6), which known_hosts files store in Base64.
    package var blob: [UInt8]

    /// Parses the key type in the blob.
    ///
    /// Returns nil unless the blob starts with a name of 1–64 printable ASCII characters (RFC 4251 §6).
    package init?(blob: [UInt8]) {
        guard blob.count >= 4 else { return nil }
        let length = blob[0..<4].reduce(0) { $0 << 8 | Int($1) }
        guard (1...64).contains(length), blob.count >= 4 + length else { return nil }
        let name = blob[4..<4 + length]
        guard name.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        type = String(decoding: name, as: UTF8.self)
        self.blob = blob
    }
}

extension HostKey {
    /// The size of an RSA key, which is the number of bits of its modulus (RFC 4253 §6.6); nil for other types.
    package var rsaBits: Int? {
        guard type == "ssh-rsa" else { return nil }
        var reader = WireReader(blob[...])
        guard reader.string() != nil, reader.string() != nil, let modulus = reader.string()?.drop(while: { $0 == 0 })
        else { return nil }
        return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    }
}

/// Why a host key is trusted.
package enum TrustVerdict: String, Hashable, Sendable {
    /// The key was already known.
    case known
    /// The key was new and has been stored.
    case stored
    /// The key was new and has not been stored, because no file receives new keys.
    case accepted
    /// The key matches the pinned fingerprint.
    case pinned
}
