extension Duration {
    /// Parses numbers with units, as in `250ms`, `30s`, `2.5m` or `1h30m`, or a number of seconds, as in `5` or `0.2`.
    ///
    /// The units must be in descending order. Fractions of a millisecond are rounded up; the maximum is 36,500 days.
    ///
    /// - Throws: `usage` when the text does not have this form, or the duration is too long.
    package init(parsing text: String) throws(VTError) {
        var rest = Substring(text)
        var total: Int64 = 0
        var last = Int64.max
        repeat {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            let isAlone = number.count == text.count
            guard let length = isAlone ? 1000 : Self.unitMilliseconds[String(unit)], length < last,
                let part = Self.milliseconds(number, of: length), total + part <= Self.limitMilliseconds
            else {
                throw VTError(
                    .usage,
                    "invalid duration '\(text)'",
                    hint: "use numbers with units, such as 250ms, 30s, 1m30s, 2h or 7d, or a number of seconds"
                )
            }
            total += part
            last = length
        } while !rest.isEmpty
        self = .milliseconds(total)
    }

    private static let limitMilliseconds: Int64 = 36_500 * 86_400_000

    private static let unitMilliseconds: [String: Int64] = [
        "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]

    /// Returns a decimal number of units of this length in milliseconds, rounded up; nil if it is not a number or too
    /// large.
    private static func milliseconds(_ number: Substring, of length: Int64) -> Int64? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.contains(where: { !$0.isEmpty }),
            let whole = parts[0].isEmpty ? 0 : Int64(parts[0]), whole <= limitMilliseconds / length
        else { return nil }
        guard parts.count == 2, !parts[1].isEmpty else { return whole * length }
        guard parts[1].count <= 9, let digits = Int64(parts[1]) else { return nil }
        let scale = parts[1].reduce(Int64(1)) { scale, _ in scale * 10 }
        return whole * length + (digits * length + scale - 1) / scale
    }

    /// Whole milliseconds, rounded toward zero and clamped to the range of `Int64`.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000_000_000
    }

    /// The duration in the largest unit that divides it evenly, in the format of `init(parsing:)`.
    ///
    /// Fractions of a millisecond are omitted.
    package var shortText: String {
        let total = wholeMilliseconds
        for (unit, milliseconds) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", Int64(1000))]
        where total > 0 && total % milliseconds == 0 {
            return "\(total / milliseconds)\(unit)"
        }
        return "\(total)ms"
    }
}
