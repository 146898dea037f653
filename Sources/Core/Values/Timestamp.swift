import Glibc

/// A point in time, to the second, in UTC.
package struct Timestamp: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package var seconds: Int64

    package init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Returns nil for a time that `rawValue` cannot represent.
    package init?(inFourDigitYears seconds: Int64) {
        guard Self.writable.contains(seconds) else { return nil }
        self.seconds = seconds
    }

    /// From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    private static let writable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The current time, from the system clock.
    package static func now() -> Timestamp {
        Timestamp(seconds: Int64(time(nil)))
    }
}

/// Compares seconds; the default for `RawRepresentable` would format both times and compare the strings.
extension Timestamp: Comparable {
    package static func == (left: Timestamp, right: Timestamp) -> Bool {
        left.seconds == right.seconds
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(seconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.seconds < right.seconds
    }
}

extension Timestamp: RawRepresentable {
    /// RFC 3339 §5.6 with a capital `T` and `Z`, years 0001 to 9999: `2026-11-21T09:30:00Z`.
    package init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard bytes.count == 20, Self.separators.allSatisfy({ bytes[$0.index] == $0.byte }) else { return nil }
        guard let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
            year >= 1, (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        seconds = Int64(Self.daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// A time outside the years 0001 to 9999 is clamped.
    package var rawValue: String {
        let seconds = min(max(seconds, Self.writable.lowerBound), Self.writable.upperBound)
        let day = Int(seconds.quotientFloor(86_400))
        let second = Int(seconds) - day * 86_400
        let (year, month, dayOfMonth) = Self.date(daysSinceEpoch: day)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20)
        let time = (second / 3600, second / 60 % 60, second % 60)
        for digits in [year / 100, year % 100, month, dayOfMonth, time.0, time.1, time.2] {
            bytes.append(UInt8(ascii: "0") + UInt8(digits / 10))
            bytes.append(UInt8(ascii: "0") + UInt8(digits % 10))
            guard let separator = Self.separators.first(where: { $0.index == bytes.count }) else { continue }
            bytes.append(separator.byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let separators: [(index: Int, byte: UInt8)] = [
        (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
        (16, UInt8(ascii: ":")), (19, UInt8(ascii: "Z")),
    ]

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Uses the proleptic Gregorian calendar in 400-year cycles of 146,097 days from 0000-03-01.
    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func date(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let cycle = Int(Int64(shifted).quotientFloor(146_097))
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = (shiftedMonth + 2) % 12 + 1
        return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Timestamp: JSONReadable {}

extension Int64 {
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
