/// Suggests the name that was probably meant by a misspelled word.
package enum Suggestion {
    /// Returns the closest candidate, the first one if several are equally close, or nil if none is close enough.
    ///
    /// The limit is one edit for every three bytes of the longer word, at least one and at most three. A word of at
    /// least two bytes that is a prefix of the candidate counts as one edit away.
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
    /// This is the optimal string alignment variant of the Damerau-Levenshtein distance, on bytes. For words longer
    /// than 64 bytes, the result is `Int.max`.
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
