import Core
import Terminal

/// The text that an engine has recognized, without anything that a terminal would interpret.
package struct SpokenText: Hashable, Sendable {
    package let text: String
    /// Whether the end is missing because the text was too long.
    package let isCut: Bool

    package static let limit = 4096
    /// The number of characters of an engine's own messages that are shown.
    private static let excerptLimit = 200

    /// Removes controls and escape sequences; line breaks become spaces unless `keepsLines`.
    package init(_ text: String, keepsLines: Bool = false) {
        var filter = OutputFilter([.all])
        let bytes = filter.filter(Array(Self.sevenBit(text).utf8)) + filter.finish()
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(Self.words)
        let clean = lines.filter { !$0.isEmpty }.joined(separator: keepsLines ? "\n" : " ")
        self.text = String(clean.prefix(Self.limit))
        isCut = clean.count > Self.limit
    }

    /// Replaces C1 controls, except the line break NEL, by their escape sequences (ECMA-48 §5.3), which are then removed with what belongs to them.
    private static func sevenBit(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if (0x80...0x9F).contains(scalar.value), scalar != "\u{85}", let final = Unicode.Scalar(scalar.value - 0x40)
            {
                result.append("\u{1B}")
                result.append(final)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The words of a line, without controls and without characters that are not displayed.
    private static func words(of line: Substring) -> String {
        line.split(whereSeparator: \.isWhitespace).map { word in
            String(
                String.UnicodeScalarView(word.unicodeScalars.filter { !$0.isUnsafeForTerminals && !isInvisible($0) })
            )
        }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Whether a character is not displayed; those that change how others are displayed are.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Joiners and variation selectors.
        case 0x200C, 0x200D, 0x180B...0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: false
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// The start of a message of an engine.
    static func excerpt(_ message: String) -> String {
        String(SpokenText(message).text.prefix(excerptLimit))
    }

    /// Whether there is a letter or digit outside brackets and parentheses.
    ///
    /// Engines describe other sounds in them: `[BLANK_AUDIO]`, `(music)`.
    package var isSpeech: Bool {
        var depth = 0
        for character in text {
            switch character {
            case "[", "(": depth += 1
            case "]", ")": depth = max(0, depth - 1)
            default: if depth == 0, character.isLetter || character.isNumber { return true }
            }
        }
        return false
    }
}
