import Core

/// A terminal that reports its lines as they change, with the output offset of each character.
///
/// Lines are reported as in `ScreenWatch`. In addition, a full row and the next one are reported together, because a
/// program may have broken a word there; this applies to the panes of a divided screen and to text beside line numbers,
/// too. These rows are reported once the screen can be seen, or before they change again, as lines of text together with
/// the lines around them.
package struct TracedScreen: Sendable {
    private var emulator: Emulator
    /// The origin of the next character.
    private var origin: CellOrigin?
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
        emulator.collected = CollectedLines(purpose: .watch, isTraced: true)
    }

    package var size: TerminalSize { emulator.size }

    /// The maximum number of bytes to feed at once; see `ScreenWatch`.
    package var pieceBytes: Int {
        emulator.collected.head.count < 4096 && emulator.columns * emulator.rows < 1 << 16 ? 16 << 10 : 256
    }

    /// Processes output that starts at `offset`, which is nil if its characters have no origin.
    package mutating func feed(_ bytes: ArraySlice<UInt8>, from offset: UInt64?) {
        if let offset { end = max(end, offset + UInt64(bytes.count)) }
        unsafe bytes.withUnsafeBufferPointer { feed(unsafe $0.span, from: offset) }
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
        emulator.collectJoins()
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
                    text: emulator.collected.text.bytes[range],
                    origins: emulator.collected.text.origins[range],
                    isWhole: line.isWhole,
                    joins: line.flow?.joins,
                    isFirst: line.flow?.isFirst == true
                )
            )
            start = line.end + 1
        }
        emulator.collected.forget()
    }

    // MARK: - Feeding

    /// Feeds the emulator one character or control at a time.
    ///
    /// Before each of them, the pen of the emulator is set to the character's origin, and joins that it would change are
    /// collected.
    private mutating func feed(_ bytes: Span<UInt8>, from offset: UInt64?) {
        var index = 0
        while index < bytes.count {
            emulator.keepJoins()
            let byte = bytes[index]
            let isGround = emulator.parser.state == .ground
            if isGround, emulator.parser.utf8.missing == 0, byte >= 0x20 {
                let isProtected = emulator.pen.attributes.contains(.protected)
                origin = offset.map { CellOrigin($0 + UInt64(index), isProtected: isProtected) }
            }
            emulator.penNumber = origin?.style(after: 0) ?? 0
            if !isGround {
                index = feedSequence(bytes, index)
            } else if byte &- 0x20 < 0x5F, emulator.parser.utf8.missing == 0, let origin, emulator.sets.isPlain,
                !emulator.modes[.insert]
            {
                index = printASCII(bytes, index, origin)
            } else {
                emulator.feed(bytes.extracting(index..<index + 1))
                index += 1
            }
        }
    }

    /// Processes the next byte of a sequence, or several that cannot end it; returns the index after them.
    private mutating func feedSequence(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var end = start + 1
        switch emulator.parser.state {
        case .control where 0x20...0x3F ~= bytes[start], .parameters where 0x20...0x3F ~= bytes[start]:
            while end < bytes.count, 0x20...0x3F ~= bytes[end] { end += 1 }
        case .string where 0x20...0x7E ~= bytes[start]:
            while end < bytes.count, 0x20...0x7E ~= bytes[end] { end += 1 }
        case .controlIntermediate where "@A}~".utf8.contains(bytes[start]):
            // SL, SR, DECIC and DECDC move the cells of all rows.
            let (region, cursor) = (emulator.region, emulator.cursor)
            if region.rows.contains(cursor.y), region.columns.contains(cursor.x) { emulator.collectJoins() }
        default: break
        }
        emulator.feed(bytes.extracting(start..<end))
        return end
    }

    /// Writes the printable ASCII characters from `start`; returns the index after them.
    private mutating func printASCII(_ bytes: Span<UInt8>, _ start: Int, _ first: CellOrigin) -> Int {
        var index = start
        var origin = first
        while index < bytes.count, bytes[index] &- 0x20 < 0x5F {
            if emulator.cursor.isWrapPending {
                emulator.wrap()
                emulator.keepJoins()
            }
            let edge = emulator.rightEdge
            let (x, y) = (emulator.cursor.x, emulator.cursor.y)
            if x >= edge {
                index += 1
                origin.advance(1)
                continue
            }
            let part = index..<min(bytes.count, index + edge - x)
            let count = emulator.grid.write(bytes, part, y, x) { origin.style(after: $0) }
            index += count
            origin.advance(count)
            emulator.advance(count, edge)
            if count < part.count { break }
        }
        // Repetitions of the last character (REP) have the same origin.
        origin.advance(-1)
        self.origin = origin
        emulator.join = .printed
        emulator.lastScalar = UInt32(bytes[index - 1])
        return index
    }
}
