/// What escape sequences have changed in a terminal besides the text: modes, margins, the looks of cursor and characters.
///
/// The numbers are those of xterm's ctlseqs and, for the keyboard, of kitty's protocol.
package struct TerminalModes: Hashable, Sendable {
    /// Which private modes are not as they are after a reset; see `flag`.
    private var changed: UInt32 = 0
    private var isInserting = false
    private var hasNewLineMode = false
    private var hasApplicationKeypad = false
    private var cursorShape = 0
    private var modifiedKeys = 0
    private var margins: [Int] = []
    /// The set in G0, as its final byte, and whether G1 is in use.
    private var firstCharacterSet = UInt8(ascii: "B")
    private var isShiftedOut = false
    /// Whether characters may look otherwise than they do after a reset (SGR).
    private var hasRendition = false
    private var mainKeyboard = KeyboardStack()
    private var otherKeyboard = KeyboardStack()
    /// The number of the mode that switched to the other screen: 47, 1047 or 1049.
    package private(set) var otherScreenMode: Int?

    /// Private modes that are kept track of, and whether a reset leaves them set.
    private static let tracked: [(number: Int, isSetAfterReset: Bool)] = [
        (1, false), (5, false), (6, false), (7, true), (9, false), (25, true), (45, false), (66, false), (69, false),
        (1000, false), (1001, false), (1002, false), (1003, false), (1004, false), (1005, false), (1006, false),
        (1015, false), (1016, false), (2004, false), (2026, false), (2027, false), (2031, false), (2048, false),
        (41, false), (1045, false),
    ]

    /// As a terminal is after a reset.
    package init() {}

    /// Whether the other ("alternate") screen is shown.
    package var isOnOtherScreen: Bool {
        otherScreenMode != nil
    }

    /// Whether a private mode is not as it is after a reset.
    package func isChanged(_ mode: Int) -> Bool {
        Self.tracked.firstIndex { $0.number == mode }.map { changed & 1 << UInt32($0) != 0 } ?? false
    }

    // MARK: - Sequences

    /// Bytes that bring a terminal from this to its reset state; none where nothing is changed.
    ///
    /// The main screen is shown after, its cursor where it was.
    package var resetting: String {
        var text = ""
        if isOnOtherScreen { text += otherKeyboard.clearing }
        if isShiftedOut { text += "\u{0F}" }
        if firstCharacterSet != UInt8(ascii: "B") { text += "\u{1B}(B" }
        if hasRendition { text += "\u{1B}[m" }
        if isInserting { text += "\u{1B}[4l" }
        if hasNewLineMode { text += "\u{1B}[20l" }
        if hasApplicationKeypad { text += "\u{1B}>" }
        if cursorShape > 0 { text += "\u{1B}[0 q" }
        if modifiedKeys > 0 { text += "\u{1B}[>4m" }
        // Moving the margins moves the cursor.
        if !margins.isEmpty { text += "\u{1B}7\u{1B}[r\u{1B}8" }
        for (number, isSet) in changedModes { text += "\u{1B}[?\(number)\(isSet ? "l" : "h")" }
        if let otherScreenMode { text += "\u{1B}[?\(otherScreenMode)l" }
        return text + mainKeyboard.clearing
    }

    private var changedModes: [(Int, Bool)] {
        Self.tracked.enumerated().compactMap { index, mode in
            changed & 1 << UInt32(index) != 0 ? (mode.number, !mode.isSetAfterReset) : nil
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
        case .command, .deviceControl, .otherString: break
        }
    }

    private mutating func applyEscape(_ sequence: EscapeSequence) {
        switch (sequence.body.first, sequence.final) {
        case (nil, UInt8(ascii: "c")): self = TerminalModes()
        case (nil, UInt8(ascii: "=")): hasApplicationKeypad = true
        case (nil, UInt8(ascii: ">")): hasApplicationKeypad = false
        case (UInt8(ascii: "("), let final) where (0x30...0x7E).contains(final): firstCharacterSet = final
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
        case (nil, UInt8(ascii: "!"), UInt8(ascii: "p")): resetSoftly()
        case (UInt8(ascii: ">"), nil, UInt8(ascii: "m")):
            let parameters = sequence.parameters
            if parameters[0] == 4 { modifiedKeys = parameters.count > 1 ? parameters[1] : 0 }
        case (UInt8(ascii: ">"), nil, UInt8(ascii: "n")):
            if sequence.parameters[0] == 4 { modifiedKeys = 0 }
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
                let bit = UInt32(1) << UInt32(index)
                if isSet == Self.tracked[index].isSetAfterReset { changed &= ~bit } else { changed |= bit }
            }
        }
    }

    private mutating func setStandard(_ modes: [Int], _ isSet: Bool) {
        if modes.contains(4) { isInserting = isSet }
        if modes.contains(20) { hasNewLineMode = isSet }
    }

    /// DECSTR (VT510 manual, table of its effects).
    private mutating func resetSoftly() {
        set([1, 6, 45, 66, 69, 1045], false)
        set([7, 25], true)
        isInserting = false
        hasApplicationKeypad = false
        margins = []
        firstCharacterSet = UInt8(ascii: "B")
        isShiftedOut = false
        hasRendition = false
    }
}
