import Core

/// A private key file in OpenSSH's own format (PROTOCOL.key in OpenSSH's source).
struct OpenSSHKeyFile {
    /// The name of the cipher; `none` if the file is not encrypted.
    let cipher: String
    let publicKey: [UInt8]
    /// The key, if it is an unencrypted RSA key.
    let rsaKey: RSAKey?

    /// The ciphers that libssh2 can decrypt; it supports no authenticated cipher here.
    static let supportedCiphers: Set<String> = [
        "none", "aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-cbc", "aes192-cbc", "aes256-cbc", "3des-cbc",
    ]

    private static let magic = Array("openssh-key-v1\0".utf8)

    var isEncrypted: Bool { cipher != "none" }

    /// Returns nil if the file is damaged, or contains more than one key.
    init?(armoured contents: [UInt8]) {
        guard var parts = Self.parts(armoured: contents) else { return nil }
        defer { parts.wipe() }
        cipher = parts.cipher
        publicKey = Array(parts.publicKey)
        let rsaKey = parts.cipher != "none" ? nil : RSAKey(openSSH: parts.section)
        guard rsaKey == nil || rsaKey?.publicKey == publicKey else { return nil }
        self.rsaKey = rsaKey
    }

    /// The parts of a file; the slices share the storage of `bytes`.
    struct Parts {
        var bytes: [UInt8]
        /// The name of the cipher; `none` if the file is not encrypted.
        var cipher: String
        /// The name of the function that derives the key from a passphrase, and its options.
        var derivation: String
        var derivationOptions: ArraySlice<UInt8>
        var publicKey: ArraySlice<UInt8>
        /// The section with the private key, which might be encrypted.
        var section: ArraySlice<UInt8>

        mutating func wipe() {
            // While a slice shares the storage, changing the array would change a copy.
            (derivationOptions, publicKey, section) = ([], [], [])
            bytes.wipe()
        }
    }

    /// Returns nil if the file is damaged, or contains more than one key.
    static func parts(armoured contents: [UInt8]) -> Parts? {
        guard let bytes = decode(contents), bytes.starts(with: magic) else { return nil }
        var reader = WireReader(bytes.dropFirst(magic.count))
        guard let cipher = reader.text(), let derivation = reader.text(), let options = reader.string(),
            reader.uint32() == 1, let key = reader.string(), let section = reader.string()
        else { return nil }
        return Parts(
            bytes: bytes,
            cipher: cipher,
            derivation: derivation,
            derivationOptions: options,
            publicKey: key,
            section: section
        )
    }

    private static func decode(_ contents: [UInt8]) -> [UInt8]? {
        var text: [UInt8] = []
        // Reallocation would leave copies in memory.
        text.reserveCapacity(contents.count)
        defer { text.wipe() }
        var isInside = false
        for line in contents.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            guard isInside else {
                // Other text can precede the key.
                isInside = String(decoding: line, as: UTF8.self).contains("-----BEGIN OPENSSH PRIVATE KEY-----")
                continue
            }
            guard line.first != UInt8(ascii: "-") else { break }
            text.append(contentsOf: line.lazy.filter { $0 > 0x20 })
        }
        return Base64.decode(text)
    }
}
