/// The standard input of a command.
package protocol StandardInput: Sendable {
    /// The name of the stream in messages.
    var name: String { get }
    var isTerminal: Bool { get }
    /// Nil if the stream is not a terminal, or the terminal's size is unknown.
    var terminalSize: TerminalSize? { get }

    /// Checks that the stream is open: otherwise, reading it would return no bytes.
    ///
    /// - Throws: `io`.
    func checkIsReadable() throws(VTError)

    /// Returns a source that reads the stream; at most one source may be in use at a time.
    func source() -> any ByteSource
}
