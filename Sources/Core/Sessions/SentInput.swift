/// The last input that a session received from a command such as `vt sessions send`, not from an attached client.
package struct SentInput: Hashable, Sendable {
    /// The end of the output just before this input; if a line was sent in several parts, the ends before the first and
    /// the last one.
    package private(set) var offsets: ClosedRange<UInt64>
    /// Empty if nothing was sent, or if the terminal hides it.
    package private(set) var bytes: [UInt8]

    /// The maximum length of the input that is kept.
    package static let limitBytes = 256 << 10

    package init(_ bytes: [UInt8] = [], at offsets: ClosedRange<UInt64>) {
        self.offsets = offsets
        self.bytes = Array(bytes.prefix(Self.limitBytes))
    }

    /// Adds input that was sent at this offset; it replaces the earlier input unless that is the beginning of a line.
    package mutating func add(_ next: [UInt8], at offset: UInt64) {
        let isBeginning = !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        let first = isBeginning && offset >= offsets.upperBound ? offsets.lowerBound : offset
        self = Self(isBeginning ? bytes + next : next, at: first...offset)
    }

    /// Adds the next part of input that was sent at once.
    package mutating func append(_ part: [UInt8]) {
        bytes += part.prefix(Self.limitBytes - bytes.count)
    }

    /// The lines as a terminal shows them, without blanks; if the last one `isOpen`, it does not end with a newline.
    package static func lines(of bytes: [UInt8]) -> (lines: [[UInt8]], isOpen: Bool) {
        var lines = shown(bytes).split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }.map { visible($0) }
        let isOpen = lines.last?.isEmpty == false
        if !isOpen { lines.removeLast() }
        return (lines, isOpen)
    }

    /// The input if it was sent at this offset, and contains text that a terminal may show, rather than only keys.
    package func text(from offset: UInt64) -> [UInt8]? {
        let hasText = Self.lines(of: bytes).lines.contains { !$0.isEmpty }
        return hasText && offsets.contains(offset) ? bytes : nil
    }

    /// Whether this output contains all lines, in order, so that it discloses them.
    package func isShown(by output: [UInt8]) -> Bool {
        var rest = Self.visible(Self.shown(output))[...]
        for line in Self.lines(of: bytes).lines where !line.isEmpty {
            guard let range = rest.firstRange(of: line) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    /// Removes blanks and control characters, which a terminal may show differently.
    package static func visible(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.filter { $0 > 0x20 && $0 != 0x7F }
    }

    /// Removes escape sequences, such as those of a bracketed paste.
    private static func shown(_ bytes: [UInt8]) -> [UInt8] {
        var (text, rest) = ([UInt8](), bytes[...])
        while let byte = rest.popFirst() {
            guard byte == 0x1B else {
                text.append(byte)
                continue
            }
            if rest.popFirst() == UInt8(ascii: "[") { rest = rest.drop { $0 < 0x40 }.dropFirst() }
        }
        return text
    }
}
