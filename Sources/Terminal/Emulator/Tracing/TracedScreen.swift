import Core

/// A terminal that gives its lines as they change, with the place in the output of each of their characters.
///
/// Lines are given when `ScreenWatch` gives them. In addition the words are given that meet where one line ends and the
/// next begins, as a program may have broken one of them: with the rows around them.
package struct TracedScreen: Sendable {
    private var emulator: Emulator
    /// Behind all that was fed.
    private var end: UInt64 = 0

    /// A place in a line where rows meet that the terminal did not wrap.
    package struct Join: Hashable, Sendable {
        /// How many bytes of the line are in the upper rows.
        package let offset: Int
        /// Whether the upper row reaches to the right edge of the screen.
        package let isFull: Bool
    }

    package struct Line {
        package let text: ArraySlice<UInt8>
        /// For each byte of the text what `offset(of:)` takes.
        package let origins: ArraySlice<UInt32>
        /// False where it lost its beginning.
        package let isWhole: Bool
        /// Where lines meet in it; none for a line.
        package let joins: [Join]
    }

    package init(size: TerminalSize) {
        emulator = Emulator(size: size, scrollbackBytes: 0)
        emulator.collected.purpose = .watch
        emulator.collected.isTraced = true
    }

    package var size: TerminalSize { emulator.size }

    /// So many bytes may be fed at once; see `ScreenWatch`.
    package var pieceBytes: Int {
        emulator.collected.head.count < 4096 && emulator.columns * emulator.rows < 1 << 16 ? 16 << 10 : 256
    }

    /// Takes output that begins at an offset; nil: its characters have no origin.
    package mutating func feed(_ bytes: ArraySlice<UInt8>, from offset: UInt64?) {
        if let offset { end = max(end, offset + UInt64(bytes.count)) }
        unsafe bytes.withUnsafeBufferPointer { emulator.feed(unsafe $0.span, from: offset) }
        if emulator.hasAnswers { _ = emulator.takeAnswers() }
    }

    /// Where a character came from; nil for none, and where that is not known.
    package func offset(of origin: UInt32) -> UInt64? {
        CellOrigin.offset(of: origin, before: end)
    }

    package mutating func resize(to size: TerminalSize) {
        lookAtScreen()
        emulator.resize(to: size)
        // Lines that are cut or broken in another way may show what they did not before.
        for y in 0..<emulator.rows { emulator.grid.lines[y].isChanged = true }
        emulator.collected.dropHead()
    }

    /// Has every line of the screen that changed be given; of a long one the rows around those that changed.
    package mutating func lookAtScreen() {
        emulator.collected.headLimit = Self.headBytes
        for y in 0..<emulator.rows where emulator.grid.lines[y].isChanged { emulator.collectLineOrPart(at: y) }
        emulator.collected.headLimit = .max
    }

    /// So much of a line that left the screen is given with its rest again and again.
    private static let headBytes = 1024

    /// Whether there are lines to be looked at.
    package var hasLines: Bool { !emulator.collected.lines.isEmpty }

    /// Calls with the lines that are to be looked at, and forgets them.
    package mutating func takeLines(_ body: (Line) -> Void) {
        var start = 0
        for line in emulator.collected.lines {
            let range = start..<line.end
            body(
                Line(
                    text: emulator.collected.text[range],
                    origins: emulator.collected.origins[range],
                    isWhole: line.isWhole,
                    joins: line.joins
                )
            )
            start = line.end + 1
        }
        emulator.collected.forget()
    }
}
