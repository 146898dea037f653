import Core

extension Timestamp {
    /// Parses a time in the answers of VibeTunnel servers, to the second: RFC 3339 with any number of fractional digits, and
    /// `Z` or an offset.
    init?(ofServer text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let base = Timestamp(rawValue: String(decoding: bytes[..<19], as: UTF8.self) + "Z")
        else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard let offset = rest.elementsEqual([UInt8(ascii: "Z")]) ? 0 : Self.offset(rest) else { return nil }
        self.init(seconds: base.seconds - offset)
    }

    /// The seconds of an offset such as `+02:00`.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        let digits = text.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map { Int64($0) - 48 }
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
            text.count <= 6
        else { return nil }
        let seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
