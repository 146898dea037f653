/// Parses an event, `[TIME, "CODE", "DATA"]`, in one pass over its bytes.
///
/// Only lines that the format allows are accepted; `EventFault` determines what is wrong with other lines.
enum EventScanner {
    struct Fields {
        /// The time as written: since the start in v2, since the previous event in v1 and v3.
        var time: RecordingTime
        var code: String
        var data: [UInt8]
        /// An unpaired low surrogate at the start of the data, where it is replaced by U+FFFD; nil if there is none.
        var secondHalf: UInt32?
        /// An unpaired high surrogate at the end of the data, where it is replaced by U+FFFD; nil if there is none.
        var firstHalf: UInt32?
    }

    /// Returns nil if the bytes are not an event; v1 events have no code and are always output.
    static func fields(_ line: Span<UInt8>, hasCode: Bool) -> Fields? {
        var position = 0
        guard skip("[", line, &position), let time = time(line, &position), skip(",", line, &position) else {
            return nil
        }
        var code = "o"
        if hasCode {
            guard let given = self.code(line, &position), skip(",", line, &position) else { return nil }
            code = given
        }
        skipBlanks(line, &position)
        let start = position
        guard let data = string(line, &position), skip("]", line, &position) else { return nil }
        let end = position
        skipBlanks(line, &position)
        guard position == line.count else { return nil }
        var fields = Fields(time: time, code: code, data: data)
        if data.starts(with: [0xEF, 0xBF, 0xBD]) { fields.secondHalf = half(line, start + 1, 0xDC00...0xDFFF) }
        if data.count >= 3, data[(data.count - 3)...] == [0xEF, 0xBF, 0xBD] {
            fields.firstHalf = half(line, endingBefore: end)
        }
        return fields
    }

    /// Returns the time at the start of a possibly incomplete line; nil if there is none.
    static func time(startOf line: Span<UInt8>) -> RecordingTime? {
        var position = 0
        guard skip("[", line, &position), let time = time(line, &position) else { return nil }
        return skip(",", line, &position) ? time : nil
    }

    /// Returns the surrogate that an escape at `index` represents; nil for anything outside `range`.
    private static func half(_ line: Span<UInt8>, _ index: Int, _ range: ClosedRange<UInt32>) -> UInt32? {
        var after = index + 2
        guard index + 6 <= line.count, line[index] == UInt8(ascii: "\\"), line[index + 1] == UInt8(ascii: "u"),
            let unit = unit(line, &after), range.contains(unit)
        else { return nil }
        return unit
    }

    /// Returns the high surrogate at the end of the string before the closing bracket; `end` is the index after the
    /// bracket.
    private static func half(_ line: Span<UInt8>, endingBefore end: Int) -> UInt32? {
        var quote = end - 2
        while quote > 6, isBlank(line[quote]) { quote -= 1 }
        guard quote > 6, let unit = half(line, quote - 6, 0xD800...0xDBFF) else { return nil }
        // The backslash can itself be escaped.
        var backslashes = 0
        while line[quote - 7 - backslashes] == UInt8(ascii: "\\"), quote - 8 - backslashes >= 0 { backslashes += 1 }
        return backslashes.isMultiple(of: 2) ? unit : nil
    }

    // MARK: - Parts

    private static func skipBlanks(_ line: Span<UInt8>, _ position: inout Int) {
        while position < line.count, isBlank(line[position]) { position += 1 }
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }

