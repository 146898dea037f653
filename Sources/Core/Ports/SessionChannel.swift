/// A bidirectional byte channel to a session's holder: a local socket, or a command on a server.
package protocol SessionChannel: Sendable {
    /// Returns the next bytes, or nil at the end. One call at a time. Observes cancellation.
    func read() async throws(VTError) -> [UInt8]?

    /// Writes bytes, or queues them within a bound. One call at a time. Observes cancellation.
    func write(_ bytes: [UInt8]) async throws(VTError)

    func close() async
}
