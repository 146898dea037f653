import Core

/// An event sent by a holder to an attached client; events arrive in the order in which they happened.
package enum SessionEvent: Hashable, Sendable {
    /// Output starting at this offset; contiguous unless a gap is reported.
    case output(offset: UInt64, bytes: [UInt8])
    /// The bytes in `from..<to` were not sent, because they are not available or the client was too slow.
    case gap(from: UInt64, to: UInt64)
    /// Bytes that make a terminal show the screen at `offset`, where the output continues.
    case screen(offset: UInt64, bytes: [UInt8])
    case resized(TerminalSize)
    /// All bytes of this input were written to the terminal; the output had reached `offset` before them.
    case accepted(sequence: UInt64, offset: UInt64)
    /// The answer to a line for the shell: the number of the request.
    case queued(UInt64)
    /// An event in the session's shell.
    case mark(ShellMark)
    /// A message for the user.
    case note(String)
    /// A request was rejected; requests are answered in the order they were sent.
    case refused(VTError)
    /// The last event: how the program ended, and the end of its output.
    case exit(ExitStatus, offset: UInt64)
}
