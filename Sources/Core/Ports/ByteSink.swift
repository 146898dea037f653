/// Takes bytes.
package protocol ByteSink: Sendable {
    /// Returns when the bytes are taken: written, or queued within a bound. One call at a time. Observes cancellation.
    func write(_ bytes: [UInt8]) async throws(VTError)
}
