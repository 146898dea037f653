/// Computes digests.
package protocol ContentDigest: Sendable {
    /// The SHA-256 digest of the bytes, 32 bytes.
    func sha256(_ bytes: [UInt8]) -> [UInt8]
}
