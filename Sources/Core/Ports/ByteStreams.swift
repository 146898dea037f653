/// A finite source of bytes.
package protocol ByteSource: Sendable {
    /// Returns at least one byte, or nil at the end. Calls must not overlap. Observes cancellation.
    func read() async throws(VTError) -> [UInt8]?
}

/// A destination for bytes.
package protocol ByteSink: Sendable {
    /// Writes the bytes or places them in a bounded queue. Calls must not overlap. Observes cancellation.
    func write(_ bytes: [UInt8]) async throws(VTError)
}
