import Core

/// The text of all rows that left the top of the main screen, for whoever wants a session as text.
///
/// It takes the place of the scrollback, so the terminal is one without: `scrollbackBytes` is 0.
extension Emulator {
    /// From now on the text is kept until it is taken.
    package mutating func keepLog() {
        collected.purpose = .log
    }

    /// How many bytes `takeLog` would return.
    package var logCount: Int { collected.text.count }

    /// Returns the lines that left the screen since the last call, each with a line feed.
    ///
    /// Of a line that goes on in the first row of the screen there is the beginning, without one.
    package mutating func takeLog() -> [UInt8] {
        defer { collected.forget() }
        return collected.text
    }

    /// Gives the screen another size; the rows that no longer fit are in the log.
    package mutating func resizeKeepingLog(to size: TerminalSize) {
        // Where the rows go as the lines are broken anew: more than a screen is not there.
        scrollback = Scrollback(byteLimit: 64 << 20)
        resize(to: size)
        for row in scrollbackRows(scrollbackCount) {
            if row.isWrapped {
                for cell in row.cells { collected.text += Array(cell.shown.utf8) }
            } else {
                collected.text += Array((row.text + "\n").utf8)
            }
        }
        scrollback = Scrollback(byteLimit: 0)
    }
}
