/// Finds the announcements of a `CommandPrelude` in a stream of output, and removes them.
package struct AnnouncementFilter: Sendable {
    private let announcements: [[UInt8]]
    /// The number of announcements received.
    package private(set) var seen = 0
    /// Output that might be the start of an announcement.
    private var held: [UInt8] = []

    /// The announcements are expected in this order; if the list is empty, all output counts as following the last one.
    package init(_ announcements: [String]) {
        self.announcements = announcements.map { Array($0.utf8) }
    }

    /// Whether all announcements have been received.
    package var isDone: Bool { seen == announcements.count }

    /// Returns the output before and after the last announcement, and holds back bytes that might be the start of one.
    package mutating func split(_ output: [UInt8]) -> (before: [UInt8], after: [UInt8]) {
        guard !isDone else { return ([], output) }
        var before: [UInt8] = []
        held += output
        while !isDone {
            guard let range = Self.range(of: announcements[seen], in: held) else {
                let kept = Self.overlap(of: held, with: announcements[seen])
                before += held.dropLast(kept)
                held = held.suffix(kept)
                return (before, [])
            }
            before += held[..<range.lowerBound]
            held = Array(held[range.upperBound...])
            seen += 1
        }
        return (before, rest())
    }

    /// Returns the output that was held back.
    package mutating func rest() -> [UInt8] {
        defer { held = [] }
        return held
    }

    /// Returns the first range of the announcement; faster than the generic `firstRange`.
    private static func range(of announcement: [UInt8], in output: [UInt8]) -> Range<Int>? {
        var rest = output[...]
        while let start = rest.firstIndex(of: announcement[0]) {
            let end = start + announcement.count
            guard end <= output.count else { return nil }
            if output[start..<end].elementsEqual(announcement) { return start..<end }
            rest = output[(start + 1)...]
        }
        return nil
    }

    /// Returns the number of bytes at the end of the output that might be the start of the announcement.
    private static func overlap(of output: [UInt8], with announcement: [UInt8]) -> Int {
        let most = min(output.count, announcement.count - 1)
        return stride(from: most, to: 0, by: -1)
            .first { output.suffix($0).elementsEqual(announcement.prefix($0)) } ?? 0
    }
}
