import Core
import Terminal

/// The beginning and the end of output that is longer than a limit, each in whole lines.
///
/// A part that would be empty, because its line is longer than half of the limit, is cut between two characters
/// instead.
package struct LimitedOutput: Sendable {
    /// The output between the two parts.
    package struct Gap: Hashable, Sendable {
        package let from: UInt64
        package let to: UInt64
        /// Whether the gap begins or ends within a line.
        package let cutsLine: Bool

        package init(from: UInt64, to: UInt64, cutsLine: Bool) {
            (self.from, self.to, self.cutsLine) = (from, to, cutsLine)
        }
    }

    private let limit: Int
    /// The number of bytes that the beginning may still get.
    private var headRest: Int
    private var returned = 0
    /// The output after the part that has been returned or, once there is a gap, the last output.
    private var held: [UInt8] = []
    /// The offset of the end of `held`.
    private var end: UInt64 = 0
    private var gapStart: UInt64?
    private var cutsLine = false

    package init(limit: Int) {
        self.limit = limit
        headRest = limit - limit / 2
    }

    /// Adds output; returns what is known to belong to the beginning.
    package mutating func add(_ bytes: [UInt8], at offset: UInt64) -> [UInt8] {
        let known = held.count
        held += bytes
        end = offset + UInt64(bytes.count)
        guard gapStart == nil else {
            // Not trimmed each time, because pieces can be short; the place of the cut depends on what precedes it.
            if held.count > 3 * (limit / 2) { held.removeFirst(held.count - 2 * (limit / 2)) }
            return []
        }
        var count = 0
        if known < headRest {
            let newline = held[known..<min(headRest, held.count)].lastIndex(of: UInt8(ascii: "\n"))
            count = newline.map { $0 + 1 } ?? 0
        }
        let isLonger = returned + held.count > limit
        if isLonger, returned == 0, count == 0 {
            count = Self.characters(of: held, before: headRest)
            cutsLine = count > 0
        }
        let head = Array(held.prefix(count))
        held.removeFirst(count)
        (headRest, returned) = (headRest - count, returned + count)
        if isLonger { gapStart = end - UInt64(held.count) }
        return head
    }

    /// Leaves out all output up to an offset, because it is not available.
    package mutating func skip(from start: UInt64, to end: UInt64) {
        gapStart = gapStart ?? (start - UInt64(held.count))
        (held, self.end) = ([], end)
    }

    /// Returns the output that has not been returned, and the gap before it.
    package mutating func finish() -> (gap: Gap?, rest: [UInt8]) {
        defer { held = [] }
        guard let gapStart else { return (nil, held) }
        let start = Self.lines(of: held, from: max(0, held.count - limit / 2))
        let rest = Array(held[start.index...])
        let isCut = cutsLine || start.cutsLine && !rest.isEmpty
        return (Gap(from: gapStart, to: end - UInt64(rest.count), cutsLine: isCut), rest)
    }

    // MARK: - Cutting

    /// The length of the whole lines at the beginning; if there are none, that of the characters.
    package static func wholeLines(of bytes: [UInt8]) -> Int {
        bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? characters(of: bytes, before: bytes.count)
    }

    /// The start of the first whole line at or after an index; if there is none, that of a character.
    package static func lines(of bytes: [UInt8], from index: Int) -> (index: Int, cutsLine: Bool) {
        guard index > 0 else { return (index, false) }
        let newline = bytes[(index - 1)...].firstIndex(of: UInt8(ascii: "\n"))
        if let newline, newline + 1 < bytes.count || index == bytes.count { return (newline + 1, false) }
        return (characters(of: bytes, after: index), true)
    }

    /// The end of the last character or escape sequence that is complete before an index.
    private static func characters(of bytes: [UInt8], before index: Int) -> Int {
        let part = Array(bytes.prefix(index))
        var scanner = EscapeScanner(position: 0)
        scanner.scan(part) { _ in }
        return scanner.openStart.map { Int($0) } ?? part.count - part.unfinishedCharacterBytes
    }

    /// The start of the first character or escape sequence at or after an index.
    private static func characters(of bytes: [UInt8], after index: Int) -> Int {
        var scanner = EscapeScanner(position: 0)
        scanner.scan(bytes[..<index]) { _ in }
        var start = index
        while !scanner.isBetweenSequences, start < bytes.count {
            scanner.scan(bytes[start...start]) { _ in }
            start += 1
        }
        // A string without an end, or one that began before these bytes.
        if start == bytes.count { start = index }
        let next = bytes[start...].prefix(4).firstIndex { $0 & 0xC0 != 0x80 }
        return next ?? (bytes.count - start < 4 ? bytes.count : start)
    }
}

extension LimitedOutput.Gap: JSONDocument {
    package static let documentName = "gap"
    package static let documentSummary = "output that was left out because of `--max-output`"

    package static let fields: JSONTable<Self> = [
        .field("from", \.from, "offset of the start", in: .bytes),
        .field("to", \.to, "offset of the end", in: .bytes),
    ]
}
