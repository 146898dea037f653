import Core

/// A terminal that reports its lines as they change, with the output offset of each character.
///
/// Lines are reported as in `ScreenWatch`. In addition, a full row and the next one are reported together, because a
/// program may have broken a word there; this applies to the panes of a divided screen and to text beside line numbers,
/// too. These rows are reported once the screen can be seen, or before they change again, as lines of text together with
/// the lines around them.
package struct TracedScreen: Sendable {
    private var emulator: Emulator
    /// The offset after the output processed so far.
    private var end: UInt64 = 0

    package struct Line {
        package let text: ArraySlice<UInt8>
        /// For each byte of the text, the argument for `offset(of:)`.
        package let origins: ArraySlice<UInt32>
        /// False if the start of the line was lost.
        package let isWhole: Bool
        /// The indices in the text where rows meet of which one seems to continue the other; nil if the text is a line
        /// of the terminal.
        package let joins: [Int]?
        /// Whether the line is the first of those around joined rows, which are reported in order.
        package let isFirst: Bool
    }

    package init(size: TerminalSize) {
        emulator = Emulator(size: size, scrollbackBytes: 0)
        emulator.collected.purpose = .watch
        emulator.collected.isTraced = true
    }

    package var size: TerminalSize { emulator.size }

    /// The maximum number of bytes to feed at once; see `ScreenWatch`.
    package var pieceBytes: Int {
        emulator.collected.head.count < 4096 && emulator.columns * emulator.rows < 1 << 16 ? 16 << 10 : 256
    }

    /// Processes output that starts at `offset`, which is nil if its characters have no origin.
    package mutating func feed(_ bytes: ArraySlice<UInt8>, from offset: UInt64?) {
        if let offset { end = max(end, offset + UInt64(bytes.count)) }
        unsafe bytes.withUnsafeBufferPointer { emulator.feed(unsafe $0.span, from: offset) }
        if emulator.hasAnswers { _ = emulator.takeAnswers() }
    }

    /// The output offset of a character; nil if the character has no origin, or its offset is unknown.
    package func offset(of origin: UInt32) -> UInt64? {
        CellOrigin.offset(of: origin, before: end)
    }

    package mutating func resize(to size: TerminalSize) {
        collectChangedLines(isLast: true)
        emulator.resize(to: size)
        // Lines that are truncated or rewrapped may show text that was not visible before.
        for y in 0..<emulator.rows { emulator.grid.lines[y].isChanged = true }
        emulator.collected.dropHead()
    }

    /// Collects every changed line on the screen; for a long one, only the rows around the change.
    ///
    /// While output is appended to a long line, its last rows are collected together once several are new, or when the
    /// cursor leaves them. `isLast` collects them immediately.
    package mutating func collectChangedLines(isLast: Bool = false) {
        let unfinished = isLast ? nil : emulator.unfinishedRows
        for y in 0..<emulator.rows where emulator.grid.lines[y].isChanged && unfinished?.contains(y) != true {
            emulator.collectLine(at: y)
        }
        if emulator.collected.hasDueJoins { emulator.collectJoins() }
    }

    /// Whether there are collected lines.
    package var hasLines: Bool { !emulator.collected.lines.isEmpty }

    /// Calls `body` with the collected lines, and discards them.
    package mutating func takeLines(_ body: (Line) -> Void) {
        var start = 0
        for line in emulator.collected.lines {
            let range = start..<line.end
            body(
                Line(
                    text: emulator.collected.text[range],
                    origins: emulator.collected.origins[range],
                    isWhole: line.isWhole,
                    joins: line.flow?.joins,
                    isFirst: line.flow?.isFirst == true
                )
            )
            start = line.end + 1
        }
        emulator.collected.forget()
    }
}
