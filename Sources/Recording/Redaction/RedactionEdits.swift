import Core

/// The ranges of bytes in a stream that are to be redacted.
struct RedactionEdits {
    /// The merged ranges, sorted and non-overlapping.
    private var ranges: [Range<UInt64>] = []
    private var added: [Range<UInt64>] = []
    /// Whether the merged ranges have changed since the last call to `mergeRanges`.
    private var isMerged = false

    /// The maximum number of ranges in a recording.
    private static let most = 4 << 20

    /// The number of ranges to redact.
    var count: Int { ranges.count }

    /// Adds the ranges of a secret.
    ///
    /// - Throws: `data.invalid` when there are too many ranges.
    mutating func add(_ secret: [Range<UInt64>]) throws(VTError) {
        added += secret
        // The same range is found repeatedly while it is on the screen; merging removes the duplicates.
        if added.count > Self.most / 4 { _ = merge() }
        guard added.count + ranges.count <= Self.most else {
            throw VTError(.dataInvalid, "too many secrets in the recording (limit: \(Self.most))")
        }
    }

    /// Merges the added ranges; returns whether the ranges have changed since the last call.
    mutating func mergeRanges() -> Bool {
        let isChanged = merge() || isMerged
        isMerged = false
        return isChanged
    }

    private mutating func merge() -> Bool {
        guard !added.isEmpty else { return false }
        let all = (ranges + added).sorted { $0.lowerBound < $1.lowerBound }
        added = []
        var merged: [Range<UInt64>] = []
        for range in all {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        let isChanged = merged != ranges
        ranges = merged
        isMerged = isMerged || isChanged
        return isChanged
    }

    /// Returns the redacted form of data at an offset in the stream; nil if nothing in it is to be redacted.
    func redacted(_ data: [UInt8], at offset: UInt64, _ plan: RedactionPlan) -> [UInt8]? {
        let index = firstRange(after: offset)
        guard index < ranges.count, ranges[index].lowerBound < offset + UInt64(data.count) else { return nil }
        return segments(of: data, at: offset, plan).flatMap(\.bytes)
    }

    /// Splits data that starts at `offset` in the stream into segments, with redacted ranges replaced.
    ///
    /// The redacted ranges are extended to whole characters.
    func segments(of data: [UInt8], at offset: UInt64, _ plan: RedactionPlan) -> [StreamScan.Segment] {
        var index = firstRange(after: offset)
        var position = 0
        var segments: [StreamScan.Segment] = []
        while index < ranges.count, ranges[index].lowerBound < offset + UInt64(data.count) {
            let range = ranges[index]
            var start = max(position, range.lowerBound > offset ? Int(range.lowerBound - offset) : 0)
            var end = Int(min(range.upperBound - offset, UInt64(data.count)))
            while start > position, data[start] & 0xC0 == 0x80 { start -= 1 }
            while end < data.count, data[end] & 0xC0 == 0x80 { end += 1 }
            if start > position {
                segments.append(StreamScan.Segment(bytes: data[position..<start], offset: offset + UInt64(position)))
            }
            if end > start {
                let stand = plan.replaced(data[start..<end])
                segments.append(
                    StreamScan.Segment(bytes: stand[...], offset: offset + UInt64(start), isReplacement: true)
                )
            }
            position = max(position, end)
            index += 1
        }
        if position < data.count {
            segments.append(StreamScan.Segment(bytes: data[position...], offset: offset + UInt64(position)))
        }
        return segments
    }

    /// Returns the index of the first range that ends after an offset, by binary search.
    private func firstRange(after offset: UInt64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
