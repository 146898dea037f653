/// The characters on a screen that have several code points, each stored once.
///
/// A cluster is a code point or a shorter cluster, followed by one more code point.
struct ClusterTable: Sendable {
    private struct Entry {
        /// A code point, or a cluster number with `Cell.clusterBit`.
        var head: UInt32
        var last: UInt32
        /// The number of code points in the cluster; 0 for a free entry.
        var length: UInt32
    }

    private var entries: [Entry] = []
    private var numbers: [UInt64: UInt32] = [:]
    private var free: [UInt32] = []

    /// The maximum number of code points in a cluster, more than any real character has; further code points are
    /// dropped.
    static let lengthLimit: UInt32 = 24

    var count: Int { entries.count - free.count }

    /// Returns the content of a cell after appending a code point to `head`; nil if the cluster would be too long or
    /// the table is full.
    mutating func joining(_ head: UInt32, _ last: UInt32) -> UInt32? {
        let key = UInt64(head) << 32 | UInt64(last)
        if let number = numbers[key] { return number | Cell.clusterBit }
        let length = head & Cell.clusterBit == 0 ? 2 : entries[Int(head & 0xFF_FFFF)].length + 1
        guard length <= Self.lengthLimit, entries.count < 0xFF_FFFF || !free.isEmpty else { return nil }
        let entry = Entry(head: head, last: last, length: length)
        let number: UInt32
        if let reused = free.popLast() {
            number = reused
            entries[Int(number)] = entry
        } else {
            number = UInt32(entries.count)
            entries.append(entry)
        }
        numbers[key] = number
        return number | Cell.clusterBit
    }

    /// The code points of a cell's content, in order.
    func scalars(of content: UInt32) -> [UInt32] {
        var result: [UInt32] = []
        var rest = content
        while rest & Cell.clusterBit != 0 {
            let entry = entries[Int(rest & 0xFF_FFFF)]
            result.append(entry.last)
            rest = entry.head
        }
        result.append(rest)
        return result.reversed()
    }

    /// The first code point of a cell's content.
    func base(of content: UInt32) -> UInt32 {
        var rest = content
        while rest & Cell.clusterBit != 0 { rest = entries[Int(rest & 0xFF_FFFF)].head }
        return rest
    }

    /// Whether a cell's content is two cells wide.
    func isWide(_ content: UInt32) -> Bool {
        guard content >= 0xA9 else { return false }
        guard content & Cell.clusterBit != 0 else { return ScalarTraits(content).cells == 2 }
        let scalars = scalars(of: content)
        let traits = ScalarTraits(scalars[0])
        return traits.cells == 2 || (traits.kind == .regional && ScalarTraits(scalars[1]).kind == .regional)
            || (traits.canBecomeEmoji && scalars.contains(ScalarTraits.emojiSelector))
            || scalars.dropFirst().contains { ScalarTraits($0).widens(traits) }
    }

    /// Removes clusters that are neither in use nor part of a used cluster.
    mutating func keep(_ isUsed: [Bool]) {
        var kept = isUsed
        for number in entries.indices where isUsed[number] {
            var head = entries[number].head
            while head & Cell.clusterBit != 0, !kept[Int(head & 0xFF_FFFF)] {
                kept[Int(head & 0xFF_FFFF)] = true
                head = entries[Int(head & 0xFF_FFFF)].head
            }
        }
        for number in entries.indices where !kept[number] && entries[number].length > 0 {
            numbers[UInt64(entries[number].head) << 32 | UInt64(entries[number].last)] = nil
            entries[number].length = 0
            free.append(UInt32(number))
        }
    }

    /// One mark per cluster, all unset.
    var unmarked: [Bool] { [Bool](repeating: false, count: entries.count) }
}
