/// The relevant parts of an ELF file's header and dynamic section (System V ABI, chapters 4 and 5).
///
/// No read is out of bounds, whatever the bytes contain.
package struct ELFImage: Hashable, Sendable {
    /// The machine the file was built for.
    package let machine: Machine
    /// The shared libraries that the file depends on; empty if it has no dynamic section.
    package let libraries: [String]

    /// A type of machine: the number `e_machine`, the class and the byte order.
    package struct Machine: Hashable, Sendable {
        package var number: UInt16
        package var is64Bit: Bool
        package var isLittleEndian: Bool

        package init(number: UInt16, is64Bit: Bool, isLittleEndian: Bool) {
            self.number = number
            self.is64Bit = is64Bit
            self.isLittleEndian = isLittleEndian
        }
    }

    /// Returns nil if the bytes are not an executable ELF file, or are inconsistent.
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]), bytes.count >= 52 else { return nil }
        guard (1...2).contains(bytes[4]), (1...2).contains(bytes[5]) else { return nil }
        let reader = ELFReader(bytes: bytes, is64Bit: bytes[4] == 2, isLittleEndian: bytes[5] == 1)
        // ET_EXEC and ET_DYN; the latter includes position-independent executables.
        guard let type = reader.number(at: 16, bytes: 2), type == 2 || type == 3 else { return nil }
        guard let number = reader.number(at: 18, bytes: 2), let libraries = reader.libraries() else { return nil }
        machine = Machine(
            number: UInt16(truncatingIfNeeded: number),
            is64Bit: reader.is64Bit,
            isLittleEndian: reader.isLittleEndian
        )
        self.libraries = libraries
    }
}

/// Reads numbers and tables at offsets given in the file.
private struct ELFReader {
    let bytes: [UInt8]
    let is64Bit: Bool
    let isLittleEndian: Bool

    private struct Segment {
        var type: UInt64
        var offset: UInt64
        var address: UInt64
        var size: UInt64
    }

    /// An unsigned number of 2, 4 or 8 bytes; nil if it extends beyond the end.
    func number(at offset: UInt64, bytes count: Int) -> UInt64? {
        guard offset <= UInt64(bytes.count), UInt64(bytes.count) - offset >= UInt64(count) else { return nil }
        let part = bytes[Int(offset)..<Int(offset) + count]
        return (isLittleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The names in the DT_NEEDED entries; empty without a dynamic section, nil if a table is missing or out of bounds.
    func libraries() -> [String]? {
        guard let segments = segments() else { return nil }
        guard let dynamic = segments.first(where: { $0.type == 2 }) else { return [] }
        let width: UInt64 = is64Bit ? 8 : 4
        var names: [UInt64] = []
        var table: UInt64?
        var position: UInt64 = 0
        while position + 2 * width <= dynamic.size {
            guard let tag = word(at: dynamic.offset &+ position),
                let value = word(at: dynamic.offset &+ position &+ width)
            else { return nil }
            position += 2 * width
            switch tag {
            case 0: position = dynamic.size
            case 1: names.append(value)
            case 5: table = value
            default: continue
            }
        }
        guard !names.isEmpty else { return [] }
        guard let table, let start = offset(ofAddress: table, in: segments) else { return nil }
        var result: [String] = []
        for name in names {
            guard let text = text(at: start &+ name) else { return nil }
            result.append(text)
        }
        return result
    }

    private func segments() -> [Segment]? {
        guard let table = word(at: is64Bit ? 32 : 28),
            let entryBytes = number(at: is64Bit ? 54 : 42, bytes: 2),
            let count = number(at: is64Bit ? 56 : 44, bytes: 2)
        else { return nil }
        var segments: [Segment] = []
        for index in 0..<count {
            let start = table &+ index * entryBytes
            guard let type = number(at: start, bytes: 4),
                let offset = word(at: start &+ (is64Bit ? 8 : 4)),
                let address = word(at: start &+ (is64Bit ? 16 : 8)),
                let size = word(at: start &+ (is64Bit ? 32 : 16)), size <= UInt64(bytes.count)
            else { return nil }
            segments.append(Segment(type: type, offset: offset, address: address, size: size))
        }
        return segments
    }

    /// The file offset of an address, according to the loadable segments (PT_LOAD).
    private func offset(ofAddress address: UInt64, in segments: [Segment]) -> UInt64? {
        segments.first { $0.type == 1 && address >= $0.address && address - $0.address < $0.size }
            .map { $0.offset &+ (address - $0.address) }
    }

    private func word(at offset: UInt64) -> UInt64? {
        number(at: offset, bytes: is64Bit ? 8 : 4)
    }

    /// The text before the next NUL byte; nil if there is none within 256 bytes.
    private func text(at offset: UInt64) -> String? {
        guard offset < UInt64(bytes.count) else { return nil }
        let rest = bytes[Int(offset)...].prefix(256)
        guard let end = rest.firstIndex(of: 0) else { return nil }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
