/// Computes digests.
package protocol ContentDigest: Sendable {
    /// Returns the 32-byte SHA-256 digest of the bytes.
    func sha256(_ bytes: [UInt8]) -> [UInt8]

    /// Returns a sink that computes the SHA-256 digest of what is written to it.
    func makeSHA256() -> any DigestSink
}

/// Computes the digest of bytes that arrive in pieces.
package protocol DigestSink: ByteSink {
    /// Returns the digest; called once, after the last write.
    func finish() -> [UInt8]
}
