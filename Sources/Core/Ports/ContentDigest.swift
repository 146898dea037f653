/// Computes digests.
package protocol ContentDigest: Sendable {
    /// Returns the SHA-256 digest of the bytes, which has 32 bytes.
    func sha256(_ bytes: [UInt8]) -> [UInt8]
}
