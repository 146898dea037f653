/// A source of bytes that ends.
package protocol ByteSource: Sendable {
    /// Returns the next bytes, at least one, or nil at the end. One call at a time. Observes cancellation.
    func read() async throws(VTError) -> [UInt8]?
}
