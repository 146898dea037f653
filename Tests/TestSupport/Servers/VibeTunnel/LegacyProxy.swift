import Foundation

/// A proxy of a VibeTunnel server that hides the WebSocket, which servers have since version 3.
package final class LegacyProxy: Sendable {
    private let listener: Listener

    package init(to server: Int) throws {
        listener = try Listener { client in
            var bytes: [UInt8] = []
            while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
                guard let more = client.receive() else { return }
                bytes += more
            }
            if bytes.starts(with: "GET /ws".utf8) {
                _ = client.send(
                    Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
                )
                return
            }
            guard let name = bytes.firstRange(of: Array("Host: ".utf8)), let connection = try? LoopbackSocket(),
                (try? connection.connect(port: UInt16(server))) != nil
            else { return }
            let end = bytes[name.upperBound...].firstIndex(of: 13) ?? bytes.endIndex
            bytes.replaceSubrange(name.upperBound..<end, with: "127.0.0.1:\(server)".utf8)
            _ = connection.send(bytes)
            Thread {
                while let bytes = client.receive(), connection.send(bytes) {}
                connection.shutdown()
            }.start()
            while let bytes = connection.receive(), client.send(bytes) {}
            connection.shutdown()
        }
    }

    package var port: Int { Int(listener.port) }
}
