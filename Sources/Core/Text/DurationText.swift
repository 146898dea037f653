extension Duration {
    /// Parses a number with a unit: `250ms`, `30s`, `5m`, `2h`, `7d`.
    ///
    /// The number must be an integer; the maximum is 36,500 days.
    ///
    /// - Throws: `usage` when the text does not have this form, or the duration is too long.
    package init(parsing text: String) throws(VTError) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let milliseconds: Int64? =
            switch text.dropFirst(digits.count) {
            case "ms": 1
            case "s": 1000
            case "m": 60_000
            case "h": 3_600_000
            case "d": 86_400_000
            default: nil
            }
        guard let unit = milliseconds, let number = Int64(digits),
            case let (total, overflow) = number.multipliedReportingOverflow(by: unit),
            !overflow, total <= 36_500 * 86_400_000
        else {
            throw VTError(
                .usage,
                "invalid duration '\(text)'",
                hint: "use a number and a unit: 250ms, 30s, 5m, 2h, 7d"
            )
        }
        self = .milliseconds(total)
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
