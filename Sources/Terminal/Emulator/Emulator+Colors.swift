import Core

/// Querying, setting and resetting colors: OSC 4, 5, 10 to 19, 104, 105, and 110 to 119 (xterm's ctlseqs).
extension Emulator {
    /// OSC 4 and 5: pairs of an index and a color.
    mutating func setPalette(_ text: ArraySlice<UInt8>, command: Int) {
        let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        for pair in stride(from: 0, to: parts.count - 1, by: 2) {
            guard let index = parts[pair].number(maximumDigits: 3),
                let slot = command == 4 ? TerminalColors.Slot.palette(index) : .special(index)
            else { continue }
            set(slot, parts[pair + 1], "\(command);\(index)")
        }
    }

    /// OSC 10 to 19: a color, optionally followed by colors for the next OSC numbers.
    mutating func setDynamicColors(_ text: ArraySlice<UInt8>, command: Int) {
        let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        for (offset, part) in parts.enumerated() {
            guard let slot = TerminalColors.Slot.dynamic(command + offset) else { return }
            set(slot, part, "\(command + offset)")
        }
    }

    /// OSC 104 and 105: resets the colors with the given indices, or all of them if none is given; OSC 110 to 119:
    /// resets one color.
    mutating func resetColors(_ text: ArraySlice<UInt8>, command: Int) {
        if let slot = TerminalColors.Slot.dynamic(command - 100) {
            colors[slot] = nil
            return
        }
        guard !text.isEmpty else {
            colors.removeAll { command == 104 ? $0.paletteIndex != nil : $0.specialIndex != nil }
            return
        }
        for part in text.split(separator: UInt8(ascii: ";")) {
            guard let index = part.number(maximumDigits: 3),
                let slot = command == 104 ? TerminalColors.Slot.palette(index) : .special(index)
            else { continue }
            colors[slot] = nil
        }
    }

    private mutating func set(_ slot: TerminalColors.Slot, _ text: ArraySlice<UInt8>, _ name: String) {
        if text.elementsEqual([UInt8(ascii: "?")]) {
            // The reply has the same terminator as the query, as in xterm.
            let end = parser.endsWithBell ? "\u{7}" : "\u{1B}\\"
            answer("\u{1B}]\(name);\(TerminalColors.text(of: color(slot)))\(end)")
        } else if let value = TerminalColors.value(of: text) ?? ColorNames.value(of: text) {
            colors[slot] = value
        }
    }

    /// The effective color: set by the program, or else known from the attached terminal, or else from the theme.
    private func color(_ slot: TerminalColors.Slot) -> UInt32 {
        if let value = colors[slot] ?? terminalColors[slot] { return value }
        if let index = slot.paletteIndex { return Theme.standard.color(UInt8(index)).value }
        switch slot.dynamicCommand {
        case 11: return Theme.standard.background.value
        case 12: return Theme.standard.cursor.value
        // The pointer and Tektronix colors are the same as the text, background and cursor colors.
        case 14, 16: return color(.background)
        case 18: return color(.cursor)
        // Selected text is shown in reverse video.
        case 17: return color(.foreground)
        case 19: return color(.background)
        case 10: return Theme.standard.foreground.value
        default: return color(.foreground)
        }
    }

    /// Reports whether the color scheme is dark (1) or light (2), as Contour does.
    mutating func answerColorScheme() {
        answer("\u{1B}[?997;\(TerminalColors.isDark(color(.background)) ? 1 : 2)n")
    }
}
