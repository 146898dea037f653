/// Writes text so that mdoc(7) takes it literally.
enum MdocText {
    /// Text as lines of running text, each sentence on a line of its own, as mandoc(1) asks for.
    static func running(_ text: String) -> String {
        var sentences: [String] = []
        var current: [Substring] = []
        for word in text.split(separator: " ") {
            let isCapitalised = word.first?.isUppercase ?? false
            if isCapitalised, let last = current.last, last.hasSuffix(".") {
                sentences.append(line(current))
                current = []
            }
            current.append(word)
        }
        return (sentences + [line(current)]).joined(separator: "\n")
    }

    /// A word as an argument of a macro.
    static func argument(_ word: some StringProtocol) -> String {
        // A name of two or three letters may be that of a macro, a lone mark a delimiter.
        let needsGuard = word.utf8.count <= 3
        return (needsGuard ? "\\&" : "") + literal(word, isArgument: true)
    }

    /// Text with the marks that roff acts on written out, all dashes as they are typed.
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
            case "\"" where isArgument: result += "\\(dq"
            case " " where isArgument: result += "\\ "
            default: result.append(character)
            }
        }
        return result
    }

    /// A line of running text: hyphens within words stay such, dashes of options are typed ones.
    private static func line(_ words: [Substring]) -> String {
        let text = words.map { word in
            let isOption = word.drop { !$0.isLetter && !$0.isNumber && $0 != "-" }.hasPrefix("-")
            return literal(word, isArgument: false, keepsHyphens: !isOption)
        }
        let line = text.joined(separator: " ")
        return line.hasPrefix(".") ? "\\&" + line : line
    }
}
