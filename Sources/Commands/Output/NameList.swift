/// A list of names, in which consecutively numbered ones are a range: `db, web-1 to web-40`.
struct NameList {
    let text: String

    init(_ names: [String]) {
        var ranges: [(first: NumberedName, last: NumberedName)] = []
        for name in names.map(NumberedName.init).sorted() {
            if let last = ranges.last?.last, name.follows(last) {
                ranges[ranges.count - 1].last = name
            } else {
                ranges.append((name, name))
            }
        }
        text = ranges.map { range in
            if range.first.name == range.last.name { return range.first.name }
            let separator = range.last.follows(range.first) ? ", " : " to "
            return range.first.name + separator + range.last.name
        }.joined(separator: ", ")
    }
}

/// A name, divided at its last number.
private struct NumberedName: Comparable {
    let name: String
    private let start: Substring
    /// Nil if there is no number, or if it begins with a zero or is too large.
    private let number: UInt64?
    private let end: Substring

    init(_ name: String) {
        self.name = name
        let end = name[(name.lastIndex { $0.isASCII && $0.isNumber }.map(name.index(after:)) ?? name.startIndex)...]
        let head = name[..<end.startIndex]
        let digits = head.suffix { $0.isASCII && $0.isNumber }
        self.end = end
        start = digits.isEmpty ? name[...] : head.dropLast(digits.count)
        number = digits.first == "0" && digits.count > 1 ? nil : UInt64(digits)
    }

    func follows(_ other: NumberedName) -> Bool {
        guard let number, let before = other.number else { return false }
        return (start, end) == (other.start, other.end) && number.subtractingReportingOverflow(before) == (1, false)
    }

    static func < (one: NumberedName, other: NumberedName) -> Bool {
        guard one.start == other.start else { return one.start < other.start }
        return (one.number ?? 0, one.name) < (other.number ?? 0, other.name)
    }
}

extension Substring {
    /// The longest suffix whose characters all satisfy the predicate.
    fileprivate func suffix(_ predicate: (Character) -> Bool) -> Substring {
        var start = endIndex
        while start > startIndex, predicate(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
