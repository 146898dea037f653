/// The last lines of text that a program has printed.
struct PrintedLines: Sendable {
    private var lines: [String] = []
    private var partial: [UInt8] = []
    /// The number of bytes added so far.
    private(set) var countBytes = 0

    private static let lineLimit = 20
    private static let lineLimitBytes = 4096

    /// The last lines, including an incomplete one.
    var all: [String] {
        lines + Self.text(partial)
    }

    /// Adds output, and returns the lines that it completes; blank lines are omitted.
    mutating func add(_ bytes: [UInt8]) -> [String] {
        countBytes += bytes.count
        var complete: [String] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            complete += Self.text(clipped(partial + rest[..<end]))
            partial = []
            rest = rest[(end + 1)...]
        }
        partial = clipped(partial + rest)
        lines = (lines + complete).suffix(Self.lineLimit)
        return complete
    }

    /// Only the end of a long line matters, because a terminal shows a progress bar as one line.
    private func clipped(_ line: [UInt8]) -> [UInt8] {
        line.count <= Self.lineLimitBytes ? line : line.suffix(Self.lineLimitBytes)
    }

    /// The line without its line ending; nothing if it is blank.
    private static func text(_ line: some Sequence<UInt8>) -> [String] {
        let text = String(decoding: Array(line), as: UTF8.self)
        let end = text.lastIndex { !$0.isWhitespace }
        return end.map { [String(text[...$0])] } ?? []
    }
}
