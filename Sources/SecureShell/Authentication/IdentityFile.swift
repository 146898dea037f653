import Core

/// What a private key file tells without its passphrase.
struct IdentityFile: Sendable {
    /// Which kind of key it is, as far as that matters before it is used.
    enum Kind: Sendable {
        case rsa
        /// DSA: gone from OpenSSH and from this program.
        case dsa
        /// Ed25519 or ECDSA.
        case modern
        /// Only the library can tell (PKCS #8).
        case unknown
    }

    var path: String
    /// The whole file, as the library reads it.
    var contents: [UInt8]
    var kind: Kind
    var isEncrypted: Bool
    /// The public key in wire form, where the file shows it; the agent knows keys by it.
    var publicKey: [UInt8]?

    /// Reads the armour and the clear part of a key file.
    ///
    /// OpenSSH's own format (PROTOCOL.key) and the PEM formats of RFC 7468 are understood; all else is `data.invalid`.
    init(path: String, contents: [UInt8]) throws(VTError) {
        self.path = path
        self.contents = contents
        guard let begin = Self.armourLabel(contents) else { throw Self.refusal(path, contents) }
        switch begin {
        case "OPENSSH PRIVATE KEY":
            guard let header = OpenSSHKeyHeader(armoured: contents) else {
                throw VTError(.dataInvalid, "private key '\(path)' is damaged")
            }
            publicKey = header.publicKey
            isEncrypted = header.isEncrypted
            kind =
                switch HostKey(blob: header.publicKey)?.type {
                case "ssh-rsa": .rsa
                case "ssh-dss": .dsa
                default: .modern
                }
        case "RSA PRIVATE KEY", "DSA PRIVATE KEY", "EC PRIVATE KEY":
            kind = begin.hasPrefix("RSA") ? .rsa : begin.hasPrefix("DSA") ? .dsa : .modern
            isEncrypted = contents.contains("Proc-Type: 4,ENCRYPTED")
        case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
            kind = .unknown
            isEncrypted = begin.hasPrefix("ENCRYPTED")
        default:
            throw Self.refusal(path, contents)
        }
    }

    /// The words between `-----BEGIN ` and `-----` in the first line.
    private static func armourLabel(_ contents: [UInt8]) -> String? {
        let line = contents.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let text = String(validating: line.prefix(80), as: UTF8.self), text.hasPrefix("-----BEGIN "),
            text.hasSuffix("-----")
        else { return nil }
        return String(text.dropFirst("-----BEGIN ".count).dropLast("-----".count))
    }

    private static func refusal(_ path: String, _ contents: [UInt8]) -> VTError {
        let hint: String? =
            if contents.starts(with: Array("PuTTY-User-Key-File".utf8)) {
                "convert it: puttygen '\(path)' -O private-openssh-new -o NEWFILE"
            } else if contents.starts(with: Array("ssh-".utf8)) || contents.starts(with: Array("ecdsa-".utf8)) {
                "that is a public key: name the file without .pub"
            } else {
                nil
            }
        return VTError(.dataInvalid, "'\(path)' is no private key that can be used", hint: hint)
    }
}

/// The clear beginning of OpenSSH's private key format (PROTOCOL.key in OpenSSH's source).
private struct OpenSSHKeyHeader {
    var isEncrypted: Bool
    var publicKey: [UInt8]

    init?(armoured contents: [UInt8]) {
        let lines = contents.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let body = lines.drop { $0.first != UInt8(ascii: "-") }.dropFirst().prefix { $0.first != UInt8(ascii: "-") }
        let text = body.joined().filter { $0 > 0x20 }
        guard let bytes = Base64.decode(text), bytes.starts(with: Array("openssh-key-v1\0".utf8)) else { return nil }
        var reader = WireReader(bytes.dropFirst("openssh-key-v1\0".utf8.count))
        guard let cipher = reader.text(), reader.string() != nil, reader.string() != nil, reader.uint32() == 1,
            let key = reader.string()
        else { return nil }
        isEncrypted = cipher != "none"
        publicKey = Array(key)
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard count >= pattern.count else { return false }
        return indices.dropLast(pattern.count - 1).contains { self[$0...].starts(with: pattern) }
    }
}
