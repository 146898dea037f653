/// Finds the lines of a private key between its header and footer (RFC 7468 §2, RFC 1421, openssh-key-v1), whatever
/// stands before and after them: a shell's prompt, the name of a service, a line number, or quotes.
///
/// If a key is shown apart from its header, as by `tail`, any full line of Base64 in the recording starts a key as a
/// header does, except between the header and footer of a certificate or the like.
struct KeyBlock {
    private enum Place {
        case outside, key
        /// Between the header and footer of something else, such as a certificate.
        case other
    }

    private let clean: CleanLines
    /// The character that replaces a part of a key that was found before.
    private let replacement: [UInt8]
    private var place = Place.outside
    /// The number of lines since the last part of the key, which can be those of another program or of a pager.
    private var gap = 0
    /// Whether a part of the key has been found.
    private var hasParts = false
    /// The text before the header, and before the last part of the key.
    private var prefixes: [[UInt8]] = []
    /// Whether all parts of the key follow one of these texts.
    private var isStrict = false
    /// Words that are the last line of a key if a footer follows, by the text before them.
    private var lastWords: [[UInt8]: ArraySlice<UInt8>] = [:]
    /// The word at the end of the last line that can be the rest of a line of a key, as at the top of a screen.
    private var wordAbove: ArraySlice<UInt8>?
    /// Whether the last line was a header or footer, or can be the last line of a key.
    private var isRemembered = false

    /// After this many lines without a part of the key, a key without a footer has ended.
    private static let gapLimit = 8
    /// A word of Base64 with at least this many characters belongs to the key.
    private static let wordCharacters = 16
    /// The same for the line after a part of the key, for narrow panes; a shorter word can be the last line.
    private static let nextWordCharacters = 8
    /// The minimum length of a last line that is found only when the footer follows; shorter text is too common.
    private static let lastWordCharacters = 6
    /// The lengths of the lines of a key: of OpenSSL and PuTTY, of OpenSSH, and of MIME (RFC 2045 §6.8).
    private static let lineCharacters = [64, 70, 76]
    /// The rules that find parts of a key: its lines, and Base64 that starts with that of a header.
    static let rules = ["private-key", "openssh-key"]

    init(_ clean: CleanLines, replacement: [UInt8]) {
        self.clean = clean
        self.replacement = replacement
    }

    /// Whether the last line affects the next one.
    var hasContext: Bool { isRemembered || place != .outside }

    /// Starts a key at Base64 that is recognized by its format; its other lines follow the same text, or no text if a
    /// single long line continues.
    mutating func start(afterOnly prefix: ArraySlice<UInt8>) {
        guard place != .key else { return }
        start(after: prefix)
        prefixes = [Self.shape(prefix), []]
        isStrict = true
    }

    private mutating func start(after prefix: ArraySlice<UInt8>) {
        (place, gap, hasParts, isStrict, lastWords) = (.key, 0, false, false, [:])
        prefixes = [Self.shape(prefix), Self.shape(prefix)]
    }

    /// Must be called after the last line of a text that may continue elsewhere.
    func finish() {
        if place == .key, hasParts { clean.recordKeyLines() }
    }

    /// Returns the secret parts of the next line.
    mutating func secrets(in line: ArraySlice<UInt8>) -> [Range<Int>] {
        isRemembered = false
        let wordAbove = wordAbove
        self.wordAbove = nil
        let hasDashes = Self.hasDashes(line.span)
        guard hasDashes || place != .outside || clean.showsKeyLines else { return [] }
        let text = LineText(line)
        if hasDashes {
            let footer = text.index(of: "-----end ")
            if let header = text.index(of: "-----begin ") { return begin(text, header, isOpen: footer == nil) }
            if let footer { return end(text, footer) }
        }
        switch place {
        case .key: return parts(of: text)
        case .outside:
            guard let full = Self.words(in: text, 0..<text.count).first(where: { Self.isFull(text, $0) }) else {
                recordLast(of: text)
                return []
            }
            start(after: text.bytes.prefix(full.lowerBound))
            if let wordAbove { clean.record(wordAbove, rule: Self.rules[0]) }
            return parts(of: text)
        case .other:
            if Self.words(in: text, 0..<text.count).isEmpty { place = .outside }
            return []
        }
    }

    // MARK: - Headers and footers

    private mutating func begin(_ text: LineText, _ header: Int, isOpen: Bool) -> [Range<Int>] {
        isRemembered = true
        guard Self.isKey(text, header + 11) else {
            place = isOpen ? .other : .outside
            return []
        }
        place = isOpen ? .key : .outside
        (gap, hasParts, isStrict, lastWords) = (0, false, false, [:])
        prefixes = [Self.shape(text.bytes.prefix(header))]
        return Self.body(of: Array(text.bytes)).map { [$0] } ?? []
    }

    private mutating func end(_ text: LineText, _ footer: Int) -> [Range<Int>] {
        isRemembered = true
        defer { (place, lastWords) = (.outside, [:]) }
        guard place == .key || Self.isKey(text, footer + 9) else { return [] }
        if place != .key || gap > 0 { clean.recordKeyLines() }
        let prefix = Self.shape(text.bytes.prefix(footer))
        if let word = lastWords[prefix] { clean.record(word, rule: "private-key") }
        guard !prefixes.contains(prefix) else { return [] }
        var words = Self.words(in: text, 0..<footer, Self.nextWordCharacters)
        if place == .key, let word = Self.wordAtEnd(of: text, footer), word.count >= 4, words.last != word {
            words.append(word)
        }
        return words
    }

