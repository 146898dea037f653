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
    package func click(_ button: MouseButton, column: Int, row: Int) throws(VTError) -> [UInt8] {
        let isX10 = modes[.mouseX10]
        guard isX10 || modes[.mouseButtons] || modes[.mouseDrag] || modes[.mouseMotion] else {
            throw VTError(.negative, "the program has not enabled mouse reporting")
        }
        guard !isX10 || !button.isWheel else {
            throw VTError(.negative, "the program has enabled mouse mode 9, which does not report the wheel")
        }
        let press = try report(button.number, column, row, isPress: true)
        return isX10 || button.isWheel ? press : press + (try report(button.number, column, row, isPress: false))
    }

    private func report(_ number: Int, _ column: Int, _ row: Int, isPress: Bool) throws(VTError) -> [UInt8] {
        let final = isPress ? "M" : "m"
        if modes[.mousePixels] {
            // The middle of the cell.
            let x = column * Emulator.cellWidth + Emulator.cellWidth / 2 + 1
            let y = row * Emulator.cellHeight + Emulator.cellHeight / 2 + 1
            return Array("\u{1B}[<\(number);\(x);\(y)\(final)".utf8)
        }
        if modes[.mouseSGR] { return Array("\u{1B}[<\(number);\(column + 1);\(row + 1)\(final)".utf8) }
        // Other encodings do not identify the button that is released.
        let button = 32 + (isPress ? number : 3)
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
