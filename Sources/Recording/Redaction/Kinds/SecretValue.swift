/// Decides whether text that is found where a secret is expected can be a secret.
struct SecretValue {
    /// How a value is assigned to its name.
    enum Place {
        /// A place that contains nothing but a secret: `curl -u user:…`, `https://user:…@host`.
        case certain
        /// Directly after its name: `NAME=…`.
        case attached
        /// Separated from its name: `name = …`, `name: …`, `--name …`.
        case apart
    }

    let text: LineText
    let range: Range<Int>
    let isQuoted: Bool

    /// Words that describe a secret, or are placeholders for one.
    private static let words: Set<String> = [
        "none", "null", "nil", "undefined", "true", "false", "yes", "no", "on", "off", "ok", "required", "optional",
        "incorrect", "invalid", "missing", "expired", "unknown", "enabled", "disabled", "set", "unset", "empty",
        "failed",
        "failure", "success", "successful", "successfully", "accepted", "denied", "rejected", "changed", "updated",
        "created", "deleted", "revoked", "prompt", "ask", "hidden", "redacted", "masked", "bearer", "basic", "digest",
        "string", "str", "bool", "boolean", "int", "integer", "number", "float", "bytes", "byte", "char", "any",
        "object",
        "array", "list", "dict", "map", "void", "text", "value", "values", "file", "path", "self", "this", "input",
        "output",
        "args", "default", "example", "changeme", "password", "passwd", "passphrase", "token", "secret", "key",
        "username",
        "your", "the", "a", "an", "is", "was", "not", "must", "for", "and", "or", "to", "of", "in", "from", "with",
        "if",
        "then", "else", "return", "await", "new", "let", "var", "const", "function", "lambda", "got", "found",
        "expected",
        "used", "user", "pass", "valid", "authentication", "stringarray", "xxx", "todo", "tbd", "n/a", "stdin", "env",
        "same", "next", "content", "contents", "data", "source", "option", "options", "flag", "flags", "argument",
        "arguments", "parameter", "parameters", "config", "params", "line", "split", "userdata", "result", "header",
        "headers", "name", "also", "here", "as", "well", "are", "be", "can", "may", "will", "when", "which", "that",
        "has", "instead", "given", "eof", "eol",
    ]

    /// Placeholders for a password in an example URL: `https://user:pass@host`.
    private static let addressWords: Set<String> = [
        "password", "passwd", "passphrase", "pass", "pwd", "pw", "secret", "token", "key", "apikey",
    ]

    func mayBeSecret(_ place: Place, _ strength: SecretName.Strength) -> Bool {
        guard range.count >= (place == .certain ? 1 : isQuoted || place == .attached ? 3 : 4), !isPlaceholder else {
            return false
        }
        guard place != .certain else { return true }
        let facts = facts
        if facts.isNumber {
            return strength == .password ? range.count >= 5 : range.count >= 9 && !facts.hasMark
        }
        if !isQuoted, isExpression(facts) || isConstant(facts, place) { return false }
        if strength != .password, isNoToken(facts) { return false }
        if strength == .weak {
            guard range.count >= 8, !facts.hasBlank, !isCode(facts) else { return false }
            return facts.digits > 0 || isQuoted && range.count >= 16
        }
        let word = lowercased
        if Self.words.contains(word) { return false }
        if facts.hasBlank { return isQuoted && (!namesSecret(word) || hasRandomWord) }
        // The name of a type in quotes: `key: 'SSHKey'`.
        if strength == .token, place == .apart, facts.isWord, facts.digits == 0, 0x41...0x5A ~= text[range.lowerBound],
            facts.upper < facts.letters
        {
            return false
        }
        guard facts.isWord, facts.digits == 0 else { return !isCode(facts) }
        // A word without digits can be a secret if it is quoted or directly assigned; otherwise, it is usually a name.
        if isQuoted || place == .attached {
            return SecretName.strength(bytes) == nil
        }
        return strength == .password && SecretName.strength(bytes) == nil && facts.upper == 0 && !facts.hasMark
    }

    /// Whether the text is random enough to be a secret even among other words.
    var isRandom: Bool {
        let facts = facts
        return range.count >= 8 && facts.digits > 0 && facts.letters > 0 && !facts.hasBlank && !facts.isCall
            && !isPlaceholder && !isIdentifier(facts)
    }

