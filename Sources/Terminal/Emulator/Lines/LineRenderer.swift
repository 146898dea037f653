import Core

/// Turns output into the text that a terminal would show of it, line by line.
///
/// It is a terminal of one row: what leaves that at its end is a line, with carriage returns, backspaces, erasing,
/// tabs and wide characters as they were applied; rows that wrapped are joined. So the text comes with the output, it
/// depends on nothing but the bytes and the width, and takes no more memory than a row. What a program shows on the
/// alternate screen is no line, and what moves the cursor to other rows stays in its own.
package struct LineRenderer: Sendable {
    private var emulator: Emulator

    /// For a terminal as wide as this one.
    package init(size: TerminalSize) {
        emulator = Self.terminal(size.oneRow)
    }

    private static func terminal(_ size: TerminalSize) -> Emulator {
        var emulator = Emulator(size: size, scrollbackBytes: 0)
        emulator.collected.purpose = .log
        return emulator
    }

    /// Takes output; returns the lines that ended, each with a line feed, and of one that is longer than the terminal
    /// is wide the rows that are done.
    package mutating func render(_ bytes: [UInt8]) -> [UInt8] {
        emulator.feed(bytes)
        defer { emulator.collected.forget() }
        return emulator.collected.text
    }

    /// Returns the line that has not ended, as far as it is there, and begins anew.
    package mutating func finish() -> [UInt8] {
        var text: [UInt8] = []
        let main = emulator.isAlternate ? emulator.otherGrid : emulator.grid
        if let main { Emulator.append(main.row(0), nil, emulator.tables, to: &text) }
        emulator = Self.terminal(emulator.size)
        return text
    }
}
