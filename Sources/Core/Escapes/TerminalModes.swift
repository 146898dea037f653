/// What escape sequences have changed in a terminal besides the text: modes, margins, tab stops, colors, the looks of cursor
/// and characters.
///
/// The numbers are those of xterm's ctlseqs, for the keyboard and for pasting (5522) of kitty's protocols, for its wheel
/// and its keys (7727 to 7787) of mintty's.
package struct TerminalModes: Hashable, Sendable {
    /// Which private modes are not as they are after a reset; see `flag`.
    private var changed: UInt64 = 0
    private var isKeyboardLocked = false
    private var isInserting = false
    private var hasLocalEcho = false
    private var hasNewLineMode = false
    private var hasApplicationKeypad = false
    /// Whether the terminal reports its locator (DECELR).
    private var hasLocator = false
    private var cursorShape = 0
    /// The resources of XTMODKEYS that are set, 4 being modifyOtherKeys.
    private var modifiedKeys: Set<Int> = []
    private var margins: [Int] = []
    private var hasTabStops = false
    /// The sets in G0 to G3, as their final bytes, and whether another one than G0 is in use.
    private var characterSets = Self.plainSets
    private var isShiftedOut = false
    private var isNotUTF8 = false
    /// Whether the terminal sends C1 controls as one byte (S8C1T).
    private var sendsC1 = false
    /// Whether characters are protected from selective erasing (DECSCA).
    private var isProtecting = false
    /// Whether the attributes of rectangles change in all of their cells (DECSACE), rather than along the lines.
    private var changesRectangles = false
    /// Whether characters may look otherwise than they do after a reset (SGR).
    private var hasRendition = false
    private var commands = CommandChanges()
    private var mainKeyboard = KeyboardStack()
    private var otherKeyboard = KeyboardStack()
    /// The number of the mode that switched to the other screen: 47, 1047 or 1049.
    package private(set) var otherScreenMode: Int?

    /// Private modes that are kept track of, and whether a reset leaves them set.
    ///
    /// They are set back in this order: 132 columns (3) while these are allowed (40).
    private static let tracked: [(number: Int, isSetAfterReset: Bool)] = [
        (1, false), (3, false), (4, false), (5, false), (6, false), (7, true), (8, true), (9, false), (12, false),
        (25, true), (40, false), (41, false), (45, false), (66, false), (67, false), (69, false), (1000, false),
        (1001, false),
        (1002, false), (1003, false), (1004, false), (1005, false), (1006, false), (1007, false), (1015, false),
        (1016, false), (1036, true), (1039, false), (1045, false), (2004, false), (2026, false), (2027, false),
        (2031, false),
        (2048, false), (5522, false), (7727, false), (7728, false), (7786, true), (7787, false), (9001, false),
    ]
    private static let plainSets = [UInt8](repeating: UInt8(ascii: "B"), count: 4)

    /// As a terminal is after a reset.
    package init() {}

    /// Whether the other ("alternate") screen is shown.
    package var isOnOtherScreen: Bool {
        otherScreenMode != nil
    }

    /// Whether a private mode is not as it is after a reset.
    package func isChanged(_ mode: Int) -> Bool {
        Self.tracked.firstIndex { $0.number == mode }.map { changed & 1 << UInt64($0) != 0 } ?? false
    }

    // MARK: - Sequences

    /// Bytes that bring a terminal from this to its reset state; none where nothing is changed.
    ///
    /// The main screen is shown after, its cursor where it was. `columns` is the width of the terminal, for its tab stops.
    package func resetting(columns: Int = 80) -> String {
        var text = isNotUTF8 ? "\u{1B}%G" : ""
        if isOnOtherScreen { text += otherKeyboard.clearing }
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
        // Moving the margins moves the cursor.
        if !margins.isEmpty { text += "\u{1B}7\u{1B}[r\u{1B}8" }
        for (number, isSet) in changedModes { text += "\u{1B}[?\(number)\(isSet ? "l" : "h")" }
        if hasTabStops { text += Self.usualTabStops(columns) }
        if let otherScreenMode { text += "\u{1B}[?\(otherScreenMode)l" }
        return text + mainKeyboard.clearing + commands.resetting
    }

    /// Every eighth column, one by one for terminals without DECST8C.
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

    /// Takes over what a sequence changes.
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
        case (UInt8(ascii: "%"), UInt8(ascii: "G")): isNotUTF8 = false
        case (UInt8(ascii: "%"), UInt8(ascii: "@")): isNotUTF8 = true
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
        case (.some, nil, UInt8(ascii: "u")):
            if isOnOtherScreen { otherKeyboard.apply(sequence) } else { mainKeyboard.apply(sequence) }
        default: break
        }
    }

    private mutating func set(_ modes: [Int], _ isSet: Bool) {
        for mode in modes {
            if [47, 1047, 1049].contains(mode) {
                if !isSet { otherKeyboard = KeyboardStack() }
                otherScreenMode = isSet ? (otherScreenMode ?? mode) : nil
            } else if let index = Self.tracked.firstIndex(where: { $0.number == mode }) {
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

    /// XTMODKEYS; without a value, or 0 for modifyOtherKeys, a resource is as it was.
    private mutating func setModifiedKeys(_ parameters: [Int]) {
        guard parameters.count > 1 || parameters[0] != 0 else {
            modifiedKeys = []
            return
        }
        guard parameters[0] < 8 else { return }
        let isSet = parameters.count > 1 && !(parameters[0] == 4 && parameters[1] == 0)
        if isSet { modifiedKeys.insert(parameters[0]) } else { modifiedKeys.remove(parameters[0]) }
    }

    /// DECSCL: a soft reset that also chooses the length of C1 controls, one byte from level 2 on unless told otherwise.
    private mutating func setLevel(_ parameters: [Int]) {
        guard 61...65 ~= parameters[0] else { return }
        resetSoftly()
        sendsC1 = parameters[0] > 61 && (parameters.count < 2 || parameters[1] != 1)
    }

    /// RIS; what it does to colors, the pointer and progress is not the same everywhere.
    private mutating func resetFully() {
        let commands = commands
        self = TerminalModes()
        self.commands = commands
    }

    /// DECSTR (VT510 manual, table of its effects).
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
