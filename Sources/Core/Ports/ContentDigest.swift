/// Makes digests of contents.
package protocol ContentDigest: Sendable {
    /// The SHA-256 of the bytes, 32 bytes.
    func sha256(_ bytes: [UInt8]) -> [UInt8]
}
