import Core

/// Finds where the output starts after the echo of a line, in the text of the rows that were above it, show it and follow.
///
/// Line editors draw a line again, with other blanks and another prompt, and break it into rows themselves.
struct EchoedLine: Sendable {
    /// The lines above, without blanks; what the first line of the echo begins with; and what is left of the line.
    private var above: ArraySlice<[UInt8]>
    private let start: [UInt8]
    private var rest: [UInt8]
    /// Whether part of the echo, and whether all of it, has been found.
    private var hasBegun = false
    private(set) var isLeft = false
    /// Text that has not been passed on, and the start of its first line that has not been examined.
    private var held: [UInt8] = []
    private var next = 0

    /// `text` is the text of the screen up to the cursor, where the line will be shown, or after it in the next row.
    init(_ line: [UInt8], at text: [UInt8]) {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        above = lines.dropLast(lines.last?.isEmpty ?? true ? 2 : 1).map(Self.compact)[...]
        start = lines.dropFirst(above.count).first.map(Self.compact) ?? []
        let scalars = String(decoding: line, as: UTF8.self).unicodeScalars.filter { !$0.isUnsafeForTerminals }
        rest = Self.compact(Array(String(String.UnicodeScalarView(scalars)).utf8)[...])
    }

    private static func compact(_ line: ArraySlice<UInt8>) -> [UInt8] { line.filter { $0 > UInt8(ascii: " ") } }

    /// Returns what belongs to the output of further text; `isLast` means that no more follows.
    mutating func pass(_ text: [UInt8], isLast: Bool = false) -> [UInt8] {
        examine(adding: text)
        if isLast, !isLeft { examine(to: held.count) }
        guard isLeft || isLast else { return [] }
        defer { (held, next) = ([], 0) }
        return Array(held[next...])
    }

    /// Whether the cursor has left the echo; `text` follows what has been passed.
    func isLeft(at text: [UInt8]) -> Bool {
        var copy = self
        copy.examine(adding: text)
        return copy.isLeft || !copy.above.isEmpty || copy.hasBegun && copy.shown(in: copy.held[copy.next...]) == 0
    }

    private mutating func examine(adding text: [UInt8]) {
        held += text
        while !isLeft, let end = held[next...].firstIndex(of: UInt8(ascii: "\n")) { examine(to: end + 1) }
    }

    private mutating func examine(to end: Int) {
        let line = held[next..<end]
        let count = above.isEmpty ? shown(in: line) : 0
        let isKnown = count > 0 || !hasBegun && Self.compact(line).starts(with: start)
        // A program can clear the screen.
        guard above.first.map({ $0 == Self.compact(line) }) ?? isKnown else { return isLeft = true }
        next = end
        guard above.popFirst() == nil else { return }
        rest.removeFirst(count)
        (hasBegun, isLeft) = (true, rest.isEmpty)
    }

    /// How much of the rest of the line is shown at the end of a row.
    private func shown(in row: ArraySlice<UInt8>) -> Int {
        let row = Self.compact(row)
        return (0...min(row.count, rest.count)).reversed().first { row.suffix($0) == rest.prefix($0) } ?? 0
    }
}
