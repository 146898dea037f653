/// The characters that a token consists of.
struct TokenAlphabet: OptionSet, Sendable {
    let rawValue: UInt16

    static let digits = TokenAlphabet(rawValue: 1)
    /// `a` to `f`.
    static let lowerHex = TokenAlphabet(rawValue: 1 << 1)
    /// `g` to `z`.
    static let lowerRest = TokenAlphabet(rawValue: 1 << 2)
    static let upper = TokenAlphabet(rawValue: 1 << 3)
    static let underscore = TokenAlphabet(rawValue: 1 << 4)
    static let hyphen = TokenAlphabet(rawValue: 1 << 5)
    static let dot = TokenAlphabet(rawValue: 1 << 6)
    static let plus = TokenAlphabet(rawValue: 1 << 7)
    static let slash = TokenAlphabet(rawValue: 1 << 8)
    static let equals = TokenAlphabet(rawValue: 1 << 9)
    static let tilde = TokenAlphabet(rawValue: 1 << 10)
    static let dollar = TokenAlphabet(rawValue: 1 << 11)
    static let colon = TokenAlphabet(rawValue: 1 << 12)
    static let at = TokenAlphabet(rawValue: 1 << 13)

    static let hex: TokenAlphabet = [.digits, .lowerHex]
    static let lower: TokenAlphabet = [.lowerHex, .lowerRest]
    static let lowerDigits: TokenAlphabet = [.lower, .digits]
    static let upperDigits: TokenAlphabet = [.upper, .digits]
    static let alphanumeric: TokenAlphabet = [.lower, .upper, .digits]
    /// The characters of a word in a regular expression.
    static let word: TokenAlphabet = [.alphanumeric, .underscore]
    /// Base 64 with the alphabet for URLs (RFC 4648 §5).
    static let base64URL: TokenAlphabet = [.word, .hyphen]
    /// Base 64 (RFC 4648 §4).
    static let base64: TokenAlphabet = [.alphanumeric, .plus, .slash, .equals]
    static let dotted: TokenAlphabet = [.base64URL, .dot]

    private static let table: [UInt16] = (0..<256).map { byte in
        let alphabet: TokenAlphabet =
            switch UInt8(byte) {
            case 0x30...0x39: .digits
            case 0x61...0x66: .lowerHex
            case 0x67...0x7A: .lowerRest
            case 0x41...0x5A: .upper
            case UInt8(ascii: "_"): .underscore
            case UInt8(ascii: "-"): .hyphen
            case UInt8(ascii: "."): .dot
            case UInt8(ascii: "+"): .plus
            case UInt8(ascii: "/"): .slash
            case UInt8(ascii: "="): .equals
            case UInt8(ascii: "~"): .tilde
            case UInt8(ascii: "$"): .dollar
            case UInt8(ascii: ":"): .colon
            case UInt8(ascii: "@"): .at
            default: []
            }
        return alphabet.rawValue
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        Self.table[Int(byte)] & rawValue != 0
    }
}
