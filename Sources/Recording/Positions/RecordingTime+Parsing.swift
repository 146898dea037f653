/// Parsing the times in positions.
extension RecordingTime {
    /// Returns a non-negative decimal number in millionths; nil for any other text, and for a number above 10¹⁰.
    static func millionths(_ text: Substring) -> Int64? {
        // Leading zeros are allowed: `01:05`.
        var bytes = Array(text.utf8)
        while bytes.count > 1, bytes[0] == UInt8(ascii: "0"), bytes[1] != UInt8(ascii: ".") { bytes.removeFirst() }
        var position = 0
        guard let first = bytes.first, first != UInt8(ascii: "-"), bytes.allSatisfy({ $0 | 0x20 != UInt8(ascii: "e") }),
            let time = EventScanner.time(bytes.span, &position), position == bytes.count
        else { return nil }
        return time.microseconds
    }

    /// Parses a time: `12.5`, `12.5s`, `250ms`, `1m20s`, `1h2m3s`, `1:20` or `1:02:03.5`.
    init?(parsing text: Substring) {
        let total = text.contains(":") ? Self.colons(text) : Self.units(text)
        guard let total, total <= Self.latest.microseconds else { return nil }
        self.init(microseconds: total)
    }

    private static func colons(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var total: Int64 = 0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let number = isLast ? millionths(part) : whole(part)
            // After a colon, minutes and seconds must be below sixty.
            guard let number, index == 0 || number < 60_000_000 else { return nil }
            total = total * 60 + number
        }
        return total
    }

    private static func whole(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.count <= 7, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text).map { $0 * 1_000_000 }
    }

    /// Parses numbers with units, larger units first, or a number of seconds.
    private static func units(_ text: Substring) -> Int64? {
        guard text.last?.isLetter == true else { return millionths(text) }
        var units: ArraySlice<(name: Substring, milliseconds: Int64)> = [
            ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
        ]
        var rest = text
        var total: Int64 = 0
        while !rest.isEmpty {
            let number = rest.prefix { !$0.isLetter }
            let name = rest.dropFirst(number.count).prefix(while: \.isLetter)
            guard let value = millionths(number), let place = units.firstIndex(where: { $0.name == name }) else {
                return nil
            }
            let (product, overflow) = value.multipliedReportingOverflow(by: units[place].milliseconds)
            guard !overflow else { return nil }
            total += product / 1000
            units = units[(place + 1)...]
            rest = rest.dropFirst(number.count + name.count)
        }
        return total
    }
}
