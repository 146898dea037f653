/// Suggests the name that a misspelled word probably means.
package enum Suggestion {
    /// Returns the closest candidate, the first of several, or nil if none is close enough.
    ///
    /// The limit is a third of the longer word's length in edits, and never more than three; a common prefix of at
    /// least two letters counts as one edit.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let isBeginning = word.utf8.count >= 2 && candidate.hasPrefix(word)
            let distance = isBeginning ? 1 : editDistance(word, candidate)
            let limit = min(3, max(word.utf8.count, candidate.utf8.count) / 3)
            guard distance <= max(1, limit), distance < candidate.utf8.count, distance < best?.distance ?? .max
            else { continue }
            best = (candidate, distance)
        }
        return best?.candidate
    }

    /// Counts the insertions, deletions, substitutions and transpositions between two words.
    ///
    /// This is the optimal string alignment variant of the Damerau-Levenshtein distance, on bytes. The distance of
    /// words longer than 64 bytes exceeds every limit.
    static func editDistance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count <= 64, right.count <= 64 else { return .max }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var cost = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
