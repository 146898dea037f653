import Core

/// Functions that convert the words of options and operands, for `Option.init`.
package enum ValueParser {
    /// A duration such as `250ms` or `5m` that is not shorter than a minimum.
    package static func duration(
        atLeast minimum: Duration
    ) -> @Sendable (String) throws(VTError) -> Duration {
        { text throws(VTError) in
            let duration = try Duration(parsing: text)
            guard duration >= minimum else {
                throw VTError(.usage, "'\(text)' is shorter than \(minimum.shortText)")
            }
            return duration
        }
    }

    /// A whole number.
    package static func number(in range: ClosedRange<Int>) -> @Sendable (String) throws(VTError) -> Int {
        { text throws(VTError) in
            guard let number: Int = NumberText.whole(text), range.contains(number) else {
                throw outOfRange(text, "\(range.lowerBound)", "\(range.upperBound)")
            }
            return number
        }
    }

    /// A number that may have a fractional part.
    package static func factor(in range: ClosedRange<Double>) -> @Sendable (String) throws(VTError) -> Double {
        { text throws(VTError) in
            guard let factor = NumberText.decimal(text), range.contains(factor) else {
                throw outOfRange(text, shown(range.lowerBound), shown(range.upperBound))
            }
            return factor
        }
    }

    /// A position in the output of a session, in bytes.
    package static func offset(_ text: String) throws(VTError) -> UInt64 {
        guard let offset: UInt64 = NumberText.whole(text) else {
            throw VTError(.usage, "invalid offset '\(text)'", hint: "use a number of bytes, such as 0")
        }
        return offset
    }

    /// Returns a bound as text; whole numbers are shown without a fractional part.
    private static func shown(_ bound: Double) -> String {
        Int(exactly: bound).map { "\($0)" } ?? "\(bound)"
    }

    private static func outOfRange(_ text: String, _ minimum: String, _ maximum: String) -> VTError {
        VTError(.usage, "'\(text)' is not a number from \(minimum) to \(maximum)")
    }
}
