/// Output that is written in the background, so that a reader that stalls stops only the writer.
package protocol OutputQueue: ByteSink {
    /// Whether a write failed because the reader has closed the stream (EPIPE).
    var hasLostReader: Bool { get }

    /// Waits until all bytes are written; nothing else writes meanwhile. Observes cancellation.
    func drain() async throws(VTError)

    /// Waits until all bytes are written, and ends the queue; nothing can be written after. Observes cancellation.
    func finish() async throws(VTError)
}