    /// Whether the text is a word that commonly appears with secrets.
    var isWord: Bool { Self.words.contains(lowercased) }

    /// Whether the text is random, or short with both letters and digits, such as `hunter2`, but not a constant such as
    /// `KRB4LEVEL`.
    var isMixed: Bool {
        let facts = facts
        guard facts.upper < facts.letters || facts.digits > 2 else { return false }
        return isRandom
            || range.count >= 6 && facts.digits > 0 && facts.letters > facts.upper && !facts.hasBlank
                && !facts.isCall && !isPlaceholder && !isIdentifier(facts)
    }

    /// Whether the text is a placeholder for a password in an example URL.
    var isAddressPlaceholder: Bool {
        let facts = facts
        return isPlaceholder || contains("%(") || Self.addressWords.contains(lowercased)
            || facts.isWord && facts.digits == 0 && bytes.contains(UInt8(ascii: "_"))
                && SecretName.strength(bytes) != nil
    }

    /// Whether the text, found where credentials are expected, is a known word, a name, a URL, a call or a placeholder
    /// instead.
    var isWordOrCode: Bool {
        isPlaceholder || contains("://") || facts.isCall || Self.words.contains(lowercased)
            || SecretName.strength(bytes) != nil
    }

    /// Whether the text is an optional type, a dotted name, or the end of a call: `Secret?`, `a?.token`, `None):`.
    private func isExpression(_ facts: Facts) -> Bool {
        let last = text[range.upperBound - 1]
        if facts.digits == 0, last == UInt8(ascii: "?") || contains("?.") { return true }
        if facts.digits == 0, last == UInt8(ascii: "!"), facts.letters == range.count - 1 {
            let word = SecretValue(text: text, range: range.dropLast(), isQuoted: false)
            return Self.words.contains(word.lowercased) || SecretName.strength(word.bytes) != nil
        }
        if facts.isWord, facts.digits == 0, contains("self.") || contains("this.") { return true }
        if facts.digits == 0, contains("->") || contains("::") { return true }
        let close = range.first { text[$0] == UInt8(ascii: ")") } ?? range.upperBound
        guard close < text.count, text[close] == UInt8(ascii: ")"), close > range.lowerBound else { return false }
        let argument = SecretValue(text: text, range: range.lowerBound..<close, isQuoted: false)
        let inner = argument.facts
        return inner.isWord && (inner.digits == 0 || argument.isIdentifier(inner))
    }

    /// Whether the text is a constant or number in code: `BASE64`, `0x00000020`.
    private func isConstant(_ facts: Facts, _ place: Place) -> Bool {
        if range.count <= 18, text.has("0x", at: range.lowerBound) {
            return range.dropFirst(2).allSatisfy { TokenAlphabet.hex.contains(text[$0] | 0x20) }
        }
        guard place == .apart, facts.isWord, facts.upper == facts.letters, facts.letters >= 3 else { return false }
        return facts.digits <= 3 && range.suffix(facts.digits).allSatisfy { 0x30...0x39 ~= text[$0] }
    }

    /// Whether the text can be a password but not a token: a URL, a path, or a name in code.
    private func isNoToken(_ facts: Facts) -> Bool {
        if contains("://") || contains("[\\x") { return true }
        if facts.digits == 0, contains("@") { return true }
        if !isQuoted, isIdentifier(facts), !contains("-") { return true }
        let first = text[range.lowerBound]
        return facts.digits == 0 && (first == UInt8(ascii: "/") || first == UInt8(ascii: "~"))
            && !contains("+") && !contains("=")
    }

    /// Whether the text is an identifier with at most two digits, or in upper case: `libssh2_userauth_password_ex`,
    /// `EVP_PKEY_ED25519`.
    private func isIdentifier(_ facts: Facts) -> Bool {
        guard facts.isWord, facts.hasMark else { return false }
        if facts.upper == facts.letters, facts.letters > facts.digits, contains("_") { return true }
        return facts.digits <= 2 && (facts.upper == 0 || facts.upper == facts.letters)
    }

