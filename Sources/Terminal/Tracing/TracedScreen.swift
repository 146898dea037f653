import Core

/// A terminal that knows of each character it shows where that came from.
///
/// The origin goes along with the look of the character, in the place of a link: it moves with the cell, and what erases
/// the cell takes it away.
package struct TracedScreen: Sendable {
    private var emulator: Emulator

    package init(size: TerminalSize) {
        emulator = Emulator(size: size, scrollbackBytes: 0)
    }

    package var size: TerminalSize { emulator.size }

    package mutating func resize(to size: TerminalSize) {
        emulator.resize(to: size)
    }

    /// Writes one character; `origin` is not 0.
    package mutating func write(_ character: ArraySlice<UInt8>, from origin: UInt32) {
        emulator.pen.link = origin
        emulator.penNumber = nil
        feed(character)
    }

    /// Takes anything that is not text.
    package mutating func feed(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { emulator.feed(unsafe $0.span) }
        _ = emulator.takeAnswers()
    }

    /// A line of text, and for each of its bytes the origin of the character, 0 for none.
    package struct Line {
        package var text: [UInt8] = []
        package var origins: [UInt32] = []
        package var isWhole = true
    }

    /// The line of the cursor: rows that wrapped are joined.
    package var cursorLine: Line {
        let rows = emulator.rowsOfLine(at: emulator.cursor.y)
        var line = Line()
        line.isWhole = rows.lowerBound == 0 || !emulator.grid.lines[rows.lowerBound - 1].flags.contains(.wrapped)
        for y in rows { add(y, isLast: y == rows.upperBound - 1, to: &line) }
        return line
    }

    private func add(_ y: Int, isLast: Bool, to line: inout Line) {
        let row = emulator.grid.row(y)
        for (x, cell) in row.enumerated() {
            let start = line.text.count
            Emulator.append([cell], 1, emulator.tables, to: &line.text)
            // A cell that was left empty as a wide character did not fit is no text.
            if cell.isFiller, x == emulator.columns - 1 || cell.isTail { line.text.removeSubrange(start...) }
            let origin = emulator.tables.styles[cell.style].link
            line.origins += repeatElement(cell.isEmpty ? 0 : origin, count: line.text.count - start)
        }
        guard !isLast, row.count < emulator.columns else { return }
        let rest = emulator.columns - row.count
        line.text += repeatElement(0x20, count: rest)
        line.origins += repeatElement(0, count: rest)
    }
}
