/// Terminal state, other than text, that escape sequences have changed: modes, margins, tab stops, colors, and the
/// appearance of the cursor and of characters.
///
/// The numbers come from xterm's ctlseqs, from kitty's protocols for the keyboard and for pasting (5522), from mintty's
/// modes for the mouse wheel and keys (7727 to 7787), and from Windows Terminal's mode for key events (9001).
package struct TerminalModes: Hashable, Sendable {
    /// The private modes that differ from their state after a reset, one bit each, in the order of `tracked`.
    private var changed: UInt64 = 0
    private var isKeyboardLocked = false
    private var isInserting = false
    private var hasLocalEcho = false
    private var hasNewLineMode = false
    private var hasApplicationKeypad = false
    /// Whether locator reports are enabled (DECELR).
    private var hasLocator = false
    private var cursorShape = 0
    /// The XTMODKEYS resources that are set; 4 is modifyOtherKeys.
    private var modifiedKeys: Set<Int> = []
    /// Whether formatOtherKeys (XTFMTKEYS 4) is set.
    private var formatsKeys = false
    private var margins: [Int] = []
    private var hasTabStops = false
    /// The character sets in G0 to G3, as the final bytes that designate them.
    private var characterSets = Self.plainSets
    /// Whether a set other than G0 is active.
    private var isShiftedOut = false
    private var encoding = TextEncoding()
    /// Whether the terminal sends C1 controls as single bytes (S8C1T).
    private var sendsC1 = false
    /// Whether characters are protected from selective erasing (DECSCA).
    private var isProtecting = false
    /// Whether rectangle attribute changes affect all cells of the rectangle (DECSACE) rather than a stream of
    /// characters.
    private var changesRectangles = false
    /// Whether the rendition of characters may differ from its state after a reset (SGR).
    private var hasRendition = false
    private var commands = CommandChanges()
    private var mainKeyboard = KeyboardStack()
    private var otherKeyboard = KeyboardStack()
    /// The mode that selected the alternate screen: 47, 1047 or 1049.
    package private(set) var alternateScreenMode: Int?

    /// Tracked private modes, and whether they are set after a reset.
    ///
    /// They are restored in this order: the mode for 132 columns (3) precedes the mode that allows it (40).
    private static let tracked: [(number: Int, isSetAfterReset: Bool)] = [
        (1, false), (3, false), (4, false), (5, false), (6, false), (7, true), (8, true), (9, false), (12, false),
        (25, true), (40, false), (41, false), (42, false), (45, false), (66, false), (67, false), (69, false),
        (1000, false), (1001, false), (1002, false), (1003, false), (1004, false), (1005, false), (1006, false),
        (1007, false), (1015, false),
        (1016, false), (1036, true), (1039, false), (1045, false), (2004, false), (2026, false), (2027, false),
        (2031, false),
        (2048, false), (5522, false), (7727, false), (7728, false), (7786, true), (7787, false), (9001, false),
    ]
    private static let plainSets = [UInt8](repeating: UInt8(ascii: "B"), count: 4)

    /// Creates the state after a reset.
    package init() {}

    /// Whether the alternate screen is shown.
    package var isOnAlternateScreen: Bool {
        alternateScreenMode != nil
    }

    /// Whether a private mode differs from its state after a reset.
    package func isChanged(_ mode: Int) -> Bool {
        Self.tracked.firstIndex { $0.number == mode }.map { changed & 1 << UInt64($0) != 0 } ?? false
    }

    // MARK: - Sequences

    /// Bytes that return a terminal from this state to its reset state; empty if nothing has changed.
    ///
    /// Afterward, the main screen is shown, and the cursor has not moved. `columns` is the terminal's width, up to
    /// which tab stops are set.
    package func resetting(columns: Int = 80) -> String {
        var text = ""
        if isOnAlternateScreen { text += otherKeyboard.clearing }
        if isShiftedOut { text += "\u{0F}" }
        for (place, set) in characterSets.enumerated() where set != UInt8(ascii: "B") {
            text += "\u{1B}\(["(", ")", "*", "+"][place])B"
        }
        if sendsC1 { text += "\u{1B} F" }
        if isProtecting { text += "\u{1B}[0\"q" }
        if changesRectangles { text += "\u{1B}[0*x" }
        if isKeyboardLocked { text += "\u{1B}[2l" }
        if hasLocalEcho { text += "\u{1B}[12h" }
        if hasRendition { text += "\u{1B}[m" }
        if isInserting { text += "\u{1B}[4l" }
        if hasNewLineMode { text += "\u{1B}[20l" }
        if hasApplicationKeypad { text += "\u{1B}>" }
        if hasLocator { text += "\u{1B}[0'z" }
        if cursorShape > 0 { text += "\u{1B}[0 q" }
        for resource in modifiedKeys.sorted() { text += "\u{1B}[>\(resource)m" }
        if formatsKeys { text += "\u{1B}[>4f" }
        // Resetting the margins moves the cursor.
        if !margins.isEmpty { text += "\u{1B}7\u{1B}[r\u{1B}8" }
        for (number, isSet) in changedModes { text += "\u{1B}[?\(number)\(isSet ? "l" : "h")" }
        if !encoding.isUTF8 { text += "\u{1B}%G" }
        if hasTabStops { text += Self.usualTabStops(columns) }
        if let alternateScreenMode { text += "\u{1B}[?\(alternateScreenMode)l" }
        return text + mainKeyboard.clearing + commands.resetting
    }

    /// Sets a tab stop at every eighth column: first one by one, for terminals without DECST8C, and then with DECST8C.
    private static func usualTabStops(_ columns: Int) -> String {
        let stops = stride(from: 9, through: columns, by: 8).map { "\u{1B}[\($0)G\u{1B}H" }.joined()
        return "\u{1B}7\u{1B}[3g\(stops)\u{1B}8\u{1B}[?5W"
    }

    private var changedModes: [(Int, Bool)] {
        Self.tracked.enumerated().compactMap { index, mode in
            changed & 1 << UInt64(index) != 0 ? (mode.number, !mode.isSetAfterReset) : nil
        }
    }

    // MARK: - Changes

    /// Records the changes made by a sequence.
    package mutating func apply(_ sequence: EscapeSequence) {
        switch sequence.kind {
        case .control:
            if sequence.final == 0x0E { isShiftedOut = true }
            if sequence.final == 0x0F { isShiftedOut = false }
        case .escape: applyEscape(sequence)
        case .controlSequence: applyControlSequence(sequence)
        case .command: commands.apply(sequence)
        case .deviceControl, .otherString: break
        }
    }

    private mutating func applyEscape(_ sequence: EscapeSequence) {
        switch (sequence.body.first, sequence.final) {
        case (nil, UInt8(ascii: "c")): resetFully()
        case (nil, UInt8(ascii: "=")): hasApplicationKeypad = true
        case (nil, UInt8(ascii: ">")): hasApplicationKeypad = false
        case (nil, UInt8(ascii: "n")), (nil, UInt8(ascii: "o")): isShiftedOut = true
        case (nil, UInt8(ascii: "H")): hasTabStops = true
        case (UInt8(ascii: " "), UInt8(ascii: "F")): sendsC1 = false
        case (UInt8(ascii: " "), UInt8(ascii: "G")): sendsC1 = true
        case (UInt8(ascii: "%"), UInt8(ascii: "G")): encoding.isUTF8 = true
        case (UInt8(ascii: "%"), UInt8(ascii: "@")): encoding.isUTF8 = false
        case (let place?, let final) where (0x28...0x2B).contains(place): characterSets[Int(place) - 0x28] = final
        case (let place?, let final) where (0x2D...0x2F).contains(place): characterSets[Int(place) - 0x2C] = final
        default: break
        }
    }

    private mutating func applyControlSequence(_ sequence: EscapeSequence) {
        let intermediate = sequence.body.last { (0x20...0x2F).contains($0) }
        switch (sequence.marker, intermediate, sequence.final) {
        case (nil, nil, UInt8(ascii: "m")): hasRendition = sequence.parameters.contains { $0 != 0 }
        case (UInt8(ascii: "?"), nil, UInt8(ascii: "h")): set(sequence.parameters, true)
        case (UInt8(ascii: "?"), nil, UInt8(ascii: "l")): set(sequence.parameters, false)
        case (nil, nil, UInt8(ascii: "h")): setStandard(sequence.parameters, true)
        case (nil, nil, UInt8(ascii: "l")): setStandard(sequence.parameters, false)
        case (nil, nil, UInt8(ascii: "r")):
            let parameters = sequence.parameters
            margins = parameters.allSatisfy { $0 == 0 } ? [] : parameters
        case (nil, UInt8(ascii: " "), UInt8(ascii: "q")): cursorShape = sequence.parameters[0]
        case (nil, UInt8(ascii: "'"), UInt8(ascii: "z")): hasLocator = sequence.parameters[0] != 0
        case (nil, UInt8(ascii: "!"), UInt8(ascii: "p")): resetSoftly()
        case (nil, UInt8(ascii: "\""), UInt8(ascii: "p")): setLevel(sequence.parameters)
        case (nil, UInt8(ascii: "*"), UInt8(ascii: "x")): changesRectangles = sequence.parameters[0] == 2
        case (nil, UInt8(ascii: "\""), UInt8(ascii: "q")): isProtecting = sequence.parameters[0] == 1
        case (nil, nil, UInt8(ascii: "g")): hasTabStops = hasTabStops || [0, 3].contains(sequence.parameters[0])
        case (UInt8(ascii: "?"), nil, UInt8(ascii: "W")): if sequence.parameters[0] == 5 { hasTabStops = false }
        case (UInt8(ascii: ">"), nil, UInt8(ascii: "m")): setModifiedKeys(sequence.parameters)
        case (UInt8(ascii: ">"), nil, UInt8(ascii: "n")):
            if sequence.parameters[0] == 4 { modifiedKeys.remove(4) }
        case (UInt8(ascii: ">"), nil, UInt8(ascii: "f")):
            let parameters = sequence.parameters
            if parameters[0] == 4 { formatsKeys = parameters.count > 1 && parameters[1] != 0 }
            if parameters == [0] { formatsKeys = false }
        case (.some, nil, UInt8(ascii: "u")):
            if isOnAlternateScreen { otherKeyboard.apply(sequence) } else { mainKeyboard.apply(sequence) }
        default: break
        }
    }

    private mutating func set(_ modes: [Int], _ isSet: Bool) {
        for mode in modes {
            if [47, 1047, 1049].contains(mode) {
                if !isSet { otherKeyboard = KeyboardStack() }
                alternateScreenMode = isSet ? (alternateScreenMode ?? mode) : nil
            } else if let index = Self.tracked.firstIndex(where: { $0.number == mode }) {
                if mode == 42, isChanged(mode) != isSet { encoding.enableNationalSets(isSet) }
                let bit = UInt64(1) << UInt64(index)
                if isSet == Self.tracked[index].isSetAfterReset { changed &= ~bit } else { changed |= bit }
            }
        }
    }

    private mutating func setStandard(_ modes: [Int], _ isSet: Bool) {
        if modes.contains(2) { isKeyboardLocked = isSet }
        if modes.contains(4) { isInserting = isSet }
        if modes.contains(12) { hasLocalEcho = !isSet }
        if modes.contains(20) { hasNewLineMode = isSet }
    }

    /// Applies XTMODKEYS; without a value, or with 0 for modifyOtherKeys, the resource returns to its default.
    private mutating func setModifiedKeys(_ parameters: [Int]) {
        guard parameters.count > 1 || parameters[0] != 0 else {
            modifiedKeys = []
            return
        }
        guard parameters[0] < 8 else { return }
        let isSet = parameters.count > 1 && !(parameters[0] == 4 && parameters[1] == 0)
        if isSet { modifiedKeys.insert(parameters[0]) } else { modifiedKeys.remove(parameters[0]) }
    }

    /// Applies DECSCL, a soft reset that also selects the form of C1 controls; from level 2 up, the default is 8-bit.
    private mutating func setLevel(_ parameters: [Int]) {
        guard 61...65 ~= parameters[0] else { return }
        resetSoftly()
        sendsC1 = parameters[0] > 61 && (parameters.count < 2 || parameters[1] != 1)
    }

    /// Applies RIS, but keeps the encoding, as xterm does, and the changes made by OSC sequences, because terminals
    /// differ in which of them RIS undoes.
    private mutating func resetFully() {
        let (commands, isUTF8) = (commands, encoding.isUTF8)
        self = TerminalModes()
        self.commands = commands
        encoding.isUTF8 = isUTF8
    }

    /// Applies DECSTR, whose effects are listed in the VT510 manual.
    private mutating func resetSoftly() {
        set([1, 6, 45, 66, 69, 1045], false)
        set([7, 25], true)
        isInserting = false
        isKeyboardLocked = false
        isProtecting = false
        hasApplicationKeypad = false
        margins = []
        characterSets = Self.plainSets
        isShiftedOut = false
        hasRendition = false
    }
}
