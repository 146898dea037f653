/// Makes the bytes that bring a fresh terminal to what a session shows.
package protocol ScreenSource: Sendable {
    /// Returns bytes that show the screen as it is after all output before `end`, on a terminal of this size.
    ///
    /// They hold no query that a terminal would answer.
    func screen(of log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError) -> [UInt8]

    /// Looks at the output up to `end`, so that a later call of `screen` has less to do.
    func follow(_ log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError)
}
