/// Splits Swift source code into words and single punctuation characters.
///
/// Comments are skipped, and so is the text of string literals, but not the expressions interpolated in it. The sources
/// contain no regular expression literals, which this lexer does not know.
struct SwiftLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var tokens: [String] = []

    static func tokens(_ lines: [Substring]) -> [String] {
        var lexer = SwiftLexer(bytes: Array(lines.joined(separator: "\n").utf8))
        lexer.scanCode()
        return lexer.tokens
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Scans code up to the end, or up to and including the parenthesis that closes an interpolation.
    private mutating func scanCode(isInterpolation: Bool = false) {
        var depth = 0
        while position < bytes.count {
            if skipComment() || scanString() { continue }
            let byte = bytes[position]
            if Self.isWord(byte) {
                scanWord()
                continue
            }
            position += 1
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if isInterpolation, depth < 0 { return }
            if byte > 0x20, byte != UInt8(ascii: "`") { tokens.append(String(UnicodeScalar(byte))) }
        }
    }

    private mutating func scanWord() {
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        tokens.append(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func skipComment() -> Bool {
        guard bytes[position] == UInt8(ascii: "/") else { return false }
        if isNext("//") {
            while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            return true
        }
        guard isNext("/*") else { return false }
        while position < bytes.count, !isNext("*/") { position += 1 }
        position += 2
        return true
    }

    /// Scans a string literal, in all its forms: `"…"`, `"""…"""`, `#"…"#`.
    private mutating func scanString() -> Bool {
        guard bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "#") else { return false }
        let hashes = String(repeating: "#", count: bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count)
        guard isNext(hashes + "\"") else { return false }
        let quote = isNext(hashes + "\"\"\"") ? "\"\"\"" : "\""
        position += hashes.utf8.count + quote.utf8.count
        tokens.append("\"")
        let (end, escape) = (quote + hashes, "\\" + hashes)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\"") where isNext(end):
                position += end.utf8.count
                return true
            case UInt8(ascii: "\\") where isNext(escape + "("):
                position += escape.utf8.count + 1
                scanCode(isInterpolation: true)
            case UInt8(ascii: "\\") where isNext(escape): position += escape.utf8.count + 1
            default: position += 1
            }
        }
        return true
    }

    private func isNext(_ text: String) -> Bool {
        let text = text.utf8
        return position + text.count <= bytes.count && zip(bytes[position...], text).allSatisfy { $0 == $1 }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
        default: false
        }
    }
}
