/// Reads the data types of RFC 4251 §5 from bytes; every read gives nil where there are too few.
struct WireReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool {
        rest.isEmpty
    }

    mutating func byte() -> UInt8? {
        rest.popFirst()
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func uint32() -> UInt32? {
        bytes(4)?.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A string: its length and as many bytes.
    mutating func string() -> ArraySlice<UInt8>? {
        guard let length = uint32() else { return nil }
        return bytes(Int(length))
    }

    mutating func text() -> String? {
        string().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func nameList() -> [String]? {
        text().map { $0.split(separator: ",").map(String.init) }
    }

    /// The bytes up to the next line end, which is taken but not given.
    mutating func line() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

extension [UInt8] {
    /// Adds a number as RFC 4251 §5 writes it.
    mutating func appendUInt32(_ number: UInt32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }

    /// Adds a string: its length and its bytes.
    mutating func appendString(_ bytes: some Collection<UInt8>) {
        appendUInt32(UInt32(bytes.count))
        append(contentsOf: bytes)
    }
}
