import Core

/// An RSA private key that signs as RFC 8332 wants it; libssh2 1.10 itself knows SHA-1 only.
struct RSAKey: Sendable {
    /// The public half in wire form (RFC 4253 §6.6).
    let publicKey: [UInt8]
    /// The key as libcrypto writes it.
    private let der: WipedBytes

    /// Nil for a key of another type.
    init?(_ key: borrowing PrivateKeyHandle) {
        guard key.isRSA, let publicKey = key.rsaPublicKey, let der = key.der else { return nil }
        self.publicKey = publicKey
        self.der = der
    }

    /// Reads the private part of an OpenSSH key file that is not encrypted (PROTOCOL.key in OpenSSH's source).
    ///
    /// Nil when it is damaged, or of another type.
    init?(openSSH section: ArraySlice<UInt8>) {
        var reader = WireReader(section)
        guard let check = reader.uint32(), reader.uint32() == check, reader.text() == "ssh-rsa",
            let modulus = reader.string(), let publicExponent = reader.string(),
            let privateExponent = reader.string(), let coefficient = reader.string(),
            let firstPrime = reader.string(), let secondPrime = reader.string()
        else { return nil }
        let numbers = PrivateKeyHandle.RSANumbers(
            modulus: modulus,
            publicExponent: publicExponent,
            privateExponent: privateExponent,
            firstPrime: firstPrime,
            secondPrime: secondPrime,
            coefficient: coefficient
        )
        guard let key = PrivateKeyHandle(numbers) else { return nil }
        self.init(key)
    }

    /// Signs by `rsa-sha2-256`; the result is the signature proper.
    ///
    /// Nil when libcrypto refuses, as it does for a damaged key.
    func signature(of data: [UInt8]) -> [UInt8]? {
        unsafe der.withBytes { bytes in
            guard let key = unsafe PrivateKeyHandle(der: bytes) else { return nil }
            return key.signature(of: data)
        }
    }
}
