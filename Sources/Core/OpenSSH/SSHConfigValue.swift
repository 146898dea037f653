/// Parses values of ssh_config(5); every function returns nil for a malformed value.
package enum SSHConfigValue {
    package static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true": true
        case "no", "false": false
        default: nil
        }
    }

    /// Parses seconds, or numbers with the units of sshd_config(5), TIME FORMATS: `90`, `1m30s`.
    ///
    /// As in OpenSSH, the maximum is 2³¹ - 1 seconds.
    package static func duration(_ text: String) -> Duration? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        let maximum = Int64(Int32.max)
        var total: Int64 = 0
        var rest = text.lowercased()[...]
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let unit = rest.popFirst().map { units[$0] } ?? 1
            guard let number = Int64(digits), let unit, number <= maximum / unit else { return nil }
            total += number * unit
            guard total <= maximum else { return nil }
        } while !rest.isEmpty
        return .seconds(total)
    }

    /// Splits text into words at blanks, like `argv_split` in OpenSSH's misc.c; nil if a quote is not closed.
    ///
    /// Blanks within single or double quotes do not separate words. A backslash escapes a quote, a backslash and,
    /// outside quotes, a space. `#` at the start of a word starts a comment.
    package static func words(_ text: Substring) -> [String]? {
        var words: [String] = []
        var rest = text
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard let first = rest.first, first != "#" else { return words }
            guard let word = takeWord(&rest) else { return nil }
            words.append(word)
        }
    }

    private static func takeWord(_ rest: inout Substring) -> String? {
        var word = ""
        var quote: Character?
        while let character = rest.first {
            if quote == nil, character == " " || character == "\t" { return word }
            rest.removeFirst()
            if character == "\\", let next = rest.first, "'\"\\".contains(next) || (quote == nil && next == " ") {
                word.append(next)
                rest.removeFirst()
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if character == quote {
                quote = nil
            } else {
                word.append(character)
            }
        }
        return quote == nil ? word : nil
    }
}
