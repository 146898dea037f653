import Core

/// An RSA private key that signs according to RFC 8332; libssh2 1.10 supports only SHA-1.
struct RSAKey: Sendable {
    /// The public half in wire format (RFC 4253 §6.6).
    let publicKey: [UInt8]
    /// The key in libcrypto's DER format.
    private let der: WipedBytes

    /// Returns nil for a key of another type, or if libcrypto fails.
    init?(_ key: borrowing PrivateKeyHandle) {
        guard key.isRSA, let publicKey = key.rsaPublicKey, let der = key.der else { return nil }
        self.publicKey = publicKey
        self.der = der
    }

    /// Parses the private section of an unencrypted OpenSSH key file (PROTOCOL.key in OpenSSH's source).
    ///
    /// Returns nil if the section is damaged or the key is of another type.
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

    /// Signs with `rsa-sha2-256`; returns the raw signature.
    ///
    /// Returns nil if libcrypto fails, as it does for a damaged key.
    func signature(of data: [UInt8]) -> [UInt8]? {
        unsafe der.withBytes { bytes in
            guard let key = unsafe PrivateKeyHandle(der: bytes) else { return nil }
            return key.signature(of: data)
        }
    }
}
