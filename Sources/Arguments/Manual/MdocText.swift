/// Escapes text so that mdoc(7) renders it literally.
enum MdocText {
    /// A paragraph: a line to type if it is indented, otherwise running text.
    static func paragraph(_ text: String) -> String {
        text.hasPrefix("    ") ? ".Dl " + literal(text.dropFirst(4)) : running(text)
    }

    /// Running text with one sentence per line, as mandoc(1) recommends.
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

    /// A word as a macro argument.
    static func argument(_ word: some StringProtocol) -> String {
        // A word of two or three letters may be the name of a macro, a single punctuation mark a delimiter.
        let needsGuard = word.utf8.count <= 3
        return (needsGuard ? "\\&" : "") + literal(word, isArgument: true)
    }

    /// Text with roff's special characters escaped; all dashes are ASCII.
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

    /// Lines of running text: hyphens within words are kept, dashes of options are rendered as typed.
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
