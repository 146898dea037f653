import Core

/// Encodes clicks for the mouse modes set by a program (ctlseqs, Mouse Tracking).
package struct MouseEncoder: Sendable {
    private let modes: Modes

    /// Uses the current modes of a terminal.
    package init(_ emulator: Emulator) {
        modes = emulator.modes
    }

    /// Returns the bytes of a press and a release; the wheel is not released, nor is any button in X10 mode (9).
    ///
    /// - Throws: `negative` when the program does not receive clicks, or the mode cannot report the button or the cell.
    package func click(_ button: MouseButton, at cell: (column: Int, row: Int)) throws(VTError) -> [UInt8] {
        let isX10 = modes[.mouseX10]
        guard isX10 || reportsReleases else {
            throw VTError(.negative, "the program has not enabled mouse reporting")
        }
        guard !isX10 || !button.isWheel else {
            throw VTError(.negative, "the program has enabled mouse mode 9, which does not report the wheel")
        }
        let press = try report(button.number, cell, isPress: true)
        return isX10 || button.isWheel ? press : press + (try report(button.number, cell, isPress: false))
    }

    /// Returns the bytes of a press, of movements through the cells of a straight line if the program receives them, and of
    /// a release.
    ///
    /// - Throws: As `click`; also in X10 mode.
    package func drag(
        _ button: MouseButton,
        from start: (column: Int, row: Int),
        to end: (column: Int, row: Int)
    ) throws(VTError) -> [UInt8] {
        guard reportsReleases else {
            throw VTError(.negative, "the program has not enabled a mouse mode that reports drags")
        }
        guard !button.isWheel else { throw VTError(.negative, "the wheel cannot be dragged") }
        var bytes = try report(button.number, start, isPress: true)
        if modes[.mouseDrag] || modes[.mouseMotion] {
            let (columns, rows) = (end.column - start.column, end.row - start.row)
            let steps = max(abs(columns), abs(rows))
            for step in stride(from: 1, through: steps, by: 1) {
                let cell = (start.column + columns * step / steps, start.row + rows * step / steps)
                bytes += try report(button.number + Self.motion, cell, isPress: true)
            }
        }
        return bytes + (try report(button.number, end, isPress: false))
    }

    /// Returns the bytes of a movement to a cell without a button.
    ///
    /// - Throws: `negative` unless the program receives all movements (mode 1003).
    package func hover(at cell: (column: Int, row: Int)) throws(VTError) -> [UInt8] {
        guard modes[.mouseMotion] else {
            throw VTError(.negative, "the program has not enabled mouse mode 1003, which reports movements")
        }
        return try report(Self.noButton + Self.motion, cell, isPress: true)
    }

    private static let noButton = 3
    /// Added to the button in reports of movements.
    private static let motion = 32

    /// Whether the program receives presses and releases.
    private var reportsReleases: Bool { modes[.mouseButtons] || modes[.mouseDrag] || modes[.mouseMotion] }

    private func report(
        _ number: Int,
        _ cell: (column: Int, row: Int),
        isPress: Bool
    ) throws(VTError) -> [UInt8] {
        let (column, row) = cell
        let final = isPress ? "M" : "m"
        if modes[.mousePixels] {
            // The middle of the cell.
            let x = column * Emulator.cellWidth + Emulator.cellWidth / 2 + 1
            let y = row * Emulator.cellHeight + Emulator.cellHeight / 2 + 1
            return Array("\u{1B}[<\(number);\(x);\(y)\(final)".utf8)
        }
        if modes[.mouseSGR] { return Array("\u{1B}[<\(number);\(column + 1);\(row + 1)\(final)".utf8) }
        // Other encodings do not identify the button that is released.
        let button = 32 + (isPress ? number : Self.noButton)
        if modes[.mouseURXVT] { return Array("\u{1B}[\(button);\(column + 1);\(row + 1)M".utf8) }
        let maximum = modes[.mouseUTF8] ? 2015 : 223
        guard column < maximum, row < maximum else {
            throw VTError(
                .negative,
                "the program's mouse mode cannot report cells beyond column and row \(maximum - 1)"
            )
        }
        let values = [button, 33 + column, 33 + row]
        guard modes[.mouseUTF8] else { return Array("\u{1B}[M".utf8) + values.map { UInt8(truncatingIfNeeded: $0) } }
        let characters = values.compactMap { UnicodeScalar($0) }.map(Character.init)
        return Array(("\u{1B}[M" + String(characters)).utf8)
    }
}
