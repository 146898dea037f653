/// A frame of VibeTunnel's protocol of version 3, encoded independently of vt.
package struct RawVibeTunnelFrame: Hashable, Sendable {
    package let kind: UInt8
    package let session: String
    package var payload: [UInt8]

    package static func encode(_ kind: UInt8, _ session: String = "", _ payload: [UInt8] = []) -> [UInt8] {
        [0x54, 0x56, 3, kind] + LittleEndian.bytes(session.utf8.count) + Array(session.utf8)
            + LittleEndian.bytes(payload.count) + payload
    }

    /// Nil if the message is no frame.
    package init?(_ message: [UInt8]) {
        guard message.count >= 12, message.starts(with: [0x54, 0x56, 3]) else { return nil }
        let count = LittleEndian.number(message[4..<8])
        guard message.count >= 12 + count,
            message.count == 12 + count + LittleEndian.number(message[8 + count..<12 + count])
        else { return nil }
        (kind, session) = (message[3], String(decoding: message[8..<8 + count], as: UTF8.self))
        payload = Array(message[(12 + count)...])
    }
}

/// Numbers of four bytes with the least significant byte first.
package enum LittleEndian {
    package static func bytes(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    package static func number(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
