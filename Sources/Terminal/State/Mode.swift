/// The supported terminal modes (ECMA-48 §7, xterm's ctlseqs "Set Mode" and "DEC Private Mode Set").
package enum Mode: UInt8, CaseIterable, Sendable {
    // ECMA-48
    case keyboardLocked, insert, localEchoOff, newLine
    // DEC and xterm
    case applicationCursor, columns132, smoothScroll, reverseVideo, origin, autoWrap, autoRepeat, mouseX10
    case blinkingCursor, showCursor, allowColumns132, reverseWrap, applicationKeypad, backspaceKey, leftRightMargins
    case mouseButtons, mouseHighlight, mouseDrag, mouseMotion, focus, mouseUTF8, mouseSGR, alternateScroll
    case mouseURXVT, mousePixels, metaEscape, altEscape, bracketedPaste, synchronized, graphemes, colorNotes, sizeNotes
    case moreFix, extendedReverseWrap, nationalSets

    /// The number in a control sequence.
    package var number: Int {
        Self.numbers[Int(rawValue)]
    }

    /// Whether the control sequence contains a `?`.
    package var isPrivate: Bool { rawValue >= Mode.applicationCursor.rawValue }

    private static let numbers = [
        2, 4, 12, 20, 1, 3, 4, 5, 6, 7, 8, 9, 12, 25, 40, 45, 66, 67, 69, 1000, 1001, 1002, 1003, 1004, 1005, 1006,
        1007, 1015, 1016, 1036, 1039, 2004, 2026, 2027, 2031, 2048, 41, 1045, 42,
    ]

    init?(_ number: Int, isPrivate: Bool) {
        guard let mode = Mode.allCases.first(where: { $0.isPrivate == isPrivate && $0.number == number }) else {
            return nil
        }
        self = mode
    }
}
