/// Names that are equal except for a number, such as `web[1-3,7].example`, as clush(1) writes them.
package enum NameRanges {
    /// The maximum number of names that a range can stand for.
    package static let limit = 10_000
    /// The maximum number of digits, so that every number fits into an Int.
    private static let maximumDigits = 18

    /// Returns the names in natural order and without duplicates, separated by commas, with those that differ only in
    /// their last number together; names that are not those of profiles remain separate.
    package static func folded(_ names: [String]) -> String {
        var groups: [(start: Substring, end: Substring, digits: [Substring])] = []
        var positions: [[Substring]: Int] = [:]
        for name in names.withoutRepetition.sorted(by: { $0.naturallyPrecedes($1) }) {
            let (start, digits, end) = divided(name)
            let key = digits.isEmpty ? [start] : [start, end]
            if let position = positions[key] {
                groups[position].digits.append(digits)
            } else {
                positions[key] = groups.count
                groups.append((start, end, [digits]))
            }
        }
        return groups.map { group in
            guard group.digits.count > 1 else { return "\(group.start)\(group.digits[0])\(group.end)" }
            return "\(group.start)[\(ranges(of: group.digits))]\(group.end)"
        }.joined(separator: ",")
    }

    /// Divides a name at its last number.
    private static func divided(_ name: String) -> (start: Substring, digits: Substring, end: Substring) {
        let end = name[(name.lastIndex(where: isDigit).map(name.index(after:)) ?? name.startIndex)...]
        let digits = name[..<end.startIndex].suffix(while: isDigit)
        guard ProfileName.isWellFormed(name), (1...maximumDigits).contains(digits.count) else {
            return (name[...], "", "")
        }
        return (name[..<digits.startIndex], digits, end)
    }

    private static func ranges(of digits: [Substring]) -> String {
        var ranges: [(first: Substring, last: Substring)] = []
        for number in digits {
            if let last = ranges.last?.last, follows(number, last) {
                ranges[ranges.count - 1].last = number
            } else {
                ranges.append((number, number))
            }
        }
        return ranges.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }.joined(separator: ",")
    }

    /// Whether a range of the second number and the first one stands for these two.
    private static func follows(_ number: Substring, _ last: Substring) -> Bool {
        guard let value = Int(number), let before = Int(last), value == before + 1 else { return false }
        return number.count == last.count || !last.hasPrefix("0") && !number.hasPrefix("0")
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    // MARK: - Expanding

    /// Returns the names for which a text with numbers in brackets stands; nil if it is no such text.
    ///
    /// Numbers have at least as many digits as the first one of their range if that begins with a zero.
    ///
    /// - Throws: `usage` for an invalid range, and for more than `limit` names.
    package static func expanded(_ text: String) throws(VTError) -> [String]? {
        guard let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]") else { return nil }
        let inner = text[text.index(after: open)..<close]
        let (start, end) = (text[..<open], text[text.index(after: close)...])
        guard inner.allSatisfy({ isDigit($0) || $0 == "-" || $0 == "," }),
            (start + end).utf8.allSatisfy(ProfileName.isNameByte)
        else { return nil }
        var names: [String] = []
        for range in inner.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = range.split(separator: "-", omittingEmptySubsequences: false)
            guard let first = bounds.first, let last = bounds.last, bounds.count <= 2,
                max(first.count, last.count) <= maximumDigits, let low = Int(first), let high = Int(last), low <= high
            else {
                throw VTError(.usage, "invalid range '\(range)' in '\(text)'", hint: "use numbers such as [1-3,7]")
            }
            guard high - low < limit - names.count else {
                throw VTError(.usage, "'\(text)' stands for more than \(limit) names")
            }
            let width = first.hasPrefix("0") ? first.count : 0
            for number in low...high {
                let digits = String(number)
                let zeros = String(repeating: "0", count: max(0, width - digits.count))
                names.append("\(start)\(zeros)\(digits)\(end)")
            }
        }
        return names
    }
}

extension StringProtocol {
    /// The characters at the end for which the condition holds.
    fileprivate func suffix(while condition: (Character) -> Bool) -> SubSequence {
        var start = endIndex
        while start > startIndex, condition(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
