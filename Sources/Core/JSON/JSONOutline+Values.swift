/// Reads the values in an outline from the document's bytes.
extension JSONOutline {
    /// The value of the member with this name; nil if there is none or this value is not an object.
    package func member(_ name: String) -> JSONOutline? {
        members?.first { $0.name == name }?.value
    }

    /// The elements of an array; nil for any other value.
    package var elements: [JSONOutline]? {
        guard case .array(let elements) = content else { return nil }
        return elements
    }

    /// The text of a string with its escapes decoded (RFC 8259 §7); nil for any other value.
    ///
    /// An unpaired surrogate becomes U+FFFD.
    package func string(in document: [UInt8]) -> String? {
        utf8(in: document).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text of a string, as `string(in:)`, in UTF-8.
    package func utf8(in document: [UInt8]) -> ArraySlice<UInt8>? {
        guard case .string = content else { return nil }
        let written = range.lowerBound + 1..<range.upperBound - 1
        guard var next = document.firstIndex(of: UInt8(ascii: "\\"), in: written) else { return document[written] }
        var text: [UInt8] = []
        text.reserveCapacity(written.count)
        var start = written.lowerBound
        while true {
            text += document[start..<next]
            var rest = document[next..<written.upperBound].dropFirst()
            guard let escape = rest.popFirst() else { return text[...] }
            switch escape {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0c)
            case UInt8(ascii: "n"): text.append(0x0a)
            case UInt8(ascii: "r"): text.append(0x0d)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                text.append(contentsOf: UTF8.encode(Self.scalar(&rest)) ?? UTF8.encodedReplacementCharacter)
            default: text.append(escape)
            }
            start = rest.startIndex
            let others = start..<written.upperBound
            next = document.firstIndex(of: UInt8(ascii: "\\"), in: others) ?? written.upperBound
        }
    }

    /// The value of a number that has no fraction or exponent and fits the type; nil for any other value.
    package func integer<Number: FixedWidthInteger>(in document: [UInt8]) -> Number? {
        guard case .number = content else { return nil }
        return Number(String(decoding: document[range], as: UTF8.self))
    }

    /// The value of a number; nil for any other value.
    package func number(in document: [UInt8]) -> Double? {
        guard case .number = content else { return nil }
        return Double(String(decoding: document[range], as: UTF8.self))
    }

    /// The value of `true` or `false`; nil for any other value.
    package func bool(in document: [UInt8]) -> Bool? {
        guard case .bool = content else { return nil }
        return document[range.lowerBound] == UInt8(ascii: "t")
    }

    /// Consumes the four digits after `\u` and, for a surrogate pair, the second escape.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        let first = unit(&rest)
        if UTF16.isLeadSurrogate(first), rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            var after = rest.dropFirst(2)
            let second = unit(&after)
            if UTF16.isTrailSurrogate(second) {
                rest = after
                let value = 0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00)
                return Unicode.Scalar(value) ?? "\u{fffd}"
            }
        }
        return Unicode.Scalar(first) ?? "\u{fffd}"
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt16 {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        return digits.reduce(0) { $0 << 4 | UInt16($1.hexadecimalValue ?? 0) }
    }
}
