import Core

/// A private key file, with the data that can be read from it without a passphrase.
struct IdentityFile: Sendable {
    /// The kind of key, to the extent that it must be known before the key is used.
    enum Kind: Sendable {
        case rsa
        /// DSA, which neither OpenSSH nor vt supports.
        case dsa
        /// Ed25519 or ECDSA.
        case modern
        /// Only libcrypto can determine the kind (PKCS #8).
        case unknown
    }

    let path: String
    /// The complete file, which libssh2 or libcrypto parses.
    let contents: WipedBytes
    let kind: Kind
    let isEncrypted: Bool
    /// The public key in wire format, if the file contains it; used to find the key in the agent.
    let publicKey: [UInt8]?
    /// Whether the file is in OpenSSH's own format, which libcrypto does not support.
    let isOpenSSH: Bool
    /// The key, if it is an unencrypted RSA key in a format that libcrypto does not support.
    private let openSSHKey: RSAKey?

    /// Parses the armor and the unencrypted part of a key file; `bytes` are wiped.
    ///
    /// The formats are OpenSSH's own (PROTOCOL.key), traditional PEM (RFC 1421) and PKCS #8 (RFC 7468 §10 and §11).
    ///
    /// - Throws: `data.invalid` for any other contents.
    init(path: String, contents bytes: inout [UInt8]) throws(VTError) {
        self.path = path
        defer { bytes.wipe() }
        guard let (begin, start) = Self.armor(bytes) else { throw Self.refusal(path, bytes) }
        isOpenSSH = begin == "OPENSSH PRIVATE KEY"
        switch begin {
        case "OPENSSH PRIVATE KEY":
            guard let file = OpenSSHKeyFile(armoured: bytes) else { throw Self.damage(path) }
            publicKey = file.publicKey
            isEncrypted = file.isEncrypted
            guard OpenSSHKeyFile.supportedCiphers.contains(file.cipher) else {
                throw Self.refusal(path, cipher: file.cipher)
            }
            openSSHKey = file.rsaKey
            kind =
                switch HostKey(blob: file.publicKey)?.type {
                case "ssh-rsa": .rsa
                case "ssh-dss": .dsa
                default: .modern
                }
            if kind == .rsa, !isEncrypted, openSSHKey == nil { throw Self.damage(path) }
        case "RSA PRIVATE KEY", "DSA PRIVATE KEY", "EC PRIVATE KEY":
            kind = begin.hasPrefix("RSA") ? .rsa : begin.hasPrefix("DSA") ? .dsa : .modern
            isEncrypted = bytes.contains("Proc-Type: 4,ENCRYPTED")
            (publicKey, openSSHKey) = (nil, nil)
        case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
            kind = .unknown
            isEncrypted = begin.hasPrefix("ENCRYPTED")
            (publicKey, openSSHKey) = (nil, nil)
        default:
            throw Self.refusal(path, bytes)
        }
        contents = unsafe bytes.withUnsafeBytes { bytes in
            unsafe WipedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// The key, if it is an RSA key; nil for other types, with which libssh2 signs itself.
    ///
    /// - Throws: `auth.denied` for DSA, a file that cannot be decrypted, or a wrong passphrase; `data.invalid`.
    func rsaKey(passphrase: Secret?) throws(VTError) -> RSAKey? {
        switch try decrypt(with: passphrase) {
        case .key(let key): return key
        case .wrongPassphrase: throw wrongPassphrase
        }
    }

    /// The result of decrypting a file.
    enum Decryption {
        /// The key, if it is an RSA key.
        case key(RSAKey?)
        case wrongPassphrase
    }

    /// As `rsaKey`, except that a wrong passphrase is not an error.
    func decrypt(with passphrase: Secret?) throws(VTError) -> Decryption {
        switch kind {
        case .modern: return .key(nil)
        case .dsa: throw dsaRefusal
        case .rsa where isOpenSSH:
            if let openSSHKey { return .key(openSSHKey) }
            guard !cannotBeDecrypted, let passphrase else { throw encryptionRefusal }
            return try decryptOpenSSH(with: passphrase)
        case .rsa, .unknown:
            let key = unsafe contents.withBytes { unsafe PEMKey(PrivateKeyHandle(pem: $0, passphrase: passphrase)) }
            switch key {
            case .rsa(let key): return .key(key)
            case .dsa: throw dsaRefusal
            case .other where kind == .unknown: return .key(nil)
            case .unreadable where isEncrypted: return .wrongPassphrase
            case .other, .unreadable: throw Self.damage(path)
            }
        }
    }

    private func decryptOpenSSH(with passphrase: Secret) throws(VTError) -> Decryption {
        var text = unsafe contents.withBytes { unsafe Array($0) }
        defer { text.wipe() }
        guard var parts = OpenSSHKeyFile.parts(armoured: text) else { throw Self.damage(path) }
        defer { parts.wipe() }
        guard var section = OpenSSHKeyFile.decryptedSection(of: parts, passphrase: passphrase) else {
            throw Self.damage(path)
        }
        defer { section.wipe() }
        // With a wrong passphrase, the two numbers at the start differ.
        var reader = WireReader(section[...])
        guard reader.uint32() == reader.uint32() else { return .wrongPassphrase }
        guard let key = RSAKey(openSSH: section[...]), key.publicKey == publicKey else { throw Self.damage(path) }
        return .key(key)
    }

    /// Signs with an unencrypted Ed25519 key in OpenSSH's format (PROTOCOL.key in OpenSSH's source); nil for any other
    /// key.
    func ed25519Signature(of data: [UInt8]) -> [UInt8]? {
        guard isOpenSSH, !isEncrypted else { return nil }
        var text = unsafe contents.withBytes { unsafe Array($0) }
        defer { text.wipe() }
        guard var parts = OpenSSHKeyFile.parts(armoured: text) else { return nil }
        defer { parts.wipe() }
        var reader = WireReader(parts.section)
        guard let check = reader.uint32(), reader.uint32() == check, reader.text() == "ssh-ed25519",
            reader.string() != nil, let seed = reader.string()?.prefix(32), seed.count == 32,
            let key = PrivateKeyHandle(ed25519Seed: seed)
        else { return nil }
        return key.signature(of: data)
    }

    /// The result of parsing a file with libcrypto.
    private enum PEMKey {
        case rsa(RSAKey)
        case dsa
        case other
        case unreadable

        init(_ handle: consuming PrivateKeyHandle?) {
            guard let handle else {
                self = .unreadable
                return
            }
            self = handle.isDSA ? .dsa : RSAKey(handle).map { .rsa($0) } ?? .other
        }
    }

    /// Whether the key cannot be decrypted even with the right passphrase.
    var cannotBeDecrypted: Bool {
        kind == .rsa && isOpenSSH && isEncrypted && !OpenSSHKeyFile.canDecrypt
    }

    // MARK: - Errors

    /// The error for a wrong passphrase.
    var wrongPassphrase: VTError {
        VTError(.authDenied, "cannot decrypt private key '\(path)': wrong passphrase")
    }

    private var dsaRefusal: VTError {
        VTError(.authDenied, "cannot use DSA key '\(path)': servers no longer accept DSA")
    }

    /// The error for an encrypted RSA key in OpenSSH's format, if `OpenSSHKeyFile.canDecrypt` is false.
    private var encryptionRefusal: VTError {
        let file = ByteString(path).shellQuoted.repairedText
        return VTError(
            .authDenied,
            "cannot decrypt RSA key '\(path)' in OpenSSH format",
            hint: "add it to an agent: ssh-add \(file); or convert it to PEM: ssh-keygen -p -m PEM -f \(file)"
        )
    }

    private static func damage(_ path: String) -> VTError {
        VTError(.dataInvalid, "private key '\(path)' is corrupt")
    }

    private static func refusal(_ path: String, cipher: String) -> VTError {
        let file = ByteString(path).shellQuoted.repairedText
        return VTError(
            .authDenied,
            "cannot decrypt private key '\(path)': vt does not support the cipher '\(cipher)'",
            hint: "add it to an agent: ssh-add \(file); or encrypt it differently: "
                + "ssh-keygen -p -Z aes256-ctr -f \(file)"
        )
    }

    /// The label between `-----BEGIN ` and `-----` in the first line that starts a private key, and where the line
    /// starts.
    ///
    /// Text and other blocks can precede the key, such as the attributes that openssl-pkcs12(1) prints.
    private static func armor(_ contents: [UInt8]) -> (label: String, start: Int)? {
        let (begin, end) = ("-----BEGIN ", "-----")
        for line in contents.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            var line = line.drop { $0 <= 0x20 || byteOrderMark.contains($0) }
            while let last = line.last, last <= 0x20 { line.removeLast() }
            guard line.count <= 80, line.starts(with: Array(begin.utf8)),
                let text = String(validating: line, as: UTF8.self), text.hasSuffix("PRIVATE KEY\(end)")
            else { continue }
            return (String(text.dropFirst(begin.count).dropLast(end.count)), line.startIndex)
        }
        return nil
    }

    /// U+FEFF in UTF-8, which editors on Windows put at the start of a file.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func refusal(_ path: String, _ contents: [UInt8]) -> VTError {
        if isPublic(contents) {
            let isNamedSo = path.hasSuffix(".pub")
            return VTError(
                .dataInvalid,
                "'\(path)' is a public key: specify the private key",
                hint: isNamedSo ? "--identity \(ByteString(String(path.dropLast(4))).shellQuoted.repairedText)" : nil
            )
        }
        var hint: String?
        if contents.starts(with: Array("PuTTY-User-Key-File".utf8)) {
            hint = "convert it: puttygen '\(path)' -O private-openssh-new -o NEWFILE"
        }
        return VTError(.dataInvalid, "'\(path)' is not a private key", hint: hint)
    }

    /// Whether a file starts like a public key or certificate: an OpenSSH line (sshd(8), AUTHORIZED_KEYS FILE FORMAT),
    /// RFC 4716 or RFC 7468 §13.
    static func isPublic(_ contents: [UInt8]) -> Bool {
        let beginnings = [
            "ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "---- BEGIN SSH2 PUBLIC KEY", "-----BEGIN PUBLIC KEY",
            "-----BEGIN RSA PUBLIC KEY",
        ]
        return beginnings.contains { contents.starts(with: Array($0.utf8)) }
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard count >= pattern.count else { return false }
        return indices.dropLast(pattern.count - 1).contains { self[$0...].starts(with: pattern) }
    }
}
