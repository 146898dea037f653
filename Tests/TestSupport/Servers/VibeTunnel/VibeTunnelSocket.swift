import Foundation

/// The server's end of a WebSocket with the frames of the v3 protocol, encoded independently of vt.
final class VibeTunnelSocket: @unchecked Sendable {
    private let connection: LoopbackSocket
    private let lock = NSLock()
    private var isOpen = true
    /// The number of subscriptions to each session, the last of which is in effect.
    private var subscriptions: [String: Int] = [:]
    private var received: ArraySlice<UInt8>
    /// Splits what is sent into pieces of this length.
    private let pieceBytes: Int?

    init(_ connection: LoopbackSocket, key: String, rest: [UInt8], pieceBytes: Int?) {
        (self.connection, received, self.pieceBytes) = (connection, rest[...], pieceBytes)
        let accept = Data(SHA1.digest(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))).base64EncodedString()
        _ = connection.send(
            Array(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
                    .utf8
            )
        )
    }

    var isConnected: Bool { lock.withLock { isOpen } }

    /// Returns the number of a new subscription, which replaces the previous one to this session.
    func addSubscription(to session: String) -> Int {
        lock.withLock {
            subscriptions[session, default: 0] += 1
            return subscriptions[session, default: 0]
        }
    }

    func isCurrent(_ subscription: Int, to session: String) -> Bool {
        lock.withLock { isOpen && subscriptions[session] == subscription }
    }

    func close() {
        lock.withLock { isOpen = false }
        connection.shutdown()
    }

    /// Sends a frame of the protocol in a binary message; returns false if the connection is closed.
    @discardableResult
    func send(_ kind: UInt8, _ session: String, _ payload: [UInt8]) -> Bool {
        message(RawVibeTunnelFrame.encode(kind, session, payload))
    }

    /// Sends a binary message.
    @discardableResult
    func message(_ payload: [UInt8]) -> Bool {
        lock.withLock {
            var rest = RawWebSocketFrame.encode(2, payload)[...]
            while isOpen, !rest.isEmpty {
                let piece = rest.prefix(pieceBytes ?? rest.count)
                isOpen = connection.send(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            return isOpen
        }
    }

    /// The next frame of the protocol; nil at the end.
    func receive() -> RawVibeTunnelFrame? {
        while true {
            if let (opcode, payload) = RawWebSocketFrame.decode(&received) {
                if opcode == 8 { break }
                if opcode == 2, let frame = RawVibeTunnelFrame(payload) { return frame }
            } else if let more = connection.receive() {
                received += more
            } else {
                break
            }
        }
        lock.withLock { isOpen = false }
        return nil
    }
}

/// RFC 3174.
enum SHA1 {
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
        for start in stride(from: 0, to: padded.count, by: 64) {
            var words = (0..<16).map { index in
                padded[start + index * 4..<start + index * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<80 {
                words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for index in 0..<80 {
                let (f, k): (UInt32, UInt32) =
                    switch index {
                    case ..<20: (b & c | ~b & d, 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                (a, b, c, d, e) = (rotate(a, 5) &+ f &+ e &+ k &+ words[index], a, rotate(b, 30), c, d)
            }
            for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
        }
        return state.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
}
