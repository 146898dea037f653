import Core

/// Computes digests with libcrypto.
package struct LibraryDigest: ContentDigest {
    package init() {}

    package func sha256(_ bytes: [UInt8]) -> [UInt8] {
        Digests.sha256(bytes)
    }

    package func makeSHA256() -> any DigestSink {
        SHA256Sink()
    }
}
