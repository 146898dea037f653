/// Standard input, as a command sees it.
package protocol StandardInput: Sendable {
    /// What messages call it.
    var name: String { get }
    var isTerminal: Bool { get }
    /// Nil if it is not a terminal, or the terminal does not know its size.
    var terminalSize: TerminalSize? { get }

    /// Reads the stream; at most one source is read at a time.
    func source() -> any ByteSource
}