    /// Whether the text is a placeholder: `$TOKEN`, `<token>`, `{{ token }}`, `%TOKEN%`, `@TOKEN@`, `****`, `...`.
    var isPlaceholder: Bool {
        let (first, last) = (text[range.lowerBound], text[range.upperBound - 1])
        switch first {
        case UInt8(ascii: "$"):
            let rest = range.dropFirst()
            // A password can start with `$`; a variable name contains only word characters, and a path can follow it.
            return rest.isEmpty || contains("->") || text[rest[rest.startIndex]] == 0x7B
                || text[rest[rest.startIndex]] == 0x28
                || rest.prefix { text[$0] != UInt8(ascii: "/") }.allSatisfy { TokenAlphabet.word.contains(text[$0]) }
        case UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "`"): return true
        case UInt8(ascii: "%"), UInt8(ascii: "@"): if last == first || range.count <= 3 { return true }
        case UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: ":"): return true
        default: break
        }
        if contains("...") || contains("…") || isRepetition { return true }
        // A regular expression for a secret: `AKIA[A-Z2-7]{16}`.
        if contains("[A-Z") || contains("[a-z") || contains("[0-9") { return true }
        if range.count > 2 || !TokenAlphabet.alphanumeric.contains(first), range.allSatisfy({ text[$0] == first }) {
            return true
        }
        var marks = 0
        for index in range where text[index] == UInt8(ascii: "*") || text[index] == UInt8(ascii: ".") { marks += 1 }
        return marks == range.count || range.count - marks <= 1 && marks > 0
            || contains("%d") || contains("%s") || contains("${") || contains("{{") || contains("$(")
    }

    /// Whether the text is a repetition in a grammar: `1*tchar` (RFC 5234 §3.6).
    private var isRepetition: Bool {
        guard let star = range.first(where: { text[$0] == UInt8(ascii: "*") }), star + 1 < range.upperBound else {
            return false
        }
        return star - range.lowerBound <= 2 && (range.lowerBound..<star).allSatisfy { 0x30...0x39 ~= text[$0] }
            && (star + 1..<range.upperBound).allSatisfy {
                TokenAlphabet.lower.contains(text[$0] | 0x20) || "-()".utf8.contains(text[$0])
            }
    }

    private struct Facts {
        var letters = 0
        var upper = 0
        var digits = 0
        var hasBlank = false
        /// Whether there are only letters, digits, and characters that join words.
        var isWord = true
        var isNumber = true
        /// Whether there is an underscore, a dot or a hyphen.
        var hasMark = false
        /// Whether there is a name with an opening bracket after it.
        var isCall = false
        /// Whether there are only names so far, and characters that join them in code.
        var isPath = true
    }

    private var facts: Facts {
        var facts = Facts()
        for index in range {
            switch text[index] {
            case 0x30...0x39: facts.digits += 1
            case 0x41...0x5A:
                facts.letters += 1
                facts.upper += 1
            case 0x61...0x7A: facts.letters += 1
            case 0x20, 0x09: facts.hasBlank = true
            case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"): facts.hasMark = true
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"):
                if facts.letters > 0, facts.isPath { facts.isCall = true }
                facts.isWord = false
            default:
                facts.isWord = false
                if !":?!>$".utf8.contains(text[index]) { facts.isPath = false }
            }
        }
        facts.isNumber = facts.digits > 0 && facts.letters == 0 && facts.isWord
        return facts
    }

    /// Whether the text is code: `os.environ["TOKEN"]`, `config.get("token")`, `Optional<Token>`.
    private func isCode(_ facts: Facts) -> Bool {
        facts.isCall && !isQuoted
    }

    private func namesSecret(_ word: String) -> Bool {
        word.split(whereSeparator: { $0 == " " || $0 == ":" }).contains { Self.words.contains(String($0)) }
    }

    /// Whether one of the words is random, with digits, lowercase letters and capitals.
    private var hasRandomWord: Bool {
        range.split { text[$0] == UInt8(ascii: " ") }.contains { part in
            let word = SecretValue(text: text, range: part, isQuoted: isQuoted)
            let facts = word.facts
            return word.isRandom && facts.upper > 0 && facts.upper < facts.letters
        }
    }

    private var bytes: [UInt8] { range.map { text[$0] } }

    private var lowercased: String {
        guard range.count <= 80 else { return "" }
        return String(decoding: range.map { 0x41...0x5A ~= text[$0] ? text[$0] | 0x20 : text[$0] }, as: UTF8.self)
    }

    private func contains(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard count <= range.count else { return false }
        let bytes = Array("\(word)".utf8)
        return (range.lowerBound...range.upperBound - count).contains { start in
            bytes.indices.allSatisfy { text[start + $0] == bytes[$0] }
        }
    }
}
