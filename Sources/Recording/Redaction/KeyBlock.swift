/// Finds the lines of a private key between its header and footer (RFC 7468 §2, RFC 1421, openssh-key-v1), whatever
/// stands before and after them: a shell's prompt, the name of a service, a line number, or quotes.
struct KeyBlock {
    private(set) var isWithin = false
    /// The number of lines since the last part of the key, which can be those of another program or of a pager.
    private var gap = 0
    /// The text before the header, and before the last part of the key.
    private var prefixes: [[UInt8]] = []

    /// After this many lines without a part of the key, a key without a footer has ended.
    private static let gapLimit = 8
    /// A word of Base64 with at least this many characters belongs to the key; a shorter one can be its last line.
    private static let wordCharacters = 16

    /// Returns the secret parts of the next line.
    mutating func secrets(in line: ArraySlice<UInt8>) -> [Range<Int>] {
        guard isWithin || Self.hasDashes(line.span) else { return [] }
        let text = LineText(line)
        let footer = text.index(of: "-----end ")
        if let header = text.index(of: "-----begin "), text.has("private key", in: header..<text.count) {
            isWithin = footer == nil
            gap = 0
            prefixes = [Self.shape(line.prefix(header))]
            return Self.body(of: Array(line)).map { [$0] } ?? []
        }
        guard isWithin else { return [] }
        if let footer {
            isWithin = false
            return Self.words(in: text, 0..<footer)
        }
        let parts = parts(of: text)
        if !parts.isEmpty {
            gap = 0
        } else if !line.allSatisfy({ $0 == 0x20 }) {
            gap += 1
            isWithin = gap <= Self.gapLimit
        }
        return parts
    }

    /// Returns the parts of the key in a line: a header such as `DEK-Info: …`, or Base64.
    private mutating func parts(of text: LineText) -> [Range<Int>] {
        for name in ["proc-type:", "dek-info:"] as [StaticString] {
            if let start = text.index(of: name) { return [start..<text.count] }
        }
        let words = Self.words(in: text, 0..<text.count)
        if let first = words.first {
            prefixes = [prefixes[0], Self.shape(text.bytes.prefix(first.lowerBound))]
            return words
        }
        guard gap == 0, let last = lastWord(of: text) else { return [] }
        return [last]
    }

    /// Returns the word at the end of a line if the text before it is that of other lines of the key.
    private func lastWord(of text: LineText) -> Range<Int>? {
        var end = text.count
        while end > 0, !Self.isBase64(text[end - 1]) { end -= 1 }
        // In quoted text, a line ends with `\n`.
        if end > 1, end < text.count, text[end - 2] == UInt8(ascii: "\\") { end -= 2 }
        var start = end
        while start > 0, Self.isBase64(text[start - 1]) { start -= 1 }
        guard start < end, text.count - end <= 8 else { return nil }
        // The mark of an added line in a diff is also a character of Base64.
        let isMarked = text[start] == UInt8(ascii: "+")
        let fits = { (count: Int) in prefixes.contains(Self.shape(text.bytes.prefix(count))) }
        return fits(start) || isMarked && fits(start + 1) ? start..<end : nil
    }

    /// Returns the words of a line that look like a part of a key.
    private static func words(in text: LineText, _ range: Range<Int>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start = range.lowerBound
        for index in range.lowerBound...range.upperBound {
            if index < range.upperBound, isBase64(text[index]) { continue }
            let word = start..<index
            if word.count >= wordCharacters, isMixed(text, word) { words.append(word) }
            start = index + 1
        }
        return words
    }

    /// Whether a word contains lower-case and upper-case letters, unlike a hash, and is not a path or a compound.
    private static func isMixed(_ text: LineText, _ word: Range<Int>) -> Bool {
        var kinds: Set<Int> = []
        for index in word {
            switch text[index] {
            case 0x30...0x39, 0x2B, 0x2F, 0x3D: kinds.insert(0)
            case 0x41...0x5A: kinds.insert(1)
            default: kinds.insert(2)
            }
        }
        return kinds.count == 3
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        TokenAlphabet.base64.contains(byte)
    }

    /// Returns a text with each number and each gap replaced by a single character: `12: ` and `9:` are alike.
    private static func shape(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var shape: [UInt8] = []
        for byte in text {
            let sign = TokenAlphabet.digits.contains(byte) ? UInt8(ascii: "0") : byte
            if sign == shape.last, sign == 0x20 || sign == UInt8(ascii: "0") { continue }
            shape.append(sign)
        }
        return shape == [0x20] ? [] : shape
    }

    /// Whether the line can contain five consecutive dashes; it is enough to check every fifth byte and its neighbors.
    private static func hasDashes(_ line: Span<UInt8>) -> Bool {
        var index = 4
        while index < line.count {
            if line[index] == 0x2D, line[index - 1] == 0x2D || index + 1 < line.count && line[index + 1] == 0x2D {
                return true
            }
            index += 5
        }
        return false
    }

    /// The range of the text that follows a header on the same line, up to the footer or the end of the line.
    private static func body(of line: [UInt8]) -> Range<Int>? {
        let dashes = Array("-----".utf8)
        let starts = line.indices.filter { line[$0...].starts(with: dashes) }
        guard let first = starts.first, let end = starts.first(where: { $0 > first + 10 }) else { return nil }
        let start = end + 5
        let next = starts.first { $0 >= start } ?? line.count
        // Documentation examples have a body such as `XXXX`.
        return start < next && Set(line[start..<next]).count >= 8 ? start..<next : nil
    }
}
