/// Output that is written in the background, so that a stalled reader suspends only the tasks that write to it.
package protocol OutputQueue: ByteSink {
    /// Whether a write failed because the reader has closed the stream (EPIPE).
    var hasLostReader: Bool { get }

    /// Waits until all bytes are written; there must be no concurrent writes. Observes cancellation.
    func drain() async throws(VTError)

    /// Waits until all bytes are written, and closes the queue; nothing can be written afterwards. Observes
    /// cancellation.
    func finish() async throws(VTError)
}
