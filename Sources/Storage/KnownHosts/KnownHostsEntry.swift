import Core

/// A line of a known_hosts file that contains a key.
struct KnownHostsEntry {
    enum Names {
        /// Names and patterns in lower case; patterns that start with `!` exclude names.
        case patterns([String])
        /// HMAC-SHA1 of one name, with the salt as the key.
        case hashed(salt: [UInt8], digest: [UInt8])

        /// Returns whether these names match a host, given by its `Endpoint.knownHostsName`.
        func matches(_ name: String) -> Bool {
            switch self {
            case .patterns(let patterns): Wildcard.matches(anyOf: patterns, name)
            case .hashed(let salt, let digest): Digests.hmacSHA1(Array(name.utf8), key: salt) == digest
            }
        }
    }

    var marker: KnownHost.Marker?
    var names: Names
    /// The names as written in the file.
    var namesText: String
    var key: HostKey
    var file: String
    /// The line number, starting at 1.
    var line: Int

    /// Returns whether the entry applies to a host, given by its `Endpoint.knownHostsName`.
    func matches(_ name: String) -> Bool {
        names.matches(name)
    }

    /// Returns whether the entry contains the host's exact name, so that forgetting the host removes it.
    func isLiteral(for name: String) -> Bool {
        switch names {
        case .patterns(let patterns): patterns.contains(name)
        case .hashed: matches(name)
        }
    }

    /// Whether a name can be written to a file without being interpreted as anything else.
    static func isPlainName(_ name: String) -> Bool {
        let special = Set(",*?!|#@".utf8)
        return !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !special.contains($0) }
    }

    /// The hashed form of a name, with a random salt: `|1|SALT|DIGEST` (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
    static func hashed(_ name: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<20).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return "|1|\(Base64.encode(salt))|\(Base64.encode(Digests.hmacSHA1(Array(name.utf8), key: salt)))"
    }

    func described(isOwn: Bool) -> KnownHost {
        KnownHost(
            names: namesText,
            marker: marker,
            keyType: key.type,
            fingerprint: Digests.fingerprint(key.blob),
            file: file,
            line: line,
            isOwn: isOwn
        )
    }
}
