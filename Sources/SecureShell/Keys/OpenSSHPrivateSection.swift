import Core

/// The private section of an unencrypted key file in OpenSSH's format (PROTOCOL.key in OpenSSH's source).
struct OpenSSHPrivateSection {
    /// The public key in wire format, from the numbers in the section.
    let publicKey: [UInt8]
    let comment: String

    /// Returns nil if the section is damaged, or the key has a type that vt does not support.
    init?(_ section: ArraySlice<UInt8>) {
        var reader = WireReader(section)
        guard let check = reader.uint32(), reader.uint32() == check, let type = reader.text(),
            let fields = Self.publicFields(of: type, &reader), let comment = reader.text(),
            reader.remainder().enumerated().allSatisfy({ $1 == UInt8(truncatingIfNeeded: $0 + 1) })
        else { return nil }
        var blob: [UInt8] = []
        for field in [Array(type.utf8)] + fields { blob.appendString(field) }
        publicKey = blob
        self.comment = comment
    }

    /// Reads the numbers of a key, and returns those of its public half.
    private static func publicFields(of type: String, _ reader: inout WireReader) -> [[UInt8]]? {
        switch type {
        case "ssh-ed25519":
            guard let key = reader.string(), let secret = reader.string(), secret.count == 64,
                secret.suffix(32).elementsEqual(key),
                let handle = PrivateKeyHandle(ed25519Seed: secret.prefix(32)),
                handle.ed25519Keys?.publicKey.elementsEqual(key) == true
            else { return nil }
            return [Array(key)]
        case "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521":
            guard let curve = reader.text(), type == "ecdsa-sha2-\(curve)", let point = reader.string(),
                reader.string() != nil
            else { return nil }
            return [Array(curve.utf8), Array(point)]
        case "ssh-rsa":
            guard let modulus = reader.string(), let exponent = reader.string(),
                // The private exponent, the coefficient and the primes.
                (0..<4).allSatisfy({ _ in reader.string() != nil })
            else { return nil }
            return [Array(exponent), Array(modulus)]
        default: return nil
        }
    }
}
