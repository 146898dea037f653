import Core

/// Generates and parses key pairs with libcrypto.
package struct LibraryKeyPairSource: KeyPairSource {
    package init() {}

    package func generate(_ kind: KeyKind, comment: String) throws(VTError) -> KeyPair {
        guard let key = PrivateKeyHandle(generating: kind), let pair = key.pair(comment: comment) else {
            throw VTError(.system, "cannot generate a key: libcrypto failed")
        }
        return pair
    }

    package func parse(_ contents: [UInt8], name: String, comment: String) throws(VTError) -> KeyPair {
        guard !IdentityFile.isPublic(contents) else {
            throw VTError(
                .dataInvalid,
                "'\(name)' is a public key",
                hint: "specify the private key, which is usually in the file without '.pub'"
            )
        }
        var text = Self.normalized(contents)
        defer { text.wipe() }
        var bytes = text
        let file = try IdentityFile(path: name, contents: &bytes)
        if file.isOpenSSH { return try openSSHPair(text, name: name, comment: comment) }
        guard !file.isEncrypted else {
            throw VTError(
                .dataInvalid,
                "'\(name)' is an encrypted PEM file, whose public key cannot be determined",
                hint: "convert a copy of it to OpenSSH format first: ssh-keygen -p -f COPY"
            )
        }
        let pair: Result<KeyPair, VTError> = unsafe text.withUnsafeBytes { bytes in
            guard let key = unsafe PrivateKeyHandle(pem: bytes, passphrase: nil) else {
                return .failure(VTError(.dataInvalid, "private key '\(name)' is corrupt"))
            }
            return key.pair(comment: comment).map { .success($0) } ?? .failure(Self.isUnsupported(name))
        }
        return try pair.get()
    }

    package func signingKeys(of credentials: Credentials) async throws(VTError) -> [SigningKey] {
        let type = "ssh-ed25519"
        var credentials = credentials
        credentials.methods = [.publicKey]
        let found = try await PreparedCredentials(credentials, of: "", prompter: nil, accepting: [type])
        var keys: [SigningKey] = []
        for key in found.agentKeys where key.type == type {
            guard let agent = found.agent, let publicKey = PublicKey(blob: key.blob, comment: key.comment) else {
                continue
            }
            keys.append(
                SigningKey(publicKey) { (data) async throws(VTError) in
                    try await agent.sign(data, with: key, algorithm: type)
                }
            )
        }
        for file in found.identities.map(\.file) where !file.isEncrypted {
            guard let blob = file.publicKey, let publicKey = PublicKey(blob: blob, comment: ""), publicKey.type == type
            else { continue }
            keys.append(
                SigningKey(publicKey) { (data) throws(VTError) in
                    guard let signature = file.ed25519Signature(of: data) else {
                        throw VTError(.dataInvalid, "private key '\(file.path)' is corrupt")
                    }
                    return signature
                }
            )
        }
        return keys
    }

    /// A key that is already in OpenSSH's format is not changed.
    private func openSSHPair(_ text: [UInt8], name: String, comment: String) throws(VTError) -> KeyPair {
        let damage = VTError(.dataInvalid, "private key '\(name)' is corrupt")
        guard var parts = OpenSSHKeyFile.parts(armoured: text) else { throw damage }
        defer { parts.wipe() }
        guard var publicKey = PublicKey(blob: Array(parts.publicKey), comment: comment) else { throw damage }
        guard publicKey.bits != nil else { throw Self.isUnsupported(name) }
        let isEncrypted = parts.cipher != "none"
        if !isEncrypted {
            guard let section = OpenSSHPrivateSection(parts.section), section.publicKey == publicKey.blob else {
                throw damage
            }
            if !section.comment.isEmpty { publicKey.comment = section.comment }
        }
        return KeyPair(privateKey: try Secret(text), publicKey: publicKey, isEncrypted: isEncrypted)
    }

    private static func isUnsupported(_ name: String) -> VTError {
        VTError(
            .dataInvalid,
            "private key '\(name)' has a type that vt does not support",
            hint: "use an Ed25519, ECDSA (NIST curves) or RSA key"
        )
    }

    /// The text with LF line endings, without surrounding white space.
    private static func normalized(_ contents: [UInt8]) -> [UInt8] {
        let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        // A byte order mark, which some editors write.
        let text = contents.starts(with: [0xef, 0xbb, 0xbf]) ? contents.dropFirst(3) : contents[...]
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count + 1)
        var former: UInt8 = lineFeed
        for byte in text.drop(while: { $0 <= 0x20 }) {
            if byte == carriageReturn {
                lines.append(lineFeed)
            } else if byte != lineFeed || former != carriageReturn {
                lines.append(byte)
            }
            former = byte
        }
        while let last = lines.last, last <= 0x20 { lines.removeLast() }
        lines.append(lineFeed)
        return lines
    }
}
