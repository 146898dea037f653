import Core

/// The user's terminal, which shows a session and provides its input.
package protocol AttachTerminal: Sendable {
    /// Nil if there is no input.
    var input: (any ByteSource)? { get }
    var output: any ByteSink { get }
    /// Whether a user types the input and can press keys to detach; otherwise, the input is raw bytes.
    var hasKeyboard: Bool { get }
    /// Whether the output is shown on a terminal; otherwise, the output is raw bytes.
    var hasScreen: Bool { get }
    /// Whether input and output are the same terminal, which replies to queries.
    var answersQueries: Bool { get }
    /// The size of the screen; nil if there is none or the size is unknown.
    var size: TerminalSize? { get }
    /// Yields an element whenever the size may have changed.
    var resizes: AsyncStream<Void> { get }

    /// Yields an element whenever the process is asked to stop.
    var suspensions: AsyncStream<Void> { get }

    /// Sets the bytes to write if this process crashes, to restore the terminal.
    func prepare(reset: [UInt8])

    /// Restores the terminal, writing `reset` to it, and stops the process; returns when the process is continued and
    /// the terminal is set up again.
    func suspend(writing reset: [UInt8]) async

    /// Prints a message on standard error.
    func note(_ message: String)

    /// Sets the bytes that restore the terminal when the command ends; called once, after all other calls.
    func leave(writing reset: [UInt8])
}
