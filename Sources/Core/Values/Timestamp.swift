import Glibc

/// A point in time, to the second, in UTC.
package struct Timestamp: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package var seconds: Int64

    package init(seconds: Int64) {
        self.seconds = seconds
    }

    /// The present, from the system's clock.
    package static func now() -> Timestamp {
        Timestamp(seconds: Int64(time(nil)))
    }
}

extension Timestamp: Comparable {
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.seconds < right.seconds
    }
}

extension Timestamp: RawRepresentable {
    /// RFC 3339 §5.6 with a capital `T` and `Z`, years 0001 to 9999: `2026-11-21T09:30:00Z`.
    package init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        let template = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
        guard bytes.count == template.count else { return nil }
        var numbers: [Int] = [0]
        for (byte, expected) in zip(bytes, template) {
            if expected == UInt8(ascii: "d") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
            } else {
                guard byte == expected else { return nil }
                numbers.append(0)
            }
        }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard year >= 1, (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            numbers[3] < 24, numbers[4] < 60, numbers[5] < 60
        else { return nil }
        let secondOfDay = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        seconds = Int64(Self.daysSinceEpoch(year, month, day) * 86_400 + secondOfDay)
    }

    package var rawValue: String {
        let day = Int(seconds.quotientFloor(86_400))
        let second = Int(seconds) - day * 86_400
        let (year, month, dayOfMonth) = Self.date(daysSinceEpoch: day)
        let date = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(dayOfMonth, 2))"
        let time = [second / 3600, second / 60 % 60, second % 60].map { Self.digits($0, 2) }.joined(separator: ":")
        return "\(date)T\(time)Z"
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The proleptic Gregorian calendar, counted in 400-year cycles of 146,097 days from 0000-03-01.
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

extension Timestamp: Codable {}

extension Int64 {
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
