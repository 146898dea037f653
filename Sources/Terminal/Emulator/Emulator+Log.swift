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

    /// The text of the main screen up to the cursor as `takeLog` would return it, with the blanks before the cursor; empty
    /// while the alternate screen is shown.
    package var textBeforeCursor: [UInt8] {
        guard !isAlternate else { return [] }
        var text = CollectedText()
        for y in 0..<cursor.y {
            let isWrapped = grid.lines[y].flags.contains(.wrapped)
            text.append(grid.row(y), isWrapped ? columns : nil, tables)
            if !isWrapped { text.append(CollectionOfOne(0x0A)) }
        }
        text.append(grid.row(cursor.y).prefix(cursor.x), cursor.x, tables)
        return text.bytes
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
