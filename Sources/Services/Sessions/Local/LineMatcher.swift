import Core

/// Matches an expression against lines of output without their escape sequences; the output can arrive in pieces.
///
/// The incomplete last line is matched as well, because prompts do not end with a newline. The start of a line longer
/// than 64 KiB is discarded.
struct LineMatcher: Sendable {
    /// A match of the expression.
    struct Match: Hashable, Sendable {
        /// The offset after the match.
        var offset: UInt64
        var text: String
        var line: String
    }

    private let pattern: LinePattern
    private var filter = PlainTextFilter()
    private var line: [UInt8] = []
    /// The offsets of the line's bytes, in runs: each run starts at its index, and extends to the next run.
    private var runs: [(index: Int, offset: UInt64)] = []
    private var isLineStart = true

    private static let lineLimitBytes = 64 << 10

    init(_ pattern: LinePattern) {
        self.pattern = pattern
    }

    /// Returns the first match in the lines of these bytes; the first line may have started in earlier bytes.
    mutating func match(_ bytes: [UInt8], at offset: UInt64) -> Match? {
        var text: [(byte: UInt8, index: Int)] = []
        text.reserveCapacity(bytes.count)
        filter.filter(bytes) { text.append(($0, $1)) }
        for (byte, index) in text {
            guard byte == UInt8(ascii: "\n") || line.count >= Self.lineLimitBytes else {
                add(byte, at: offset + UInt64(index))
                continue
            }
            if let match = matchLine(before: offset + UInt64(index)) { return match }
            guard byte == UInt8(ascii: "\n") else {
                cutLine()
                add(byte, at: offset + UInt64(index))
                continue
            }
            endLine()
        }
        return text.isEmpty || line.isEmpty ? nil : matchLine(before: offset)
    }

    private mutating func add(_ byte: UInt8, at offset: UInt64) {
        let continuesRun = runs.last.map { $0.offset + UInt64(line.count - $0.index) == offset } ?? false
        if !continuesRun { runs.append((line.count, offset)) }
        line.append(byte)
    }

    private mutating func endLine() {
        line.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        isLineStart = true
    }

    /// Discards the first half of the line.
    private mutating func cutLine() {
        let cut = line.count / 2
        let start = place(of: cut)
        line.removeFirst(cut)
        runs = [(0, start)] + runs.filter { $0.index > cut }.map { ($0.index - cut, $0.offset) }
        isLineStart = false
    }

    /// Matches the current line; `end` is the offset to report if the line is empty.
    private func matchLine(before end: UInt64) -> Match? {
        guard let range = pattern.firstMatch(in: line, isLineStart: isLineStart) else { return nil }
        let last = range.isEmpty ? range.lowerBound : range.upperBound - 1
        return Match(
            offset: line.isEmpty ? end : place(of: last) + (range.isEmpty ? 0 : 1),
            text: String(decoding: line[range], as: UTF8.self),
            line: String(decoding: line, as: UTF8.self)
        )
    }

    /// The offset of the byte at this index.
    private func place(of index: Int) -> UInt64 {
        guard let run = runs.last(where: { $0.index <= index }) else { return 0 }
        return run.offset + UInt64(index - run.index)
    }
}
