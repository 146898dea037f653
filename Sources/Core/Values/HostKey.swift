/// A server's public key as it travels in the key exchange.
package struct HostKey: Hashable, Sendable {
    /// The key type that the blob itself names, such as `ssh-ed25519`.
    package var type: String
    /// The wire form (RFC 4253 §6.6), which known_hosts files carry in Base64.
    package var blob: [UInt8]

    /// Reads the key type out of the blob.
    ///
    /// Returns nil when the blob does not begin with a name of 1–64 printable ASCII characters (RFC 4251 §6).
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
