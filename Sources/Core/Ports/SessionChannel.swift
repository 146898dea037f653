/// A bidirectional byte channel to a session's holder: a local socket, or a command on a server.
package protocol SessionChannel: Sendable {
    /// Returns the next bytes, or nil at the end. Calls must not overlap. Observes cancellation.
    func read() async throws(VTError) -> [UInt8]?

    /// Writes the bytes or places them in a bounded queue. Calls must not overlap. Observes cancellation.
    func write(_ bytes: [UInt8]) async throws(VTError)

    func close() async

    /// Whether the other end is known to be running or waiting for a disk, so that a late answer can still be expected.
    var isPeerBusy: Bool { get }
}

extension SessionChannel {
    package var isPeerBusy: Bool { false }
}
