import Core

/// A terminal whose lines are looked at as they change.
///
/// A line is given when the cursor leaves it or goes back to its start, before something of it is erased and before it
/// leaves the screen, and when it is asked for. Rows that wrapped are one line; of one beyond 64 KiB the beginning is
/// lost. Text is what was painted, wherever it was painted from: spaces that were written count, blank cells only
/// before other text.
package struct ScreenWatch: Sendable {
    private var emulator: Emulator

    /// A line that is given.
    package struct Line {
        package let text: ArraySlice<UInt8>
        /// False where it lost its beginning.
        package let isWhole: Bool
        /// Its first row on the screen, counted from 0; nil where that is not asked for.
        package let row: Int?
    }

    /// With `givesOnce` a line that is painted again as it was, while the screen shows it, is not given again.
    package init(size: TerminalSize, givesOnce: Bool = false) {
        emulator = Emulator(size: size, scrollbackBytes: 0)
        emulator.collected.purpose = .watch
        emulator.collected.givesOnce = givesOnce
    }

    package var size: TerminalSize { emulator.size }

    /// With `givesOnce`: the screen is seen as it is now, and what it does not show any more may be given again.
    package mutating func seeScreen() {
        emulator.forgetGivenLinesThatAreGone()
        _ = emulator.takeAnswers()
    }

    /// Calls with the lines that changed and were not given yet, and of a long one with its last rows.
    ///
    /// `isEnd` tells that the text is the end of a longer one.
    package func forEachLineChanged(_ body: (_ line: Line, _ isEnd: Bool) -> Void) {
        var y = 0
        while y < emulator.rows {
            guard emulator.grid.lines[y].isChanged else {
                y += 1
                continue
            }
            let rows = emulator.rowsOfLine(at: y)
            let last = rows.suffix(Self.lastRows)
            var text: [UInt8] = []
            let isEnd = last.count < rows.count
            let isWhole = emulator.append(line: last.startIndex..<last.endIndex, to: &text)
            if !text.isEmpty { body(Line(text: text[...], isWhole: isWhole, row: rows.lowerBound), isEnd) }
            y = rows.upperBound
        }
    }

    /// A line that goes on and on is looked at with each word that is added to it.
    private static let lastRows = 4

    /// So many bytes may be fed at once without that much is to be kept of a line that is looked at again and again.
    package var pieceBytes: Int {
        emulator.collected.head.count < 4096 && emulator.columns * emulator.rows < 1 << 16 ? 16 << 10 : 256
    }

    package mutating func feed(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { emulator.feed(unsafe $0.span) }
    }

    package mutating func resize(to size: TerminalSize) {
        lookAtScreen()
        emulator.resize(to: size)
        // The lines are the same.
        for y in 0..<emulator.rows { emulator.grid.lines[y].isChanged = false }
        emulator.collected.dropHead()
    }

    /// Has every line of the screen that changed be given.
    package mutating func lookAtScreen() {
        for y in 0..<emulator.rows where emulator.grid.lines[y].isChanged { emulator.collectLine(at: y) }
    }

    /// Calls with the lines that are to be looked at until it returns false, and forgets them.
    package mutating func takeLines(_ body: (Line) -> Bool) {
        var start = 0
        for line in emulator.collected.lines {
            let text = emulator.collected.text[start..<line.end]
            guard body(Line(text: text, isWhole: line.isWhole, row: nil)) else { break }
            start = line.end + 1
        }
        emulator.collected.forget()
    }

    /// Calls with the lines that the screen shows, changed or not, until it returns false.
    package func forEachLineShown(_ body: (Line) -> Bool) {
        var y = 0
        while y < emulator.rows {
            let rows = emulator.rowsOfLine(at: y)
            var text: [UInt8] = []
            let isWhole = emulator.append(line: rows, to: &text)
            if !text.isEmpty, !body(Line(text: text[...], isWhole: isWhole, row: rows.lowerBound)) { return }
            y = rows.upperBound
        }
    }
}
