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
        let bytes = filter.filter(Array(text.utf8)) + filter.finish()
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(Self.words)
        let clean = lines.filter { !$0.isEmpty }.joined(separator: keepsLines ? "\n" : " ")
        self.text = String(clean.prefix(Self.limit))
        isCut = clean.count > Self.limit
    }

    /// The words of a line, without controls.
    private static func words(of line: Substring) -> String {
        line.split(whereSeparator: \.isWhitespace).map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.filter { !$0.isUnsafeForTerminals }))
        }.filter { !$0.isEmpty }.joined(separator: " ")
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
