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
    /// One of these is in every line that matches, in lower case; none: that is not known.
    private let hints: [[UInt8]]

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
        self.hints = hints.map { Array($0.utf8) }
    }

    /// Returns where the secrets of a line are, as indices of it.
    func secrets(in line: [UInt8], isWhole: Bool) -> [Range<Int>] {
        guard hints.isEmpty || hints.contains(where: { Self.contains(line, $0) }) else { return [] }
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

    /// Whether a line has a word of lower case letters, in whatever case.
    private static func contains(_ line: [UInt8], _ word: [UInt8]) -> Bool {
        guard let first = word.first, line.count >= word.count else { return false }
        for start in 0...line.count - word.count where lower(line[start]) == first {
            var offset = 1
            while offset < word.count, lower(line[start + offset]) == word[offset] { offset += 1 }
            if offset == word.count { return true }
        }
        return false
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }
}
