/// Reads the data types of RFC 4251 §5, as well as 16-bit numbers and lines; a read returns nil if the data is
/// incomplete or malformed.
package struct WireReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    package var isAtEnd: Bool {
        rest.isEmpty
    }

    package mutating func byte() -> UInt8? {
        rest.popFirst()
    }

    package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    package mutating func bool() -> Bool? {
        byte().map { $0 != 0 }
    }

    package mutating func uint16() -> UInt16? { number() }
    package mutating func uint32() -> UInt32? { number() }
    package mutating func uint64() -> UInt64? { number() }

    mutating func number<Number: FixedWidthInteger>() -> Number? {
        bytes(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// All remaining bytes.
    package mutating func remainder() -> ArraySlice<UInt8> {
        defer { rest = rest.suffix(0) }
        return rest
    }

    /// A string: its length and its bytes.
    package mutating func string() -> ArraySlice<UInt8>? {
        guard let length = uint32() else { return nil }
        return bytes(Int(length))
    }

    package mutating func text() -> String? {
        string().flatMap { String(validating: $0, as: UTF8.self) }
    }

    package mutating func nameList() -> [String]? {
        text().map { $0.split(separator: ",").map(String.init) }
    }

    /// A value that declares its format.
    package mutating func value<Value: WireValue>() -> Value? {
        var wire = WireCoder(reading: self)
        defer { self = wire.reader }
        return try? wire.code(Value?.none)
    }

    /// The bytes up to the next newline, which is consumed but not returned.
    package mutating func line() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

// These methods are inlinable so that they are specialized in the calling modules: unspecialized generic code looks up
// conformances at run time, which is slow.
extension [UInt8] {
    /// Appends a number as in RFC 4251 §5, big-endian.
    @inlinable
    package mutating func appendUInt32(_ number: UInt32) {
        appendBigEndian(number)
    }

    /// Appends a number, big-endian.
    @inlinable
    package mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        var shift = Number.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    /// Appends a string: its length and its bytes.
    @inlinable
    package mutating func appendString(_ bytes: some Collection<UInt8>) {
        appendUInt32(UInt32(bytes.count))
        append(contentsOf: bytes)
    }

    /// A frame: the length of the rest, its kind, and the payload.
    package init(frame kind: UInt8, _ payload: [UInt8]) {
        self = []
        reserveCapacity(5 + payload.count)
        appendUInt32(UInt32(payload.count + 1))
        append(kind)
        self += payload
    }

    package mutating func appendBool(_ value: Bool) {
        append(value ? 1 : 0)
    }
}
