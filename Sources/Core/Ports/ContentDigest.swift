/// Computes digests.
package protocol ContentDigest: Sendable {
    /// Returns the 32-byte SHA-256 digest of the bytes.
    func sha256(_ bytes: [UInt8]) -> [UInt8]
}
