import Core

/// What a secret looks like in a line of text.
package struct SecretRule: Sendable {
    /// How it is called in reports: `aws-access-key`.
    package let name: String
    private let whole: LinePattern
    /// What stands before the secret, and is kept.
    private let prefix: LinePattern?
    /// How many bytes behind the secret are kept.
    private let suffixBytes: Int
    /// A word with one of these is in every line that matches; none: that is not known.
    private let hints: [LetterPairs]

    /// An expression of the user's: all that matches is secret.
    package init(pattern: LinePattern, name: String) {
        self.name = name
        whole = pattern
        prefix = nil
        suffixBytes = 0
        hints = []
    }

    /// A known shape: expressions for what stands before, the secret, and what stands behind.
    init(
        _ name: String,
        after prefix: String = "",
        _ secret: String,
        before suffix: String = "",
        hints: [String]
    ) throws(VTError) {
        self.name = name
        whole = try LinePattern(prefix + secret + suffix, ignoresCase: true)
        self.prefix = prefix.isEmpty ? nil : try LinePattern("^" + prefix, ignoresCase: true)
        suffixBytes = suffix.utf8.count
        self.hints = hints.map { LetterPairs($0.utf8) }
    }

    /// Returns where the secrets of a line are, as indices of it; `pairs` are those of the line.
    func secrets(in line: [UInt8], _ pairs: LetterPairs, isWhole: Bool) -> [Range<Int>] {
        guard hints.isEmpty || hints.contains(where: { pairs.mayHold($0) }) else { return [] }
        var found: [Range<Int>] = []
        var start = 0
        while start < line.count,
            let match = whole.firstMatch(in: line[start...], isLineStart: isWhole && start == 0)
        {
            let before = prefix?.firstMatch(in: line[match]).map { $0.count } ?? 0
            let secret = match.lowerBound + before..<max(match.upperBound - suffixBytes, match.lowerBound + before)
            if !secret.isEmpty { found.append(secret) }
            start = max(match.upperBound, start + 1)
        }
        return found
    }
}
