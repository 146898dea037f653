import Arguments
import Core
import Services

/// The kinds of values of options for sessions.
extension ValueKind<LogStart> {
    /// A time or an age, such as `2026-11-21T09:30:00Z` or `5m`.
    static var pastTime: Self {
        ValueKind("TIME") { text throws(VTError) in
            if let time = Timestamp(rawValue: text) { return .time(time) }
            do throws(VTError) {
                return .last(try Duration(parsing: text))
            } catch {
                throw VTError(
                    .usage,
                    "invalid time '\(text)'",
                    hint: "use a time in UTC or an age: 2026-11-21T09:30:00Z, 5m"
                )
            }
        }
    }
}

extension ValueKind<Int64> {
    /// The number of a turn; a negative number counts from the last turn.
    static var turn: Self {
        ValueKind("N") { text throws(VTError) in
            guard let number = Int64(text), number != 0, number > .min else {
                throw VTError(
                    .usage,
                    "'\(text)' is not the number of a turn",
                    hint: "use a number such as 5, or -1 for the last turn"
                )
            }
            return number
        }
    }
}
