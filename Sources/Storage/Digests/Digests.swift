import CLibCrypto
import Core

/// Digests computed by libcrypto.
package enum Digests {
    /// Returns 32 bytes; the corresponding C function is `SHA256`.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        Self.withoutConfiguration
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// Returns 20 bytes; the corresponding C function is `SHA1`.
    static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        Self.withoutConfiguration
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        unsafe SHA1(bytes, bytes.count, &digest)
        return digest
    }

    /// Returns 20 bytes (RFC 2104 with SHA-1); the corresponding C function is `HMAC`.
    ///
    /// The key is the 20-byte salt of a known_hosts line, far below the limit of `CInt`.
    static func hmacSHA1(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        Self.withoutConfiguration
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        var length: UInt32 = 0
        unsafe HMAC(EVP_sha1(), key, CInt(key.count), bytes, bytes.count, &digest, &length)
        return Array(digest.prefix(Int(length)))
    }

    /// Keeps OpenSSL from reading its configuration, which could name modules that a static executable cannot load
    /// (config(5ssl)).
    static let withoutConfiguration: Void = {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
    }()

    /// `SHA256:` and a key's SHA-256 digest in unpadded Base64 (ssh-keygen(1), `-E`).
    package static func fingerprint(_ blob: [UInt8]) -> String {
        "SHA256:" + Base64.encode(sha256(blob), padded: false)
    }
}
