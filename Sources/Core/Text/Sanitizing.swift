extension StringProtocol {
    /// The text on one line; every character that a terminal would interpret is escaped.
    ///
    /// C0 and C1 controls and DEL become escapes such as `\n` and `\x1b`; characters that reorder text or break lines
    /// (bidirectional controls, U+2028, U+2029) become escapes such as `\u{202e}`.
    @inlinable
    package var sanitized: String {
        // Fast path: most text is printable ASCII.
        utf8.allSatisfy { 0x20..<0x7f ~= $0 } ? String(self) : escaped
    }

    @usableFromInline var escaped: String {
        guard unicodeScalars.contains(where: \.isUnsafeForTerminals) else { return String(self) }
        var result = ""
        for scalar in unicodeScalars {
            guard scalar.isUnsafeForTerminals else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                let digits = String(scalar.value, radix: 16)
                result += scalar.value < 0x100 ? "\\x\(digits.count < 2 ? "0" : "")\(digits)" : "\\u{\(digits)}"
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a terminal would interpret the character instead of showing it, or would show text in a misleading
    /// order.
    package var isUnsafeForTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0: true
        case 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
