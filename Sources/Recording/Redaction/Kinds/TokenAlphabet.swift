/// A set of characters that can occur in a token.
struct TokenAlphabet: OptionSet, Sendable {
    let rawValue: UInt16

    static var digits: TokenAlphabet { TokenAlphabet(rawValue: 1) }
    /// `a` to `f`.
    static var lowerHex: TokenAlphabet { TokenAlphabet(rawValue: 1 << 1) }
    /// `g` to `z`.
    static var lowerRest: TokenAlphabet { TokenAlphabet(rawValue: 1 << 2) }
    static var upper: TokenAlphabet { TokenAlphabet(rawValue: 1 << 3) }
    static var underscore: TokenAlphabet { TokenAlphabet(rawValue: 1 << 4) }
    static var hyphen: TokenAlphabet { TokenAlphabet(rawValue: 1 << 5) }
    static var dot: TokenAlphabet { TokenAlphabet(rawValue: 1 << 6) }
    static var plus: TokenAlphabet { TokenAlphabet(rawValue: 1 << 7) }
    static var slash: TokenAlphabet { TokenAlphabet(rawValue: 1 << 8) }
    static var equals: TokenAlphabet { TokenAlphabet(rawValue: 1 << 9) }
    static var tilde: TokenAlphabet { TokenAlphabet(rawValue: 1 << 10) }
    static var dollar: TokenAlphabet { TokenAlphabet(rawValue: 1 << 11) }
    static var colon: TokenAlphabet { TokenAlphabet(rawValue: 1 << 12) }
    static var at: TokenAlphabet { TokenAlphabet(rawValue: 1 << 13) }
    static var percent: TokenAlphabet { TokenAlphabet(rawValue: 1 << 14) }

    static var hex: TokenAlphabet { [.digits, .lowerHex] }
    static var lower: TokenAlphabet { [.lowerHex, .lowerRest] }
    static var lowerDigits: TokenAlphabet { [.lower, .digits] }
    static var upperDigits: TokenAlphabet { [.upper, .digits] }
    static var alphanumeric: TokenAlphabet { [.lower, .upper, .digits] }
    /// The word characters of regular expressions.
    static var word: TokenAlphabet { [.alphanumeric, .underscore] }
    /// Base64 with the URL-safe alphabet (RFC 4648 §5).
    static var base64URL: TokenAlphabet { [.word, .hyphen] }
    /// Base64 (RFC 4648 §4).
    static var base64: TokenAlphabet { [.alphanumeric, .plus, .slash, .equals] }
    static var dotted: TokenAlphabet { [.base64URL, .dot] }

    /// The smallest alphabet that contains a byte; empty if there is none.
    ///
    /// Unlike a table, a switch needs no initialization.
    @inline(__always)
    private static func group(of byte: UInt8) -> UInt16 {
        let alphabet: TokenAlphabet =
            switch byte {
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
            case UInt8(ascii: "%"): .percent
            default: []
            }
        return alphabet.rawValue
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        Self.group(of: byte) & rawValue != 0
    }
}
