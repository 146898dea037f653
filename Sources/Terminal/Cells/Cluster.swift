/// A character with several code points: a code point or a shorter cluster, followed by one more code point.
struct Cluster: TableValue {
    /// A code point, or a cluster number with `Cell.clusterBit`.
    var head: UInt32
    var last: UInt32
    /// The number of code points in the cluster.
    var length: UInt32

    static let zero = Cluster(head: 0, last: 0, length: 0)

    /// The maximum number of code points in a cluster, more than any real character has; further code points are
    /// dropped.
    static let lengthLimit: UInt32 = 24

    @inline(__always)
    var words: (UInt64, UInt64) { (UInt64(head) << 32 | UInt64(last), 0) }
}

extension ValueTable<Cluster> {
    /// Returns the cluster in a cell's content; nil if the content is a code point.
    @inline(__always)
    private func cluster(_ content: UInt32) -> Cluster? {
        content & Cell.clusterBit == 0 ? nil : self[content & 0xFF_FFFF]
    }

    /// Returns the content of a cell after appending a code point to `head`; nil if the cluster would be too long or
    /// the table is full.
    mutating func joining(_ head: UInt32, _ last: UInt32) -> UInt32? {
        let length = 1 + (cluster(head)?.length ?? 1)
        guard length <= Cluster.lengthLimit, count < 0xFF_FFFF else { return nil }
        return number(of: Cluster(head: head, last: last, length: length)) | Cell.clusterBit
    }

    /// Calls `body` with the code points of a cell's content, in order.
    func forEachScalar(of content: UInt32, _ body: (UInt32) -> Void) {
        guard let cluster = cluster(content) else { return body(content) }
        forEachScalar(of: cluster.head, body)
        body(cluster.last)
    }

    /// The number of code points of a cell's content.
    func scalarCount(of content: UInt32) -> Int { Int(cluster(content)?.length ?? 1) }

    /// The first code point of a cell's content.
    func base(of content: UInt32) -> UInt32 {
        var rest = content
        while let cluster = cluster(rest) { rest = cluster.head }
        return rest
    }

    /// Whether a cell's content is two cells wide.
    func isWide(_ content: UInt32) -> Bool {
        guard content >= 0xA9 else { return false }
        guard content & Cell.clusterBit != 0 else { return ScalarTraits(content).cells == 2 }
        var scalars: [UInt32] = []
        forEachScalar(of: content) { scalars.append($0) }
        let traits = ScalarTraits(scalars[0])
        return traits.cells == 2 || (traits.kind == .regional && ScalarTraits(scalars[1]).kind == .regional)
            || (traits.canBecomeEmoji && scalars.contains(ScalarTraits.emojiSelector))
            || scalars.dropFirst().contains { ScalarTraits($0).widens(traits) }
    }

    /// Marks the clusters that are part of marked ones.
    func markHeads(_ isUsed: inout [Bool]) {
        for number in isUsed.indices where isUsed[number] {
            var head = self[UInt32(number)].head
            while let cluster = cluster(head), !isUsed[Int(head & 0xFF_FFFF)] {
                isUsed[Int(head & 0xFF_FFFF)] = true
                head = cluster.head
            }
        }
    }
}
