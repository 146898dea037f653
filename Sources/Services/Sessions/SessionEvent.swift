import Core

/// What a holder tells a client that is attached, in the order it happened.
package enum SessionEvent: Hashable, Sendable {
    /// Bytes of the program, from this offset on; without gaps, unless one is told.
    case output(offset: UInt64, bytes: [UInt8])
    /// The bytes from `from` up to `to` are no longer kept.
    case gap(from: UInt64, to: UInt64)
    /// Bytes that make a terminal show the screen as it is at `offset`, where the output goes on.
    case screen(offset: UInt64, bytes: [UInt8])
    case resized(TerminalSize)
    /// All bytes of this input are in the terminal; `offset` is where the output stood before they were.
    case accepted(sequence: UInt64, offset: UInt64)
    /// A request was refused; requests are answered in the order they were sent.
    case refused(VTError)
    /// The last event: how the program ended and where its output does.
    case exit(ExitStatus, offset: UInt64)
}
