import Core

/// Finds secrets in the lines of one text, in their order.
struct SecretSearch {
    private let rules: [SecretRule]
    private var block: KeyBlock?
    /// The character that stands for secrets, as UTF-8: what consists of it is none.
    private let replacement: [UInt8]

    init(_ plan: RedactionPlan) {
        rules = plan.rules
        block = plan.findsKeys ? KeyBlock() : nil
        replacement = plan.replacement
    }

    /// Returns where the secrets of the next line are.
    mutating func secrets(in line: [UInt8], isWhole: Bool = true) -> [(range: Range<Int>, rule: String)] {
        var found: [(range: Range<Int>, rule: String)] = []
        let pairs = LetterPairs(line)
        for rule in rules {
            for range in rule.secrets(in: line, pairs, isWhole: isWhole) { found.append((range, rule.name)) }
        }
        if let range = block?.secret(in: line) { found.append((range, "private-key")) }
        return found.filter { !isRedacted(line[$0.range]) }
    }

    /// Whether a text is nothing but the replacement, and blanks.
    private func isRedacted(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        while let first = rest.first {
            if first == 0x20 {
                rest = rest.dropFirst()
            } else if rest.starts(with: replacement) {
                rest = rest.dropFirst(replacement.count)
            } else {
                return false
            }
        }
        return true
    }
}
