import Core

/// A terminal that reports its lines as they change.
///
/// A line is reported when the cursor leaves it or returns to its start, before part of it is erased, before it leaves
/// the screen, and on request. Wrapped rows form one line; the start of a line longer than 64 KiB is dropped. The text
/// is what the screen shows, no matter how it was drawn; trailing empty cells are omitted, but not spaces that were
/// written.
package struct ScreenWatch: Sendable {
    private var emulator: Emulator

    /// A reported line.
    package struct Line {
        package let text: ArraySlice<UInt8>
        /// False if the start of the line was lost.
        package let isWhole: Bool
        /// The first row of the line on the screen, counted from 0; nil if it is unknown.
        package let row: Int?
    }

    /// With `reportsOnce`, a line that is repainted unchanged while it is on the screen is not reported again.
    package init(size: TerminalSize, reportsOnce: Bool = false) {
        emulator = Emulator(size: size, scrollbackBytes: 0)
        emulator.collected = CollectedLines(purpose: .watch, reportsOnce: reportsOnce)
    }

    package var size: TerminalSize { emulator.size }

    /// With `reportsOnce`, treats the current screen as seen; lines that are no longer on it may be reported again.
    package mutating func seeScreen() {
        emulator.clearReportedLinesNotOnScreen()
        _ = emulator.takeAnswers()
    }

    /// Calls `body` with each line that has changed since it was last reported; for a long line, only with its last
    /// rows.
    ///
    /// `isEnd` is true if the text is the end of a longer line.
    package func forEachLineChanged(_ body: (_ line: Line, _ isEnd: Bool) -> Void) {
        var y = 0
        while y < emulator.rows {
            guard emulator.grid.lines[y].isChanged else {
                y += 1
                continue
            }
            let rows = emulator.rowsOfLine(at: y)
            let last = rows.suffix(Self.lastRows)
            var text = CollectedText()
            let isEnd = last.count < rows.count
            let isWhole = emulator.append(line: last.startIndex..<last.endIndex, to: &text)
            if text.count > 0 { body(Line(text: text.bytes[...], isWhole: isWhole, row: rows.lowerBound), isEnd) }
            y = rows.upperBound
        }
    }

    /// The maximum number of rows of a changed line to report.
    ///
    /// Without this limit, a line that keeps growing would be reported in full for each word added to it.
    private static let lastRows = 4

    /// The maximum number of bytes to feed at once, so that reporting the same line repeatedly stays cheap.
    package var pieceBytes: Int {
        emulator.collected.head.count < 4096 && emulator.columns * emulator.rows < 1 << 16 ? 16 << 10 : 256
    }

    package mutating func feed(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { emulator.feed(unsafe $0.span) }
    }

    package mutating func resize(to size: TerminalSize) {
        collectChangedLines()
        emulator.resize(to: size)
        // Resizing does not change the text of the lines.
        for y in 0..<emulator.rows { emulator.grid.lines[y].isChanged = false }
        emulator.collected.dropHead()
    }

    /// Collects every changed line on the screen.
    package mutating func collectChangedLines() {
        for y in 0..<emulator.rows where emulator.grid.lines[y].isChanged { emulator.collectLine(at: y) }
    }

    /// Calls `body` with the collected lines until it returns false, and discards them.
    package mutating func takeLines(_ body: (Line) -> Bool) {
        var start = 0
        for line in emulator.collected.lines {
            let text = emulator.collected.text.bytes[start..<line.end]
            guard body(Line(text: text, isWhole: line.isWhole, row: nil)) else { break }
            start = line.end + 1
        }
        emulator.collected.forget()
    }

    /// The first row of the line with the cursor.
    package var currentRow: Int { emulator.rowsOfLine(at: emulator.cursor.y).lowerBound }

    /// The text of the line with the cursor.
    package var currentLine: [UInt8] {
        var text = CollectedText()
        _ = emulator.append(line: emulator.rowsOfLine(at: emulator.cursor.y), to: &text)
        return text.bytes
    }

    /// Calls `body` with the lines on the screen, changed or not, until it returns false.
    package func forEachLineShown(_ body: (Line) -> Bool) {
        var y = 0
        while y < emulator.rows {
            let rows = emulator.rowsOfLine(at: y)
            var text = CollectedText()
            let isWhole = emulator.append(line: rows, to: &text)
            if text.count > 0, !body(Line(text: text.bytes[...], isWhole: isWhole, row: rows.lowerBound)) { return }
            y = rows.upperBound
        }
    }
}
