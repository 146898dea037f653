/// A source of bytes that ends.
package protocol ByteSource: Sendable {
    /// Returns the next bytes, at least one, or nil at the end. One call at a time. Observes cancellation.
    func read() async throws(VTError) -> [UInt8]?
}

/// A destination for bytes.
package protocol ByteSink: Sendable {
    /// Returns once the bytes are written, or queued within a bound. One call at a time. Observes cancellation.
    func write(_ bytes: [UInt8]) async throws(VTError)
}
