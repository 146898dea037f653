/// Reads little-endian numbers and counted bytes; a read returns nil if the data is incomplete.
struct LittleEndianReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func byte() -> UInt8? {
        rest.popFirst()
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func uint16() -> UInt16? {
        bytes(2)?.reversed().reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func uint32() -> UInt32? {
        bytes(4)?.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Bytes preceded by their number.
    mutating func counted() -> ArraySlice<UInt8>? {
        guard let count = uint32() else { return nil }
        return bytes(Int(count))
    }
}

extension [UInt8] {
    mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends bytes preceded by their number.
    mutating func appendCounted(_ bytes: some Collection<UInt8>) {
        appendLittleEndian(UInt32(bytes.count))
        append(contentsOf: bytes)
    }
}
