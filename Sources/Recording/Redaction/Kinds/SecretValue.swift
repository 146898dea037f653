/// Tells whether a text that stands where a secret is expected may be one.
struct SecretValue {
    /// How a value is given to its name.
    enum Place {
        /// Nothing else can stand there: `curl -u user:…`, `https://user:…@host`.
        case certain
        /// `NAME=…`.
        case attached
        /// `name = …`, `name: …`, `--name …`.
        case apart
    }

    let text: LineText
    let range: Range<Int>
    let isQuoted: Bool

    /// Words that are said of a secret, or take its place.
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
        "same", "next",
    ]

    func mayBeSecret(_ place: Place, _ strength: SecretName.Strength) -> Bool {
        guard range.count >= (place == .certain ? 1 : isQuoted || place == .attached ? 3 : 4), !isPlaceholder else {
            return false
        }
        guard place != .certain else { return true }
        let facts = facts
        if facts.isNumber { return range.count >= (strength == .password ? 5 : 9) }
        if strength == .weak {
            guard range.count >= 8, !facts.hasBlank, !isCode(facts) else { return false }
            return facts.digits > 0 || isQuoted && range.count >= 16
        }
        let word = lowercased
        if Self.words.contains(word) { return false }
        if facts.hasBlank { return isQuoted && !namesSecret(word) }
        guard facts.isWord, facts.digits == 0 else { return !isCode(facts) }
        // A word of letters is a password where it is given as one; elsewhere it is the name of something.
        if isQuoted || place == .attached { return SecretName.strength(bytes) == nil }
        return strength == .password && SecretName.strength(bytes) == nil && facts.upper == 0 && !facts.hasMark
    }

    /// Whether it is random enough to be one even among other words.
    var isRandom: Bool {
        let facts = facts
        return range.count >= 8 && facts.digits > 0 && facts.letters > 0 && !facts.hasBlank && !facts.isCall
            && !isPlaceholder && !isIdentifier(facts)
    }

    /// A name of code with a digit in it: `libssh2_userauth_password_ex`.
    private func isIdentifier(_ facts: Facts) -> Bool {
        facts.isWord && facts.hasMark && facts.digits <= 2 && (facts.upper == 0 || facts.upper == facts.letters)
    }

    /// Stands for something: `$TOKEN`, `<token>`, `{{ token }}`, `%TOKEN%`, `@TOKEN@`, `****`, `...`.
    var isPlaceholder: Bool {
        let (first, last) = (text[range.lowerBound], text[range.upperBound - 1])
        switch first {
        case UInt8(ascii: "$"):
            let rest = range.dropFirst()
            // A password may begin with it; the name of a variable has none but these characters.
            return rest.isEmpty || contains("->") || text[rest[rest.startIndex]] == 0x7B
                || text[rest[rest.startIndex]] == 0x28
                || rest.allSatisfy { TokenAlphabet.word.contains(text[$0]) }
        case UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "`"): return true
        case UInt8(ascii: "%"), UInt8(ascii: "@"): if last == first || range.count <= 3 { return true }
        case UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: ">"): return true
        default: break
        }
        if range.count > 2 || !TokenAlphabet.alphanumeric.contains(first), range.allSatisfy({ text[$0] == first }) {
            return true
        }
        var marks = 0
        for index in range where text[index] == UInt8(ascii: "*") || text[index] == UInt8(ascii: ".") { marks += 1 }
        return marks == range.count || range.count - marks <= 1 && marks > 0
            || contains("%d") || contains("%s") || contains("${") || contains("{{") || contains("$(")
    }

    private struct Facts {
        var letters = 0
        var upper = 0
        var digits = 0
        var hasBlank = false
        /// Nothing but letters, digits, and what joins words.
        var isWord = true
        var isNumber = true
        /// Has an underscore, a dot or a hyphen.
        var hasMark = false
        /// A name and an opening bracket.
        var isCall = false
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
                if facts.letters > 0, facts.isWord { facts.isCall = true }
                facts.isWord = false
            default: facts.isWord = false
            }
        }
        facts.isNumber = facts.digits > 0 && facts.letters == 0 && facts.isWord
        return facts
    }

    /// `os.environ["TOKEN"]`, `config.get("token")`, `Optional<Token>`.
    private func isCode(_ facts: Facts) -> Bool {
        facts.isCall && !isQuoted
    }

    private func namesSecret(_ word: String) -> Bool {
        word.split(whereSeparator: { $0 == " " || $0 == ":" }).contains { Self.words.contains(String($0)) }
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
