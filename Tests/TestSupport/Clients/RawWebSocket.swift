import Foundation

/// A client's end of a WebSocket that can break the protocol; used by one task at a time.
package final class RawWebSocket: Sendable {
    package typealias Closed = RawConnection.Closed

    package let connection: RawConnection
    package let answer: RawAnswer

    /// Sends the request for a WebSocket, which the server may refuse.
    package init(
        to port: Int,
        path: String = "/ws",
        protocol name: String? = "vt.1",
        fields: [String] = [],
        host: String? = nil
    ) async throws {
        connection = try RawConnection(to: port)
        let lines =
            [
                "GET \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Upgrade: websocket",
                "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            ] + (name.map { ["Sec-WebSocket-Protocol: \($0)"] } ?? []) + fields
        try connection.send((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        answer = try RawAnswer(head: await connection.read(until: "\r\n\r\n"))
    }

    package var status: Int { answer.status }

    package func send(
        _ opcode: UInt8,
        _ payload: [UInt8] = [],
        isFinal: Bool = true,
        isMasked: Bool = true,
        reserved: UInt8 = 0
    ) throws {
        let mask: [UInt8]? = isMasked ? [0x11, 0x22, 0x33, 0x44] : nil
        try connection.send(
            RawWebSocketFrame.encode(opcode, payload, isFinal: isFinal, mask: mask, reserved: reserved)
        )
    }

    /// Returns the next message, and answers pings; throws `Closed` at the end.
    package func message(within limit: Duration = .seconds(30)) async throws -> (opcode: UInt8, payload: [UInt8]) {
        while true {
            let (opcode, payload) = try await connection.read(within: limit) { RawWebSocketFrame.decode(&$0) }
            switch opcode {
            case 1, 2: return (opcode, payload)
            case 8: throw Closed(code: payload.count < 2 ? 1005 : BigEndian.number(payload.prefix(2)))
            case 9: try send(10, payload)
            default: break
            }
        }
    }

    /// Reads until the server closes the connection, and returns the code.
    package func closing() async throws -> Int {
        do {
            while true { _ = try await message() }
        } catch let error as Closed {
            return error.code
        }
    }
}
