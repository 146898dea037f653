/// A token that is recognized by its format: a unique mark, then a certain number of characters from an alphabet.
struct SecretKind: Sendable {
    /// The name in reports: `aws-access-key`.
    let name: String
    /// The characters that identify the token, case-sensitive.
    let mark: [UInt8]
    let alphabet: TokenAlphabet
    /// The number of characters after the mark.
    let length: ClosedRange<Int>
    /// The part of the token before the mark.
    let head: Head?
    /// Whether the mark, such as the start of a URL, is not secret and therefore not redacted.
    let keepsMark: Bool
    /// The source that documents the format.
    let source: String

    struct Head: Sendable {
        let alphabet: TokenAlphabet
        let length: ClosedRange<Int>
    }

    init(
        _ name: String,
        _ mark: String,
        _ alphabet: TokenAlphabet,
        _ length: ClosedRange<Int>,
        head: Head? = nil,
        keepsMark: Bool = false,
        _ source: String
    ) {
        self.name = name
        self.mark = Array(mark.utf8)
        self.alphabet = alphabet
        self.length = length
        self.head = head
        self.keepsMark = keepsMark
        self.source = source
    }

    /// Returns the range of the token whose mark is at this index; nil if there is none.
    ///
    /// A token must start and end at word boundaries; one of variable length includes as many characters as possible.
    func match(in text: LineText, at index: Int) -> Range<Int>? {
        let body = index + mark.count
        guard body + length.lowerBound <= text.count else { return nil }
        for offset in mark.indices where text[index + offset] != mark[offset] { return nil }
        var end = body
        let limit = min(text.count, body + length.upperBound)
        while end < limit, alphabet.contains(text[end]) { end += 1 }
        // Punctuation at the end of a sentence is not part of the token.
        while end > body + length.lowerBound, text[end - 1] == UInt8(ascii: ".") || text[end - 1] == 0x2D { end -= 1 }
        guard end - body >= length.lowerBound, isEnd(text, end), let start = start(in: text, index),
            keepsMark || isVaried(text, (head == nil ? body : start)..<end), isShaped(text, body..<end)
        else { return nil }
        return (keepsMark ? body : start)..<end
    }

    private func isEnd(_ text: LineText, _ end: Int) -> Bool {
        end == text.count || !TokenAlphabet.alphanumeric.contains(text[end])
    }

    private func start(in text: LineText, _ index: Int) -> Int? {
        var start = index
        if let head {
            while start > 0, index - start < head.length.upperBound, head.alphabet.contains(text[start - 1]) {
                start -= 1
            }
            guard index - start >= head.length.lowerBound else { return nil }
        }
        return keepsMark || WordBoundary.isStart(text, start) ? start : nil
    }

    /// Whether a token has the structure that its kind requires.
    ///
    /// A JSON Web Token needs a header, claims that also start with `{"`, and a signature, or five parts if it is
    /// encrypted (RFC 7516 §3.1).
    private func isShaped(_ text: LineText, _ body: Range<Int>) -> Bool {
        // The Base64 encoding of a binary file contains many `A`s, and can contain `EAAA` after a slash.
        if name == "square-token" || name == "facebook-token" {
            let start = body.lowerBound - mark.count
            let ends = [start - 1, body.upperBound].filter { $0 >= 0 && $0 < text.count }
            return !ends.contains { "/+=".utf8.contains(text[$0]) }
        }
        if name == "bitwarden-token" { return isBitwardenShaped(text, body) }
        guard name == "jwt" else { return true }
        let dots = body.filter { text[$0] == UInt8(ascii: ".") }
        guard let first = dots.first, first - body.lowerBound >= 5 else { return false }
        guard dots.count < 4 else { return true }
        return dots.count >= 2 && text[first + 1] == UInt8(ascii: "e") && text[first + 2] == UInt8(ascii: "y")
    }

    /// Whether a token consists of a UUID, a client secret and, after a colon, a key (Bitwarden, "Access tokens").
    private func isBitwardenShaped(_ text: LineText, _ body: Range<Int>) -> Bool {
        let uuid = 36
        for offset in 0..<uuid {
            let byte = text[body.lowerBound + offset]
            let isHyphen = [8, 13, 18, 23].contains(offset)
            guard isHyphen ? byte == UInt8(ascii: "-") : TokenAlphabet.hex.contains(byte) else { return false }
        }
        return text[body.lowerBound + uuid] == UInt8(ascii: ".")
            && body.dropFirst(uuid).contains { text[$0] == UInt8(ascii: ":") }
    }

    /// Whether a token looks random, unlike an example such as `ghp_xxxxxxxx…` or a name such as
    /// `sk-some-class-of-a-page`.
    private func isVaried(_ text: LineText, _ range: Range<Int>) -> Bool {
        var distinct: (UInt64, UInt64) = (0, 0)
        var hasDigit = false
        // The number of capitals after a lowercase letter, and after another capital.
        var (starts, repeats) = (0, 0)
        var last: UInt8 = 0
        for index in range {
            let byte = text[index]
            if byte < 64 { distinct.0 |= 1 << UInt64(byte) } else { distinct.1 |= 1 << UInt64(byte & 63) }
            if TokenAlphabet.digits.contains(byte) { hasDigit = true }
            if TokenAlphabet.upper.contains(byte) {
                if TokenAlphabet.lower.contains(last) { starts += 1 }
                if TokenAlphabet.upper.contains(last) { repeats += 1 }
            }
            last = byte
        }
        guard distinct.0.nonzeroBitCount + distinct.1.nonzeroBitCount >= 5 else { return false }
        let isWords = alphabet.contains(.lower) && !alphabet.isDisjoint(with: [.underscore, .hyphen, .dot])
        return !isWords || hasDigit || starts >= 2 && repeats > 0
    }
}

/// Determines where a token can start.
enum WordBoundary {
    static func isStart(_ text: LineText, _ index: Int) -> Bool {
        guard index > 0, TokenAlphabet.word.contains(text[index - 1]) else { return true }
        // A token can follow an escape such as `\n` in quoted text, or `%3D` in a URL.
        if index > 1, text[index - 2] == UInt8(ascii: "\\") { return "nrtbf".utf8.contains(text[index - 1]) }
        guard index > 2, text[index - 3] == UInt8(ascii: "%") else { return false }
        let isHex = { (byte: UInt8) in TokenAlphabet.hex.contains(byte) || 0x41...0x46 ~= byte }
        return isHex(text[index - 2]) && isHex(text[index - 1])
    }
}
