import Core

/// Receives the output of a session, in order.
package protocol OutputReceiver: Sendable {
    /// Receives output; returns false to stop receiving.
    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool

    /// Called when the bytes in `start..<end` are not available.
    func gap(from start: UInt64, to end: UInt64) async throws(VTError)

    /// Whether `mark` is to be called.
    var wantsMarks: Bool { get }

    /// Receives the last mark of the session's shell at or before the start of the output.
    func begin(after mark: ShellMark) async throws(VTError)

    /// Receives a mark of the session's shell, while the output is followed; returns false to stop receiving.
    ///
    /// The mark of a prompt at which the shell is waiting can be at or before the start of the output.
    func mark(_ mark: ShellMark) async throws(VTError) -> Bool

    /// Called when the terminal has been resized, in order with the output, but only while the output is followed.
    func resized(to size: TerminalSize) async throws(VTError)
}

extension OutputReceiver {
    package var wantsMarks: Bool { false }

    package func begin(after mark: ShellMark) async throws(VTError) {}

    package func mark(_ mark: ShellMark) async throws(VTError) -> Bool { true }

    package func resized(to size: TerminalSize) async throws(VTError) {}
}
