import Core

/// Where a session is shown, and what it is typed at.
package protocol AttachTerminal: Sendable {
    /// Nil: nothing is typed.
    var input: (any ByteSource)? { get }
    var output: any ByteSink { get }
    /// Whether the input is typed by somebody, who may leave with a key; else it is taken byte for byte.
    var hasKeyboard: Bool { get }
    /// Whether the output is seen on a terminal; else it is taken byte for byte.
    var hasScreen: Bool { get }
    /// Whether it is one terminal that is typed at and seen, and that answers queries.
    var answersQueries: Bool { get }
    /// The size of the screen; nil where there is none or it is not known.
    var size: TerminalSize? { get }
    /// An element whenever the size may have changed.
    var resizes: AsyncStream<Void> { get }

    /// An element whenever the process is asked to stop for a while.
    var suspensions: AsyncStream<Void> { get }

    /// Hears what is to be written should this process end by a fault, so that the terminal is as it was before.
    func prepare(reset: [UInt8])

    /// Gives the terminal back, `reset` written to it, and stops the process; returns when it is continued, and has the
    /// terminal again.
    func suspend(writing reset: [UInt8]) async

    /// Tells of the link on standard error, in a line of its own.
    func note(_ message: String)

    /// Hears once, as the last thing, what is to be written so that the terminal is as it was before.
    func leave(writing reset: [UInt8])
}
