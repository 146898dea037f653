/// A line of text to search for secrets.
struct LineText {
    let bytes: ArraySlice<UInt8>
    private let start: Int
    let count: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        start = bytes.startIndex
        count = bytes.count
    }

    /// The byte at an offset from the start of the line.
    @inline(__always)
    subscript(_ index: Int) -> UInt8 { bytes[start + index] }

    /// Whether a word, given in lower case, is at an index, ignoring case.
    func has(_ word: StaticString, at index: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard index >= 0, index + length <= count else { return false }
        for offset in 0..<length where unsafe lower(index + offset) != word.utf8Start[offset] { return false }
        return true
    }

    /// Whether a word, given in lower case, is in a range, ignoring case.
    func has(_ word: StaticString, in range: Range<Int>) -> Bool {
        index(of: word, in: range) != nil
    }

    /// Returns the index of a word, given in lower case, in a range, ignoring case; nil if it is not there.
    func index(of word: StaticString, in range: Range<Int>? = nil) -> Int? {
        let range = range ?? 0..<count
        let length = word.utf8CodeUnitCount
        guard range.count >= length else { return nil }
        let first = unsafe word.utf8Start[0]
        return (range.lowerBound...range.upperBound - length).first { lower($0) == first && has(word, at: $0) }
    }

    /// The four bytes at an index in lower case, for a quick check of what can start there; 0 if fewer are left.
    @inline(__always)
    func wordStart(at index: Int) -> UInt32 {
        guard index >= 0, index + 4 <= count else { return 0 }
        return UInt32(lower(index)) << 24 | UInt32(lower(index + 1)) << 16 | UInt32(lower(index + 2)) << 8
            | UInt32(lower(index + 3))
    }

    @inline(__always)
    func lower(_ index: Int) -> UInt8 {
        let byte = self[index]
        return 0x41...0x5A ~= byte ? byte | 0x20 : byte
    }

    @inline(__always)
    func isBlank(_ index: Int) -> Bool { self[index] == 0x20 || self[index] == 0x09 }

    func isQuote(_ index: Int) -> Bool {
        self[index] == UInt8(ascii: "\"") || self[index] == UInt8(ascii: "'")
    }

    func isName(_ index: Int) -> Bool {
        TokenAlphabet.dotted.contains(self[index]) || self[index] == UInt8(ascii: "$")
    }

    func skipBlanks(_ index: Int) -> Int {
        var index = index
        while index < count, isBlank(index) { index += 1 }
        return index
    }

    /// Returns the end of the run of non-blanks at an index.
    func wordEnd(_ index: Int) -> Int {
        var index = index
        while index < count, !isBlank(index) { index += 1 }
        return index
    }

    func slice(_ range: Range<Int>) -> [UInt8] { range.map { self[$0] } }

    /// A value at an index: quoted text, or a word.
    struct Value {
        /// Includes quotes that are not escaped.
        var range: Range<Int>
        /// Excludes quotes.
        var content: Range<Int>
        var isQuoted: Bool
    }

    /// Returns the value at an index, or nil if it is empty.
    ///
    /// A word ends at a separator that is followed by another name.
    func value(at start: Int) -> Value? {
        guard start < count else { return nil }
        var index = start
        let isEscaped = self[index] == UInt8(ascii: "\\") && index + 1 < count && isQuote(index + 1)
        if isEscaped { index += 1 }
        guard isQuote(index) || self[index] == UInt8(ascii: "`") else {
            let end = wordValueEnd(start)
            return end > start ? Value(range: start..<end, content: start..<end, isQuoted: false) : nil
        }
        let quote = self[index]
        let content = index + 1
        var end = content
        while end < count, self[end] != quote {
            if self[end] == UInt8(ascii: "\\"), !isEscaped, end + 1 < count { end += 1 }
            if isEscaped, self[end] == UInt8(ascii: "\\"), end + 1 < count, self[end + 1] == quote { break }
            end += 1
        }
        end = min(end, count)
        guard end > content else { return nil }
        // Text without a closing quote continues on another line, or is a word after an apostrophe.
        let isClosed = end < count
        let range = isEscaped ? content..<end : index..<min(end + 1, count)
        return isClosed || !isEscaped ? Value(range: range, content: content..<end, isQuoted: true) : nil
    }

    private func wordValueEnd(_ start: Int) -> Int {
        var end = start
        // In a sentence, a backquote ends the value: `password=b`.
        let isCode = !(max(0, start - 160)..<start).count { self[$0] == UInt8(ascii: "`") }.isMultiple(of: 2)
        while end < count, !isBlank(end), !isQuote(end) {
            switch self[end] {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"):
                if isSeparator(end) { return trimmed(start..<end) }
            case UInt8(ascii: "\\"):
                // In quoted text, `\n` and `\"` end the value.
                if end + 1 < count, isQuote(end + 1) || "nrt".utf8.contains(self[end + 1]) {
                    return trimmed(start..<end)
                }
            // The end of a value in `git diff --word-diff`.
            case UInt8(ascii: "-"): if end > start, has("-]", at: end) { return end }
            case UInt8(ascii: "+"): if end > start, has("+}", at: end) { return end }
            case UInt8(ascii: "<"):
                if end + 1 < count, self[end + 1] == UInt8(ascii: "/") { return end }
            case UInt8(ascii: "`"):
                if isCode, end > start { return trimmed(start..<end) }
            default: break
            }
            end += 1
        }
        return trimmed(start..<end)
    }

    /// Whether a comma or another separator ends a value, because a blank, a quote or another name follows:
    /// `user=a;password=b`.
    private func isSeparator(_ index: Int) -> Bool {
        let next = index + 1
        guard next < count, !isBlank(next), !isQuote(next), self[next] != self[index] else { return true }
        var end = next
        while end < count, isName(end) { end += 1 }
        return end > next && end < count && (self[end] == UInt8(ascii: "=") || self[end] == UInt8(ascii: ":"))
    }

    /// Returns the end of a value, excluding closing brackets whose opening brackets are outside the value.
    private func trimmed(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound {
            let opening: UInt8
            switch self[end - 1] {
            case UInt8(ascii: ")"): opening = UInt8(ascii: "(")
            case UInt8(ascii: "}"): opening = UInt8(ascii: "{")
            case UInt8(ascii: "]"): opening = UInt8(ascii: "[")
            default: return end
            }
            guard !(range.lowerBound..<end).contains(where: { self[$0] == opening }) else { return end }
            end -= 1
        }
        return end
    }
}
