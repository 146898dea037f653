import Core
import HTTP
import Synchronization
import TestSupport
import Testing

struct WebSocketTests {
    private static func open<Result: Sendable>(
        _ server: SocketServer,
        limitBytes: Int = 1 << 20,
        _ body: (WebSocket) async throws(VTError) -> Result
    ) async throws -> Result {
        try await server.client.withSocket(
            at: try server.request(),
            limitBytes: limitBytes,
            timeout: .patience,
            refusal: { VTError(.authDenied, "\($0.status)") },
            body
        )
    }

    private static func certificate(isSecure: Bool) async throws -> Certificates.Pair? {
        isSecure ? try await Certificates().make("IP:127.0.0.1") : nil
    }

    @Test(arguments: [false, true])
    func `messages of both kinds arrive unchanged and in order`(isSecure: Bool) async throws {
        let server = try await SocketServer(try await Self.certificate(isSecure: isSecure)) { socket in
            while let message = try await socket.read() { try await socket.write(message) }
        }
        let messages: [WebSocketMessage] = [
            .text("hé"), .binary([]), .binary([0, 255]), .text(""), .binary([UInt8](repeating: 7, count: 1 << 20)),
        ]
        let received = try await Self.open(server) { socket throws(VTError) in
            var received: [WebSocketMessage] = []
            for message in messages {
                try await socket.write(message)
                if let answer = try await socket.read() { received.append(answer) }
            }
            return received
        }
        #expect(received == messages)
    }

    @Test(arguments: [false, true])
    func `the end of a connection has its code`(isSecure: Bool) async throws {
        let server = try await SocketServer(try await Self.certificate(isSecure: isSecure)) { socket in
            try await socket.write(.text("last"))
        }
        let (last, end, code) = try await Self.open(server) { socket throws(VTError) in
            let last = try await socket.read()
            let end = try await socket.read()
            return (last, end, socket.closeCode)
        }
        #expect((last, end, code) == (.text("last"), nil, 4000))
    }

    @Test func `a refusal has its status`() async throws {
        let server = try await SocketServer { _ in }
        await #expect(throws: VTError(.authDenied, "404")) {
            try await HTTPClient.forTests.withSocket(
                at: try server.request("/other"),
                limitBytes: 9,
                refusal: { VTError(.authDenied, "\($0.status)") }
            ) { _ throws(VTError) in }
        }
    }

    @Test func `a server that is not a WebSocket is a protocol error`() async throws {
        let answer =
            "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n"
        let server = try FaultServer([.receive, .send(answer), .hold])
        let request = HTTPRequest("GET", try HTTPAddress(parsing: "http://127.0.0.1:\(server.port)/"))
        let error = await #expect(throws: VTError.self) {
            try await HTTPClient.forTests.withSocket(
                at: request,
                limitBytes: 9,
                refusal: { VTError(.authDenied, "\($0.status)") }
            ) {
                _ throws(VTError) in
            }
        }
        #expect(error?.code == .protocolViolation)
    }

    @Test func `a message that is too long closes the connection`() async throws {
        let server = try await SocketServer { socket in
            try await socket.write(.binary([UInt8](repeating: 1, count: 101)))
            _ = try await socket.read()
        }
        let (message, code) = try await Self.open(server, limitBytes: 100) { socket throws(VTError) in
            (try await socket.read(), socket.closeCode)
        }
        #expect(message == nil && code == 1009)
    }

    @Test(arguments: [false, true])
    func `a peer that does not read stops the writer`(isSecure: Bool) async throws {
        let written = Counter()
        let server = try await SocketServer(try await Self.certificate(isSecure: isSecure)) { socket in
            while true {
                try await socket.write(.binary([UInt8](repeating: 1, count: 60_000)))
                written.count.withLock { $0 += 1 }
            }
        }
        let (most, next) = try await Self.open(server) { socket throws(VTError) in
            _ = try await socket.read()
            // Until the buffers of the system are full, which can take tens of megabytes (tcp(7), tcp_rmem).
            var most = 0
            for _ in 0..<100 {
                let count = written.count.withLock(\.self)
                if count == most { break }
                most = count
                try await ContinuousClock().pause(for: .milliseconds(300))
            }
            for _ in 0..<most { _ = try await socket.read() }
            // A message can arrive before the writer has counted it.
            while written.count.withLock(\.self) == most { _ = try await socket.read() }
            return (most, written.count.withLock(\.self))
        }
        #expect(most < 3000)
        #expect(next > most)
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }
}
