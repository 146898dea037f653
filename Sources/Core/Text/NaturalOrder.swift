extension String {
    /// Whether the string comes first in an order in which numbers count by value, so that web2 precedes web10.
    package func naturallyPrecedes(_ other: String) -> Bool {
        var (left, right) = (utf8[...], other.utf8[...])
        while let first = left.first, let second = right.first {
            if Self.isDigit(first), Self.isDigit(second) {
                let (ours, theirs) = (Self.number(&left), Self.number(&right))
                if ours.count != theirs.count { return ours.count < theirs.count }
                if !ours.elementsEqual(theirs) { return ours.lexicographicallyPrecedes(theirs) }
            } else {
                guard first == second else { return first < second }
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.isEmpty && right.isEmpty ? self < other : left.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Removes and returns the digits at the start, without zeros before them.
    private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
