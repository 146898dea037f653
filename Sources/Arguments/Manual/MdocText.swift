import Core

/// Escapes text so that mdoc(7) renders it literally.
enum MdocText {
    /// Renders a paragraph: as a literal line of shell input if it is indented, otherwise as running text.
    static func paragraph(_ text: String) -> String {
        text.hasPrefix("    ") ? ".Dl " + literal(text.dropFirst(4)).replacing("  ", with: "\\ \\ ") : running(text)
    }

    /// Renders running text with one sentence per line, as mandoc(1) recommends.
    static func running(_ text: some StringProtocol) -> String {
        var sentences: [String] = []
        var current: [String] = []
        for word in text.split(separator: " ") {
            let isCapitalised = word.first?.isUppercase ?? false
            if isCapitalised, let last = current.last, last.hasSuffix(".") {
                sentences.append(lines(current))
                current = []
            }
            current.append(String(word))
        }
        return (sentences + [lines(current)]).joined(separator: "\n")
    }

    /// Renders a word as a macro argument.
    static func argument(_ word: some StringProtocol) -> String {
        // A word of two or three letters could be the name of a macro, and a single punctuation mark could be a
        // delimiter.
        let needsGuard = word.utf8.count <= 3
        return (needsGuard ? "\\&" : "") + literal(word, isArgument: true)
    }

    /// Escapes roff's special characters, so that quotes and hyphens are rendered as ASCII.
    static func literal(_ text: some StringProtocol) -> String {
        literal(text, isArgument: false)
    }

    private static func literal(_ text: some StringProtocol, isArgument: Bool, keepsHyphens: Bool = false) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += keepsHyphens ? "-" : "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case " " where isArgument: result += "\\ "
            default: result.append(character)
            }
        }
        return result
    }

    /// Renders lines of running text, with only the hyphens of options escaped.
    private static func lines(_ words: [String]) -> String {
        var lines = [""]
        for word in words {
            let isOption = word.drop { !$0.isLetter && !$0.isNumber && $0 != "-" }.hasPrefix("-")
            let text = literal(word, isArgument: false, keepsHyphens: !isOption)
            let length = lines[lines.count - 1].utf8.count
            if length > 0, length + 1 + text.utf8.count > 80 { lines.append("") }
            let isFirst = lines[lines.count - 1].isEmpty
            lines[lines.count - 1] += (isFirst ? (text.hasPrefix(".") ? "\\&" : "") : " ") + text
        }
        return lines.joined(separator: "\n")
    }
}
