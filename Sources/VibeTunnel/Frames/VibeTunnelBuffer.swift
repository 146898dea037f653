/// A binary message on the WebSocket `/buffers` of VibeTunnel's servers until December 2025: a session's snapshot.
package struct VibeTunnelBuffer: Hashable, Sendable {
    package var session: String
    /// An encoded `VibeTunnelSnapshot`.
    package var snapshot: [UInt8]

    private static let magic: UInt8 = 0xBF

    package init(session: String, snapshot: [UInt8]) {
        (self.session, self.snapshot) = (session, snapshot)
    }

    /// Decodes a message; returns nil if it is malformed.
    package init?(message: [UInt8]) {
        var reader = LittleEndianReader(message[...])
        guard message.count <= VibeTunnelFrame.limitBytes, reader.byte() == Self.magic, let session = reader.counted()
        else { return nil }
        self.init(session: String(decoding: session, as: UTF8.self), snapshot: Array(reader.remainder()))
    }

    package var encoded: [UInt8] {
        var bytes = [Self.magic]
        bytes.appendCounted(session.utf8)
        return bytes + snapshot
    }
}
