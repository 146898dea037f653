import Core

/// A time in a recording, counted from its start.
package struct RecordingTime: Hashable, Sendable {
    /// 0 to `latest`.
    package let microseconds: Int64

    package static let start = RecordingTime(microseconds: 0)

    /// About 317 years, so that the sum of two times cannot overflow.
    package static let latest = RecordingTime(microseconds: 10_000_000_000_000_000)

    /// Clamps the time to the range from `start` to `latest`.
    package init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, 0), 10_000_000_000_000_000)
    }

    package var seconds: Double { Double(microseconds) / 1_000_000 }
    package var milliseconds: Double { Double(microseconds) / 1000 }

    /// The time as a JSON number of seconds, such as `1.0` or `5.600001`.
    ///
    /// Trailing zeros are omitted, but one decimal is kept.
    package func text() -> String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the time as `text` returns it, but keeps at least `digits` decimals (1 to 6).
    package func append(to bytes: inout [UInt8], digits: Int = 1) {
        let (whole, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        Self.append(whole, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        var rest = fraction
        var divisor: Int64 = 100_000
        var written = 0
        while written < 6, written < digits || rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / divisor))
            rest %= divisor
            divisor /= 10
            written += 1
        }
    }

    /// The time for display, rounded to milliseconds; `RecordingPosition` can parse it: `0:12.345`, `1:02:03.000`.
    package var clockText: String {
        let milliseconds = (microseconds + 500) / 1000
        func digits(_ number: Int64, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
        }
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let front = hours > 0 ? "\(hours):\(digits(minutes, 2))" : String(minutes)
        return "\(front):\(digits(milliseconds / 1000 % 60, 2)).\(digits(milliseconds % 1000, 3))"
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension RecordingTime: Comparable {
    package static func < (left: RecordingTime, right: RecordingTime) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension RecordingTime {
    /// Adds two times; the result is clamped as in the initializer.
    package static func + (left: RecordingTime, right: RecordingTime) -> RecordingTime {
        RecordingTime(microseconds: left.microseconds + right.microseconds)
    }

    package static func - (left: RecordingTime, right: RecordingTime) -> RecordingTime {
        RecordingTime(microseconds: left.microseconds - right.microseconds)
    }
}

/// In seconds, with six decimal places.
extension RecordingTime: JSONValue {
    package static var jsonType: JSONType { .number }

    package func write(to writer: inout JSONWriter) { writer.seconds(microseconds: microseconds) }
}
