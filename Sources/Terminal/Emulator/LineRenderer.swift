import Core

/// Renders output as the text a terminal would show, line by line.
///
/// It emulates a terminal with one row: a row that scrolls off is a line, after carriage returns, backspaces, erasing,
/// tabs and wide characters have been applied; wrapped rows are joined. Therefore, the text is available immediately,
/// depends only on the bytes and the width, and needs only the memory of one row. The alternate screen is ignored, and
/// cursor movements to other rows leave the cursor in its row. Only a synchronized update can replace earlier rows: of
/// those it has written itself, none is text if it then restores the cursor.
package struct LineRenderer: Sendable {
    private var emulator: Emulator

    /// Only the width of `size` is used.
    package init(size: TerminalSize) {
        emulator = Self.terminal(size.oneRow)
    }

    private static func terminal(_ size: TerminalSize) -> Emulator {
        var emulator = Emulator(size: size, scrollbackBytes: 0)
        emulator.collected = CollectedLines(purpose: .log)
        return emulator
    }

    /// Processes output, and removes it from `bytes`, until there is much text to return.
    ///
    /// A few bytes of output can stand for a row of any width, so the text of all of them might not fit in memory.
    ///
    /// - Returns: Completed lines, each with a line feed, and the completed rows of a line that is wider than the
    ///   terminal.
    package mutating func render(_ bytes: inout ArraySlice<UInt8>) -> [UInt8] {
        let pieceBytes = max(16, (1 << 20) / max(emulator.columns, 1024))
        while !bytes.isEmpty, emulator.collected.text.count < Self.textLimit {
            let piece = bytes.prefix(pieceBytes)
            bytes = bytes.dropFirst(piece.count)
            unsafe piece.withUnsafeBufferPointer { emulator.feed(unsafe $0.span) }
        }
        return emulator.collected.takeFinal()
    }

    /// The number of bytes of text after which `render` returns.
    private static let textLimit = 256 << 10

    /// Returns the incomplete line, and resets the renderer.
    package mutating func finish() -> [UInt8] {
        var text = emulator.collected.text
        let main = emulator.isAlternate ? emulator.otherGrid : emulator.grid
        if let main { text.append(main.row(0), nil, emulator.tables) }
        emulator = Self.terminal(emulator.size)
        return text.bytes
    }
}
