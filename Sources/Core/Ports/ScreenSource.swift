/// Makes the bytes that bring a fresh terminal to what a session shows.
package protocol ScreenSource: Sendable {
    /// Returns bytes that show the screen as it is after all output before `end`, on a terminal of this size.
    ///
    /// They hold no query that a terminal would answer.
    func screen(of log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError) -> [UInt8]

    /// Looks at the output up to `end`, so that a later call of `screen` has less to do.
    func follow(_ log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError)

    /// Returns what a terminal answers to the queries in the output that was looked at since the last call, in order and
    /// at most some KiB; each is answered once.
    func takeAnswers() -> [UInt8]

    /// Answers queries for colors with these from now on, where the program has set no others.
    func use(_ colors: TerminalColors)
}
