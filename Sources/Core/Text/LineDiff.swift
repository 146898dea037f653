/// The differences between two texts, as in the unified format of diff(1).
package struct LineDiff {
    /// The hunks: a line with the positions (`@@ -1,3 +1,4 @@`), and then the lines, after a space, `-` or `+`.
    package let hunks: [[String]]

    private static let contextLines = 3

    package init(from old: [String], to new: [String]) {
        let difference = new.difference(from: old)
        var removed = Set<Int>()
        var inserted = Set<Int>()
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        /// All lines, with the numbers of those before them.
        var lines: [(text: String, old: Int, new: Int, isChanged: Bool)] = []
        var (from, to) = (0, 0)
        while from < old.count || to < new.count {
            if removed.contains(from) {
                lines.append(("-" + old[from], from, to, true))
                from += 1
            } else if inserted.contains(to) {
                lines.append(("+" + new[to], from, to, true))
                to += 1
            } else {
                lines.append((" " + old[from], from, to, false))
                (from, to) = (from + 1, to + 1)
            }
        }
        let changed = lines.indices.filter { lines[$0].isChanged }
        var ranges: [Range<Int>] = []
        for index in changed {
            let range = max(0, index - Self.contextLines)..<min(lines.count, index + Self.contextLines + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        hunks = ranges.map { range in
            let part = lines[range]
            let counts = (part.count { !$0.text.hasPrefix("+") }, part.count { !$0.text.hasPrefix("-") })
            let starts = (part.first?.old ?? 0, part.first?.new ?? 0)
            /// diff(1) numbers lines from 1, and omits a count of 1; an empty range has the number of the line before it.
            func position(_ start: Int, _ count: Int) -> String {
                count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
            }
            return ["@@ -\(position(starts.0, counts.0)) +\(position(starts.1, counts.1)) @@"] + part.map(\.text)
        }
    }
}
