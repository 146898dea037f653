import Core

/// Keeps the text of all rows that have left the top of the main screen, for text logs.
///
/// This text replaces the scrollback, so `scrollbackBytes` must be 0.
extension Emulator {
    /// Starts keeping the text, which `takeLog` returns.
    package mutating func keepLog() {
        collected = CollectedLines(purpose: .log)
    }

    /// The number of bytes that `takeLog` would return.
    package var logCount: Int { collected.text.count }

    /// Returns the lines that left the screen since the last call, each with a line feed.
    ///
    /// If the last line continues on the first row of the screen, the part that has left the screen is included,
    /// without a line feed.
    package mutating func takeLog() -> [UInt8] {
        defer { collected.forget() }
        return collected.text.bytes
    }

    /// Resizes the screen; rows that no longer fit go to the log.
    package mutating func resizeKeepingLog(to size: TerminalSize) {
        // While lines are rewrapped, the scrollback contains the rows that no longer fit, at most a screenful.
        scrollback = Scrollback(byteLimit: 64 << 20)
        resize(to: size)
        for row in scrollbackRows(scrollbackCount) {
            if row.isWrapped {
                for cell in row.cells { collected.text.append(cell.shown.utf8) }
            } else {
                collected.text.append((row.text + "\n").utf8)
            }
        }
        scrollback = Scrollback(byteLimit: 0)
    }
}
