/// The standard output or standard error of a command.
package protocol StandardOutput: Sendable {
    var isTerminal: Bool { get }
    /// Nil if the stream is not a terminal, or the terminal's size is unknown.
    var terminalSize: TerminalSize? { get }
    /// Whether the reader has closed the stream, according to a failed write (EPIPE) or `waitForLostReader`.
    var hasLostReader: Bool { get }

    /// Returns when the reader of a pipe or socket has closed it, without writing; returns immediately if the stream is
    /// a terminal.
    func waitForLostReader() async throws(VTError)

    /// - Throws: `io` if the stream is closed or not open for writing.
    func checkIsWritable() throws(VTError)
    /// Writes all bytes; blocks until they are accepted.
    func write(_ bytes: [UInt8]) throws(VTError)
    /// Writes bytes, or nothing if that would block or there are more than 4096; returns whether they were written.
    func offer(_ bytes: [UInt8]) throws(VTError) -> Bool
    /// Closes the stream; further calls do nothing.
    func close() throws(VTError)

    /// Returns a queue that writes to the stream; at most one queue may be in use at a time.
    ///
    /// With `mayBeClosed`, bytes for a stream that was closed when the process started are discarded without an error.
    func makeQueue(mayBeClosed: Bool) -> any OutputQueue
}

extension StandardOutput {
    /// For streams that never block.
    package func offer(_ bytes: [UInt8]) throws(VTError) -> Bool {
        try write(bytes)
        return true
    }
}

/// Output that is written in the background, so that a stalled reader suspends only the tasks that write to it.
package protocol OutputQueue: ByteSink {
    /// Whether a write failed because the reader has closed the stream (EPIPE).
    var hasLostReader: Bool { get }

    /// The number of bytes that the stream has accepted so far.
    var writtenBytes: UInt64 { get }

    /// Waits until all bytes are written; there must be no concurrent writes. Observes cancellation.
    func drain() async throws(VTError)

    /// Waits until all bytes are written, and closes the queue; nothing can be written afterward. Observes
    /// cancellation.
    func finish() async throws(VTError)
}
