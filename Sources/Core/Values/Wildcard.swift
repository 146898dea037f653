/// Patterns with `*` for any number of bytes and `?` for exactly one byte, as in OpenSSH (ssh_config(5), PATTERNS).
package enum Wildcard {
    /// Returns whether the whole text matches the pattern.
    ///
    /// The running time is at most proportional to the product of the lengths of the pattern and the text.
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        guard isPattern(pattern.utf8) else { return pattern == text }
        return matches(Array(pattern.utf8), Array(text.utf8))
    }

    /// Whether the text contains `*` or `?`.
    package static func isPattern(_ text: some Sequence<UInt8>) -> Bool {
        text.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    }

    /// Returns whether all of the bytes match the pattern.
    package static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (position, place) = (0, 0)
        /// Where to resume when the last `*` must match one more byte.
        var retry: (position: Int, place: Int)?
        while place < text.count {
            if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
                position += 1
                retry = (position, place)
            } else if position < pattern.count,
                pattern[position] == text[place] || pattern[position] == UInt8(ascii: "?")
            {
                position += 1
                place += 1
            } else if let last = retry {
                retry = (last.position, last.place + 1)
                (position, place) = (last.position, last.place + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Returns whether the text matches one of the patterns and none of those that start with `!`.
    package static func matches(anyOf patterns: [String], _ text: String) -> Bool {
        var isMatch = false
        for pattern in patterns {
            if pattern.hasPrefix("!") {
                if matches(String(pattern.dropFirst()), text) { return false }
            } else if !isMatch {
                isMatch = matches(pattern, text)
            }
        }
        return isMatch
    }
}
