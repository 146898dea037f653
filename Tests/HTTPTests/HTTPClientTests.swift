import Core
import NIOCore
import NIOPosix
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import HTTP

struct HTTPClientTests {
    private static func request(_ port: UInt16, scheme: String = "http", host: String = "127.0.0.1") throws
        -> HTTPRequest
    {
        HTTPRequest("GET", try HTTPAddress(parsing: "\(scheme)://\(host):\(port)/a?b=c"))
    }

    private static func code(_ body: () async throws -> Void) async -> VTError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? VTError)?.code
        }
    }

    @Test func `an answer that arrives in single bytes`() async throws {
        let bytes = Array("HTTP/1.1 201 Made\r\nX-A: 1\r\ncontent-type: Text/Plain; x=y\r\n\r\nbody".utf8)
        let server = try FaultServer([.receive] + bytes.map { .send([$0]) })
        let answer = try await HTTPClient.forTests.answer(to: try Self.request(server.port), limitBytes: 4)
        #expect(answer.status == 201 && answer.field("x-a") == "1" && answer.mediaType == "text/plain")
        #expect(answer.body == Array("body".utf8))
    }

    @Test func `failures have the code of their cause`() async throws {
        let client = HTTPClient.forTests
        let cases: [([FaultServer.Step], VTError.Code)] = [
            ([.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhe")], .hostUnreachable),
            ([.receive], .hostUnreachable), ([.receive, .send("SSH-2.0-x\r\n")], .protocolViolation),
            ([.receive, .send("HTTP/1.1 200 OK\r\n\r\n12345")], .protocolViolation),
            ([.hold], .timedOut), ([.receive, .send("HTTP/1.1 200 OK\r\n\r\n"), .hold], .timedOut),
        ]
        for (steps, code) in cases {
            let server = try FaultServer(steps)
            let found = await Self.code {
                _ = try await client.answer(
                    to: try Self.request(server.port),
                    limitBytes: 4,
                    timeout: code == .timedOut ? .milliseconds(300) : .patience
                )
            }
            #expect(found == code, "\(steps)")
        }
        let closed = try LoopbackPort.free()
        let found = await Self.code { _ = try await client.answer(to: try Self.request(closed), limitBytes: 4) }
        #expect(found == .hostUnreachable)
    }

    @Test func `a body without end is read at the speed of the reader`() async throws {
        let chunk = "data: \(String(repeating: "x", count: 1000))\n\n"
        let text = "\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n"
        let server = try FaultServer([
            .receive, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .sendForever(String(repeating: text, count: 64)),
        ])
        let total = try await HTTPClient.forTests.withAnswer(to: try Self.request(server.port)) {
            stream throws(VTError) in
            var total = 0
            while total < 64 << 20, let bytes = try await stream.read() {
                total += bytes.count
                let waiting = stream.connection.inbox.withLock { inbox in
                    inbox.parts.reduce(0) { if case .body(let bytes) = $1 { $0 + bytes.count } else { $0 } }
                }
                guard waiting <= 1 << 20 else { throw VTError(.internal, "\(waiting) bytes are waiting") }
            }
            return total
        }
        #expect(total >= 64 << 20)
    }

    @Test func `a long request arrives completely`() async throws {
        let count = 64 << 20
        let server = try FaultServer([.receiveAtLeast(count), .send("HTTP/1.1 200 OK\r\n\r\ndone")])
        var request = try Self.request(server.port)
        request.method = "POST"
        request.body = [StoredBytes([UInt8](repeating: 1, count: count))]
        let answer = try await HTTPClient.forTests.answer(to: request, limitBytes: 4)
        #expect(answer.body == Array("done".utf8))
    }

    @Test func `a body is read as the server takes it`() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let readBytes = Mutex(0)
        var request = try Self.request(UInt16(try #require(server.localAddress?.port)))
        request.method = "POST"
        let body = StoredBytes(count: 256 << 20) { range in
            readBytes.withLock { $0 += range.count }
            return [UInt8](repeating: 1, count: range.count)
        }
        request.body = [body]
        let found = await Self.code { [request] in
            _ = try await HTTPClient.forTests.answer(to: request, limitBytes: 4, timeout: .seconds(3))
        }
        #expect(found == .timedOut)
        #expect(0 < readBytes.withLock(\.self) && readBytes.withLock(\.self) < 64 << 20)
        try await server.close()
    }

    @Test func `a body that cannot be read ends the request`() async throws {
        let server = try FaultServer([.receiveAtLeast(256 << 20)])
        var request = try Self.request(server.port)
        request.method = "POST"
        let body = StoredBytes(count: 256 << 20) { range throws(VTError) in
            guard range.lowerBound < 1 << 20 else { throw VTError(.io, "'a' became shorter while it was read") }
            return [UInt8](repeating: 1, count: range.count)
        }
        request.body = [body]
        let found = await Self.code { [request] in
            _ = try await HTTPClient.forTests.answer(to: request, limitBytes: 4, timeout: .patience)
        }
        #expect(found == .io)
    }

    @Test func `certificates are verified against the given authorities`() async throws {
        let files = try ScratchDirectory()
        let (certificate, key) = (files.path("cert.pem"), files.path("key.pem"))
        let other = files.path("other.pem")
        for (name, alternative) in [("other", "DNS:other.example"), ("cert", "DNS:localhost")] {
            let new = [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            ]
            try await ProgramCall(
                "openssl",
                new + ["-subj", "/CN=\(name)", "-addext", "subjectAltName=\(alternative)"]
                    + ["-keyout", key, "-out", files.path("\(name).pem")]
            ).check()
        }
        let port = try LoopbackPort.free()
        let words = ["s_server", "-quiet", "-www", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key]
        let server = try ProgramCall("openssl", words).start()
        defer { server.kill() }
        #expect(await eventually { LoopbackPort.accepts(port) })
        func code(_ authorities: String?, host: String = "localhost") async -> VTError.Code? {
            await Self.code {
                let request = try Self.request(port, scheme: "https", host: host)
                _ = try await HTTPClient.forTests.trusting(authorities).answer(to: request, limitBytes: 1 << 20)
            }
        }
        #expect(await code(certificate) == nil)
        #expect(await code(nil) == .tlsUntrusted)
        #expect(await code(other) == .tlsUntrusted)
        #expect(await code(certificate, host: "127.0.0.1") == .tlsUntrusted)
        #expect(await code(files.path("missing.pem")) == .config)
        let plain = try FaultServer([.receive, .send("HTTP/1.1 200 OK\r\n\r\n")])
        let found = await Self.code {
            let request = try Self.request(plain.port, scheme: "https", host: "localhost")
            _ = try await HTTPClient.forTests.answer(to: request, limitBytes: 4)
        }
        #expect(found == .protocolViolation)
    }
}
