/// A destination for bytes.
package protocol ByteSink: Sendable {
    /// Returns once the bytes are written, or queued within a bound. One call at a time. Observes cancellation.
    func write(_ bytes: [UInt8]) async throws(VTError)
}
