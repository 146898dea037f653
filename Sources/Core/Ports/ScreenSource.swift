/// Produces the bytes that make a fresh terminal show a session's screen.
package protocol ScreenSource: Sendable {
    /// Returns bytes that show the screen after all output before `end`, on a terminal of this size.
    ///
    /// The bytes contain no queries that a terminal would answer.
    func screen(of log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError) -> [UInt8]

    /// Processes the output up to `end` in advance, so that a later call to `screen` is faster.
    func follow(_ log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError)

    /// Returns a terminal's replies to the queries in the output processed since the last call, in order and limited to
    /// a few KiB; each query is answered once.
    func takeAnswers() -> [UInt8]

    /// Uses these colors in replies to color queries from now on, unless the program has set its own.
    func use(_ colors: TerminalColors)
}