    private static func skip(_ character: Unicode.Scalar, _ line: Span<UInt8>, _ position: inout Int) -> Bool {
        skipBlanks(line, &position)
        guard position < line.count, line[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private static func code(_ line: Span<UInt8>, _ position: inout Int) -> String? {
        skipBlanks(line, &position)
        if position + 2 < line.count, line[position + 2] == UInt8(ascii: "\"") {
            let known: String? =
                switch line[position + 1] {
                case UInt8(ascii: "o"): "o"
                case UInt8(ascii: "i"): "i"
                default: nil
                }
            if let known, line[position] == UInt8(ascii: "\"") {
                position += 3
                return known
            }
        }
        return string(line, &position).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: - Numbers

    /// Parses a non-negative number of seconds (RFC 8259 §6), rounded to microseconds.
    static func time(_ line: Span<UInt8>, _ position: inout Int) -> RecordingTime? {
        skipBlanks(line, &position)
        let start = position
        let isNegative = position < line.count && line[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let digitsStart = position
        var whole: Int64 = 0
        while let digit = digit(line, position) {
            if whole < 1 << 50 { whole = whole * 10 + digit }
            position += 1
        }
        let digits = position - digitsStart
        guard digits > 0, digits == 1 || line[digitsStart] != UInt8(ascii: "0") else { return nil }
        guard let fraction = fraction(line, &position) else { return nil }
        if position < line.count, line[position] | 0x20 == UInt8(ascii: "e") {
            return scientific(line, start, &position)
        }
        guard whole <= 10_000_000_000 else { return nil }
        let total = whole * 1_000_000 + fraction
        guard total <= RecordingTime.latest.microseconds, !isNegative || total == 0 else { return nil }
        return RecordingTime(microseconds: total)
    }

    private static func digit(_ line: Span<UInt8>, _ position: Int) -> Int64? {
        guard position < line.count else { return nil }
        let value = line[position] &- UInt8(ascii: "0")
        return value < 10 ? Int64(value) : nil
    }

    /// Returns the fraction after the decimal point, rounded to microseconds by its seventh digit; 0 without a decimal
    /// point, and nil if no digit follows it.
    private static func fraction(_ line: Span<UInt8>, _ position: inout Int) -> Int64? {
        guard position < line.count, line[position] == UInt8(ascii: ".") else { return 0 }
        position += 1
        let start = position
        var fraction: Int64 = 0
        var unit: Int64 = 100_000
        while let digit = digit(line, position) {
            fraction += digit * unit
            if position - start == 6, digit >= 5 { fraction += 1 }
            unit /= 10
            position += 1
        }
        return position > start ? fraction : nil
    }

    /// Parses a number with an exponent, which few recorders write.
    private static func scientific(_ line: Span<UInt8>, _ start: Int, _ position: inout Int) -> RecordingTime? {
        position += 1
        if position < line.count, line[position] == UInt8(ascii: "+") || line[position] == UInt8(ascii: "-") {
            position += 1
        }
        let digitsStart = position
        while digit(line, position) != nil { position += 1 }
        guard position > digitsStart, position - start < 400 else { return nil }
        var text: [UInt8] = []
        for index in start..<position { text.append(line[index]) }
        guard let seconds = Double(String(decoding: text, as: UTF8.self)), seconds >= 0, seconds <= 1e10 else {
            return nil
        }
        return RecordingTime(microseconds: Int64((seconds * 1_000_000).rounded()))
    }

    // MARK: - Strings

    /// Returns the text of the string at `position`, with its escapes decoded (RFC 8259 §7), as UTF-8.
    ///
    /// An unpaired surrogate becomes U+FFFD. Returns nil if the string is incomplete, not valid JSON, or not UTF-8.
    private static func string(_ line: Span<UInt8>, _ position: inout Int) -> [UInt8]? {
        guard position < line.count, line[position] == UInt8(ascii: "\"") else { return nil }
        var index = position + 1
        var isWhole = false
        var seen: UInt8 = 0
        let text = [UInt8](capacity: line.count - index) { output in
            while index < line.count {
                let byte = line[index]
                index += 1
                if byte == UInt8(ascii: "\"") {
                    isWhole = true
                    return
                }
                if byte < 0x20 { return }
                if byte == UInt8(ascii: "\\") {
                    guard unescape(line, &index, &output) else { return }
                } else {
                    seen |= byte
                    output.append(byte)
                }
            }
        }
        guard isWhole, seen < 0x80 || (try? UTF8Span(validating: text.span)) != nil else { return nil }
        position = index
        return text
    }

    /// Appends the character that an escape represents; `index` is the position after its backslash.
    private static func unescape(_ line: Span<UInt8>, _ index: inout Int, _ output: inout OutputSpan<UInt8>) -> Bool {
        guard index < line.count else { return false }
        let byte = line[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(byte)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            guard let unit = unit(line, &index) else { return false }
            append(scalar(unit, line, &index), &output)
        default: return false
        }
        return true
    }

    private static func unit(_ line: Span<UInt8>, _ index: inout Int) -> UInt32? {
        guard index + 4 <= line.count else { return nil }
        var unit: UInt32 = 0
        for place in index..<index + 4 {
            let digit: UInt8
            switch line[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = line[place] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = line[place] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = line[place] - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt32(digit)
        }
        index += 4
        return unit
    }

    /// Combines a high surrogate with the low surrogate after it, which is consumed; an unpaired one becomes U+FFFD.
    private static func scalar(_ first: UInt32, _ line: Span<UInt8>, _ index: inout Int) -> UInt32 {
        guard (0xD800...0xDFFF).contains(first) else { return first }
        var after = index + 2
        guard first < 0xDC00, index + 1 < line.count, line[index] == UInt8(ascii: "\\"),
            line[index + 1] == UInt8(ascii: "u"), let second = unit(line, &after), (0xDC00...0xDFFF).contains(second)
        else { return 0xFFFD }
        index = after
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private static func append(_ scalar: UInt32, _ output: inout OutputSpan<UInt8>) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(scalar >> shift & 0x3F) }
        switch scalar {
        case 0..<0x80:
            output.append(UInt8(scalar))
        case 0x80..<0x800:
            output.append(0xC0 | UInt8(scalar >> 6))
            output.append(tail(0))
        case 0x800..<0x10000:
            output.append(0xE0 | UInt8(scalar >> 12))
            output.append(tail(6))
            output.append(tail(0))
        default:
            output.append(0xF0 | UInt8(scalar >> 18))
            output.append(tail(12))
            output.append(tail(6))
            output.append(tail(0))
        }
    }
}
