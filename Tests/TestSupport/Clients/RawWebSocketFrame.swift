/// Frames of WebSockets (RFC 6455 §5.2), encoded independently of vt.
package enum RawWebSocketFrame {
    package static func encode(
        _ opcode: UInt8,
        _ payload: [UInt8] = [],
        isFinal: Bool = true,
        mask: [UInt8]? = nil,
        reserved: UInt8 = 0
    ) -> [UInt8] {
        let flag: UInt8 = mask == nil ? 0 : 0x80
        var frame = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        switch payload.count {
        case ..<126: frame.append(flag | UInt8(payload.count))
        case ..<65536: frame += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: frame += [flag | 127] + BigEndian.bytes(payload.count, 8)
        }
        guard let mask else { return frame + payload }
        return frame + mask + payload.indices.map { payload[$0] ^ mask[$0 & 3] }
    }

    /// Removes a frame from the start of the bytes; nil if it is not complete.
    static func decode(_ bytes: inout ArraySlice<UInt8>) -> (opcode: UInt8, payload: [UInt8])? {
        guard bytes.count >= 2 else { return nil }
        let (opcode, flags) = (bytes[bytes.startIndex] & 0x0F, bytes[bytes.startIndex + 1])
        var rest = bytes.dropFirst(2)
        var count = Int(flags & 0x7F)
        let lengthBytes = count < 126 ? 0 : count == 126 ? 2 : 8
        if lengthBytes > 0 { count = BigEndian.number(rest.prefix(lengthBytes)) }
        rest = rest.dropFirst(lengthBytes)
        let mask = Array(rest.prefix(flags & 0x80 == 0 ? 0 : 4))
        rest = rest.dropFirst(mask.count)
        guard bytes.count >= 2 + lengthBytes + (flags & 0x80 == 0 ? 0 : 4) + count else { return nil }
        var payload = Array(rest.prefix(count))
        if !mask.isEmpty { for index in payload.indices { payload[index] ^= mask[index & 3] } }
        bytes = rest.dropFirst(count)
        return (opcode, payload)
    }
}

/// Numbers with the most significant byte first.
package enum BigEndian {
    package static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    package static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
