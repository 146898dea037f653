import CLibCrypto
import CLibSSH2
import Core

/// Decrypts RSA keys, with which vt signs itself; libssh2 decrypts the other ones.
extension OpenSSHKeyFile {
    /// Whether keys can be derived from passphrases: libcrypto does not implement bcrypt_pbkdf, and only a static libssh2
    /// gives access to its own.
    static let canDecrypt = has_bcrypt_pbkdf()

    /// Decrypts the private section; nil if the file is damaged.
    ///
    /// With a wrong passphrase, the result is meaningless. The caller wipes it.
    static func decryptedSection(of parts: Parts, passphrase: Secret) -> [UInt8]? {
        var options = WireReader(parts.derivationOptions)
        guard parts.derivation == "bcrypt", let salt = options.string(), let rounds = options.uint32(),
            let name = libcryptoName(of: parts.cipher), let cipher = unsafe EVP_CIPHER_fetch(nil, name, nil)
        else { return nil }
        defer { unsafe EVP_CIPHER_free(cipher) }
        let (keyLength, vectorLength) = unsafe (EVP_CIPHER_get_key_length(cipher), EVP_CIPHER_get_iv_length(cipher))
        // The initialization vector follows the key.
        var key = [UInt8](repeating: 0, count: Int(keyLength + vectorLength))
        defer { key.wipe() }
        guard
            unsafe derive_key(
                passphrase.bytes,
                passphrase.bytes.count,
                Array(salt),
                salt.count,
                &key,
                key.count,
                rounds
            ) == 0
        else { return nil }
        let vector = Array(key.suffix(Int(vectorLength)))
        return unsafe decrypt(parts.section, cipher, key: Array(key.prefix(Int(keyLength))), vector: vector)
    }

    private static func decrypt(
        _ section: ArraySlice<UInt8>,
        _ cipher: OpaquePointer,
        key: consuming [UInt8],
        vector: [UInt8]
    ) -> [UInt8]? {
        defer { key.wipe() }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var result = [UInt8](repeating: 0, count: section.count)
        var (count, rest): (CInt, CInt) = (0, 0)
        guard let length = CInt(exactly: section.count),
            unsafe EVP_DecryptInit_ex(context, cipher, nil, key, vector) == 1,
            // The padding is that of the format.
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            unsafe section.withUnsafeBufferPointer({ bytes in
                unsafe EVP_DecryptUpdate(context, &result, &count, bytes.baseAddress, length)
            }) == 1,
            unsafe EVP_DecryptFinal_ex(context, nil, &rest) == 1 || count == length
        else { return nil }
        return result
    }

    private static func libcryptoName(of cipher: String) -> String? {
        switch cipher {
        case "aes128-ctr": "AES-128-CTR"
        case "aes192-ctr": "AES-192-CTR"
        case "aes256-ctr": "AES-256-CTR"
        case "aes128-cbc": "AES-128-CBC"
        case "aes192-cbc": "AES-192-CBC"
        case "aes256-cbc": "AES-256-CBC"
        case "3des-cbc": "DES-EDE3-CBC"
        default: nil
        }
    }
}
