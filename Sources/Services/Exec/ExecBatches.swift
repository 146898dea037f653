/// The groups of jobs that run one after the other.
package struct ExecBatches: Hashable, Sendable {
    /// The size of a first batch, all jobs of which must succeed before others start; nil if there is none.
    package var canary: TargetLimit?
    /// The size of the other batches, a percentage being of all jobs; nil for a single batch.
    package var size: TargetLimit?
    /// How long to wait between batches.
    package var pause: Duration?

    package init(canary: TargetLimit? = nil, size: TargetLimit? = nil, pause: Duration? = nil) {
        (self.canary, self.size, self.pause) = (canary, size, pause)
    }

    var hasCanary: Bool { canary != nil }

    /// The indexes of the jobs in each batch, of `count` jobs.
    package func ranges(of count: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while start < count {
            let limit = start == 0 ? canary ?? size : size
            let end = min(start + (limit?.applied(to: count) ?? count), count)
            ranges.append(start..<end)
            start = end
        }
        return ranges
    }
}
