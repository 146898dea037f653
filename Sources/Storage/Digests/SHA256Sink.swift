import CLibCrypto
import Core
import Synchronization

/// Computes a SHA-256 digest with libcrypto (EVP_DigestInit(3ssl)).
package final class SHA256Sink: ByteSink {
    private let context = Mutex(SHA256Context())

    package init() {}

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        context.withLock { $0.update(bytes) }
    }

    /// Returns the 32-byte digest; called once.
    package func finish() -> [UInt8] {
        context.withLock { $0.finish() }
    }
}

/// Owns a context of libcrypto.
@safe private struct SHA256Context: ~Copyable {
    /// Nil if there is no memory.
    private let context: OpaquePointer?

    init() {
        Digests.withoutConfiguration
        unsafe context = EVP_MD_CTX_new()
        unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    mutating func update(_ bytes: [UInt8]) {
        unsafe EVP_DigestUpdate(context, bytes, bytes.count)
    }

    /// Returns the 32-byte digest; called once.
    mutating func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }
}
