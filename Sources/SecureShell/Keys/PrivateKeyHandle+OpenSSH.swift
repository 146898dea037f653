import Core

extension PrivateKeyHandle {
    /// The two halves of a key in OpenSSH's format: the public blob (RFC 4253 §6.6), and the fields of the private key
    /// (PROTOCOL.key in OpenSSH's source).
    ///
    /// Nil for an unsupported key type, or if libcrypto fails.
    var openSSHParts: (publicKey: [UInt8], privateKey: [UInt8])? {
        if isRSA { return rsaParts }
        if let curve { return ecdsaParts(curve) }
        guard let keys = ed25519Keys else { return nil }
        var blob: [UInt8] = []
        blob.appendString(Array("ssh-ed25519".utf8))
        blob.appendString(keys.publicKey)
        var fields = blob
        fields.appendString(keys.seed + keys.publicKey)
        return (blob, fields)
    }

    private var rsaParts: (publicKey: [UInt8], privateKey: [UInt8])? {
        guard let blob = rsaPublicKey else { return nil }
        var fields: [UInt8] = []
        fields.appendString(Array("ssh-rsa".utf8))
        for name in ["n", "e", "d", "rsa-coefficient1", "rsa-factor1", "rsa-factor2"] {
            guard let number = number(name) else { return nil }
            fields.appendString(number)
        }
        return (blob, fields)
    }

    private func ecdsaParts(_ curve: String) -> (publicKey: [UInt8], privateKey: [UInt8])? {
        let names = ["prime256v1": "nistp256", "secp384r1": "nistp384", "secp521r1": "nistp521"]
        guard let name = names[curve], let point = curvePoint, let number = number("priv") else { return nil }
        var blob: [UInt8] = []
        blob.appendString(Array("ecdsa-sha2-\(name)".utf8))
        blob.appendString(Array(name.utf8))
        blob.appendString(point)
        var fields = blob
        fields.appendString(number)
        return (blob, fields)
    }
}
