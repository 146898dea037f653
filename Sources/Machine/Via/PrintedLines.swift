/// The last lines of text that a program has printed.
struct PrintedLines: Sendable {
    private var lines: [String] = []
    private var partial: [UInt8] = []

    private static let lineLimit = 20
    private static let lineLimitBytes = 4096

    /// The last lines, including an incomplete one.
    var all: [String] {
        lines + Self.text(partial)
    }

    /// Adds output, and returns the lines that it completes; blank lines are omitted.
    mutating func add(_ bytes: [UInt8]) -> [String] {
        guard !bytes.isEmpty else { return [] }
        partial += bytes
        var complete: [String] = []
        while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
            complete += Self.text(partial[..<end])
            partial.removeFirst(end + 1)
        }
        // Only the end of a long line matters, because a terminal shows a progress bar as one line.
        partial = partial.suffix(Self.lineLimitBytes)
        lines = (lines + complete).suffix(Self.lineLimit)
        return complete
    }

    /// The line without its line ending; nothing if it is blank.
    private static func text(_ line: some Sequence<UInt8>) -> [String] {
        let text = String(decoding: Array(line), as: UTF8.self)
        let end = text.lastIndex { !$0.isWhitespace }
        return end.map { [String(text[...$0])] } ?? []
    }
}
