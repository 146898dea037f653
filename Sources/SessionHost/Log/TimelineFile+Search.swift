import Core
import System

/// Finds a point in time in a timeline: lines are ordered by time, so a binary search needs only a few reads.
extension TimelineFile {
    /// The size below which the remaining part is read line by line.
    private static let lastPartBytes: UInt64 = 16 << 10
    /// The number of bytes read at each step, more than the longest line.
    private static let probeBytes = 32 << 10

    /// Returns the end of the output that was written before a time; nil if the timeline contains no such output.
    func offset(before time: Timestamp) -> UInt64? {
        var low: UInt64 = 0
        var high = FileSpace.length(file.number)
        var found: UInt64?
        let (limit, isBeyond) = time.seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isBeyond else { return nil }
        while high - low > Self.lastPartBytes {
            let middle = low + (high - low) / 2
            if isReleased(middle) {
                low = middle
            } else if let event = firstOutput(from: middle, to: high), event.time < limit {
                low = middle
            } else {
                high = middle
            }
        }
        let last = probe(from: low, limit: Int(Self.lastPartBytes) + 2 * Self.probeBytes)
        for event in Self.lines(last, isWhole: low == 0).compactMap(Self.output) {
            guard event.time < limit else { break }
            found = event.end
        }
        return found
    }

    /// Returns the first output event between two positions; nil if there is none.
    ///
    /// The event may start after `end`, because the file is read in pieces. Any number of other events, such as input,
    /// may precede it.
    private func firstOutput(from start: UInt64, to end: UInt64) -> (time: Int64, end: UInt64)? {
        var position = start
        while position < end {
            let bytes = probe(from: position, limit: Self.probeBytes)
            let lines = Self.lines(bytes, isWhole: position == 0)
            if let event = lines.lazy.compactMap(Self.output).first { return event }
            guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")), last > 0 else { return nil }
            position += UInt64(last)
        }
        return nil
    }

    /// Whether the part at a position has been released; events contain no NUL bytes.
    private func isReleased(_ position: UInt64) -> Bool {
        probe(from: position, limit: 1).first ?? 0 == 0
    }

    private static func output(_ line: ArraySlice<UInt8>) -> (time: Int64, end: UInt64)? {
        guard let event = SessionLogEvent(line: line), case .output(let end) = event.kind else { return nil }
        return (event.time, end)
    }

    /// The complete lines in a part of the file; the first line is incomplete unless the part starts the file.
    private static func lines(_ bytes: [UInt8], isWhole: Bool) -> [ArraySlice<UInt8>] {
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if !isWhole || parts.first?.first == 0 { parts = Array(parts.dropFirst()) }
        return parts.dropLast()
    }

    /// Data that cannot be read is treated as released.
    private func probe(from position: UInt64, limit: Int) -> [UInt8] {
        (try? read(from: position, limit: limit)) ?? []
    }
}
