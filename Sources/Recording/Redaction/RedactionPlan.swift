import Core
import Terminal

/// The criteria for secrets in a recording, and the replacement.
package struct RedactionPlan: Sendable {
    let patterns: [LinePattern]
    /// Whether to search for known secret formats.
    let findsKnown: Bool
    /// The UTF-8 encoding of a one-cell character.
    let replacement: [UInt8]

    /// `patterns` are the user's expressions; with `knownShapes`, the findings of `SecretScanner` are redacted, too.
    ///
    /// - Throws: `usage` when `replacement` is not a single one-cell character, or is a space.
    package init(patterns: [LinePattern], knownShapes: Bool, replacement: String = "*") throws(VTError) {
        self.patterns = patterns
        findsKnown = knownShapes
        guard replacement.unicodeScalars.count == 1, replacement != " ", replacement.sanitized == replacement,
            Self.cells(Array(replacement.utf8)) == 1
        else {
            throw VTError(.usage, "'\(replacement)' is not a single visible character that is one cell wide")
        }
        self.replacement = Array(replacement.utf8)
    }

    /// Whether a text consists only of replacements and blanks.
    func isReplacement(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        while let first = rest.first {
            if first == 0x20 {
                rest = rest.dropFirst()
            } else if rest.starts(with: replacement) {
                rest = rest.dropFirst(replacement.count)
            } else {
                return false
            }
        }
        return true
    }

    /// Returns the replacement for a text, repeated for the number of cells the text occupies.
    func replaced(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let cells = text.allSatisfy { $0 < 0x80 } ? text.count : Self.cells(Array(text))
        return Array(repeatElement(replacement, count: cells).joined())
    }

    /// Returns the number of columns by which a text moves the cursor of a terminal.
    private static func cells(_ text: [UInt8]) -> Int {
        guard let size = TerminalSize(columns: 10_000, rows: 1) else { return text.count }
        var cells = 0
        for part in stride(from: 0, to: text.count, by: 4_000) {
            var emulator = Emulator(size: size, scrollbackBytes: 0)
            emulator.feed(Array(text[part..<min(part + 4_000, text.count)]))
            cells += emulator.screen().cursor.column
        }
        return cells
    }
}