    /// Whether a label is that of a private key, or the start of one that the edge of a pane truncates.
    private static func isKey(_ text: LineText, _ label: Int) -> Bool {
        if text.has("private key", in: label..<text.count) { return true }
        guard text.index(of: "-----", in: label..<text.count) == nil else { return false }
        let labels: [StaticString] = ["priv", "openssh", "encrypted", "rsa pr", "ec pr", "dsa pr"]
        return labels.contains { text.has($0, at: label) }
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

    // MARK: - Lines

    /// Returns the parts of the key in a line: a header such as `DEK-Info: …`, or Base64.
    private mutating func parts(of text: LineText) -> [Range<Int>] {
        for name in ["proc-type:", "dek-info:"] as [StaticString] {
            if let start = text.index(of: name) { return [start..<text.count] }
        }
        let least = gap == 0 ? Self.nextWordCharacters : Self.wordCharacters
        let words = Self.words(in: text, 0..<text.count, least)
        let prefix = words.first.map { Self.shape(text.bytes.prefix($0.lowerBound)) }
        if let prefix, !isStrict || prefixes.contains(prefix) {
            if !isStrict { prefixes = [prefixes[0], prefix] }
            (gap, hasParts, lastWords) = (0, true, [:])
            return words
        }
        let word = lastWord(of: text)
        if gap == 0, let word { return [word] }
        if word != nil { recordLast(of: text) }
        guard !text.bytes.allSatisfy({ $0 == 0x20 }), !isReplaced(text) else { return [] }
        gap += 1
        if gap > Self.gapLimit {
            place = .outside
            if hasParts { clean.recordKeyLines() }
        }
        return []
    }

    /// Whether a part of the key in a line was replaced before, which is not the end of the key.
    private func isReplaced(_ text: LineText) -> Bool {
        let run = Array(repeatElement(replacement, count: 4).joined())
        return text.bytes.indices.contains { text.bytes[$0...].starts(with: run) }
    }

    private mutating func recordLast(of text: LineText) {
        guard let word = Self.wordAtEnd(of: text, text.count), word.count >= Self.lastWordCharacters,
            text[word.upperBound - 1] == UInt8(ascii: "=") || Self.isRandom(text, word)
        else { return }
        isRemembered = true
        if lastWords.count >= Self.gapLimit { lastWords = [:] }
        wordAbove = text.bytes.dropFirst(word.lowerBound).prefix(word.count)
        lastWords[Self.shape(text.bytes.prefix(word.lowerBound))] = wordAbove
    }

    /// Returns the word at the end of a line if the text before it is that of other lines of the key.
    private func lastWord(of text: LineText) -> Range<Int>? {
        guard let word = Self.wordAtEnd(of: text, text.count) else { return nil }
        // The mark of an added line in a diff is also a character of Base64.
        let isMarked = text[word.lowerBound] == UInt8(ascii: "+")
        let fits = { (count: Int) in prefixes.contains(Self.shape(text.bytes.prefix(count))) }
        return fits(word.lowerBound) || isMarked && fits(word.lowerBound + 1) ? word : nil
    }

    /// Returns the last word of the text before an index; at most eight other characters can follow it.
    private static func wordAtEnd(of text: LineText, _ limit: Int) -> Range<Int>? {
        var end = limit
        while end > 0, !isBase64(text[end - 1]) { end -= 1 }
        // In quoted text, a line ends with `\n`.
        if end > 1, text[end - 1] == UInt8(ascii: "n"), text[end - 2] == UInt8(ascii: "\\") { end -= 2 }
        var start = end
        while start > 0, isBase64(text[start - 1]) { start -= 1 }
        return start < end && limit - end <= 8 ? start..<end : nil
    }

    // MARK: - Words

    /// Returns the words of a line that look like a part of a key.
    private static func words(
        in text: LineText,
        _ range: Range<Int>,
        _ least: Int = wordCharacters
    ) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start = range.lowerBound
        for index in range.lowerBound...range.upperBound {
            if index < range.upperBound, isBase64(text[index]) { continue }
            let word = start..<index
            if word.count >= least, isRandom(text, word) { words.append(word) }
            start = index + 1
        }
        return words
    }

    /// Whether a word is as long as a line of a key, possibly after the mark of an added line in a diff.
    ///
    /// Lines that fill several rows of a pane without line numbers are joined to one word.
    private static func isFull(_ text: LineText, _ word: Range<Int>) -> Bool {
        let isFull = { (count: Int) in lineCharacters.contains { count.isMultiple(of: $0) } }
        return isFull(word.count) || isFull(word.count - 1) && text[word.lowerBound] == UInt8(ascii: "+")
    }

    /// Whether a word contains lower-case and upper-case letters and digits, unlike a hash, and often changes between
    /// them, unlike a path or a compound.
    private static func isRandom(_ text: LineText, _ word: Range<Int>) -> Bool {
        var kinds: Set<Int> = []
        var former: Int?
        var changes = 0
        for index in word {
            let kind: Int
            switch text[index] {
            case 0x30...0x39, 0x2B, 0x3D: kind = 0
            case 0x41...0x5A: kind = 1
            case 0x2F:
                kinds.insert(0)
                former = nil
                continue
            default: kind = 2
            }
            kinds.insert(kind)
            if let former, kind != former { changes += 1 }
            former = kind
        }
        return kinds.count == 3 && changes * 10 >= word.count * 3
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        TokenAlphabet.base64.contains(byte)
    }

    /// Returns a text with each number and each gap replaced by a single character: `12: ` and `9:` are alike.
    private static func shape(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var shape: [UInt8] = []
        for byte in text {
            let sign = TokenAlphabet.digits.contains(byte) ? UInt8(ascii: "0") : byte
            // Line numbers are aligned at their end.
            if sign == shape.last ?? 0x20, sign == 0x20 || sign == UInt8(ascii: "0") { continue }
            shape.append(sign)
        }
        return shape
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
}
