import Core
import TestSupport
import Testing

@testable import HTTP

/// Connections to servers with TLS: those of OpenSSL and of Python.
struct TLSClientTests {
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
    }

    struct Naming: Sendable {
        var host: String
        var alternative: String?
        var subject = "test"
        var isRight: Bool
    }

    @Test(arguments: [
        Naming(host: "a.example", alternative: "DNS:a.example", isRight: true),
        Naming(host: "A.EXAMPLE", alternative: "DNS:b.example,DNS:a.example", isRight: true),
        Naming(host: "a.example.", alternative: "DNS:a.example", isRight: true),
        Naming(host: "a.b.example", alternative: "DNS:*.b.example", isRight: true),
        Naming(host: "a.b.example", alternative: "DNS:*.example", isRight: false),
        Naming(host: "abc.b.example", alternative: "DNS:a*.b.example", isRight: false),
        Naming(host: "b.example", alternative: "DNS:*.b.example", isRight: false),
        Naming(host: "a.example", alternative: "DNS:b.example", subject: "a.example", isRight: false),
        // The subject is not a name, and a name is not the address to which it leads.
        Naming(host: "a.example", alternative: nil, subject: "a.example", isRight: false),
        Naming(host: "a.example", alternative: "IP:127.0.0.1", subject: "a.example", isRight: false),
        Naming(host: "127.0.0.1", alternative: "IP:127.0.0.1", isRight: true),
        Naming(host: "127.0.0.1", alternative: "IP:127.0.0.2", isRight: false),
        Naming(host: "127.0.0.1", alternative: "DNS:127.0.0.1", subject: "127.0.0.1", isRight: false),
        Naming(host: "[::1]", alternative: "IP:::1", isRight: true),
        Naming(host: "[::1]", alternative: "IP:::2", isRight: false),
    ])
    func `a certificate must contain the name or the address of the server`(_ naming: Naming) async throws {
        let pair = try await certificates.make(naming.alternative, subject: naming.subject)
        let server = try await OpenSSLServer(pair, "-quiet", "-www")
        let failure = await HTTPClient.toLoopback.failure(
            from: naming.host,
            server.port,
            trusting: pair.certificate
        )
        #expect(failure?.code == (naming.isRight ? nil : .tlsUntrusted), "\(failure?.causes ?? [])")
    }

    @Test func `a certificate that has expired or is unknown is rejected, with the reason`() async throws {
        let expired = try await certificates.make("DNS:localhost", days: 0)
        let old = try await OpenSSLServer(expired, "-quiet", "-www")
        let first = await HTTPClient.toLoopback.failure(from: "localhost", old.port, trusting: expired.certificate)
        #expect(first?.code == .tlsUntrusted && first?.causes == ["certificate has expired"])
        let pair = try await certificates.make("DNS:localhost")
        let unknown = try await OpenSSLServer(pair, "-quiet", "-www")
        let second = await HTTPClient.toLoopback.failure(from: "localhost", unknown.port, trusting: nil)
        #expect(second?.code == .tlsUntrusted && second?.causes == ["self-signed certificate"])
    }

    @Test(arguments: [("-tls1_1", VTError.Code.protocolViolation), ("-tls1_2", nil), ("-tls1_3", nil)])
    func `TLS 1-1 is refused`(_ version: String, _ code: VTError.Code?) async throws {
        let pair = try await certificates.make("DNS:localhost")
        let server = try await OpenSSLServer(pair, "-quiet", "-www", version, "-cipher", "ALL:@SECLEVEL=0")
        let peer = [
            "s_client", "-connect", "127.0.0.1:\(server.port)", version, "-cipher", "ALL:@SECLEVEL=0", "-brief",
        ]
        try await ProgramCall("openssl", peer).check()
        let failure = await HTTPClient.toLoopback.failure(from: "localhost", server.port, trusting: pair.certificate)
        #expect(failure?.code == code, "\(failure?.causes ?? [])")
    }

    @Test func `the name is sent, an address is not, and the protocol is HTTP-1-1`() async throws {
        let pair = try await certificates.make("DNS:a.example,IP:127.0.0.1")
        let server = try await PythonServer(pair)
        for (host, facts) in [
            ("a.example", "a.example http/1.1 TLSv1.3"), ("127.0.0.1", "None http/1.1 TLSv1.3"),
        ] {
            let answer = try await HTTPClient.toLoopback.answer(
                from: host,
                server.port,
                "/facts",
                trusting: pair.certificate
            )
            #expect(String(decoding: answer.body, as: UTF8.self) == facts)
        }
    }

    @Test func `an answer that may have been cut off is an error`() async throws {
        let pair = try await certificates.make("DNS:localhost")
        let server = try await PythonServer(pair)
        for (path, code) in [("/send/131072", nil), ("/send/131072/cut", VTError.Code.hostUnreachable)] {
            let failure = await HTTPClient.toLoopback.failure(
                from: "localhost",
                server.port,
                path,
                trusting: pair.certificate
            )
            #expect(failure?.code == code)
            #expect(failure == nil || failure?.message.contains("closed the connection before the end") == true)
        }
    }

    @Test func `a connection that ends during the handshake, or a server without TLS, has a reason`() async throws {
        let silent = try FaultServer([.receive])
        let first = await HTTPClient.toLoopback.failure(from: "localhost", silent.port, trusting: nil)
        #expect(first?.code == .protocolViolation)
        #expect(first?.causes == ["the peer closed the connection during the handshake"])
        let plain = try FaultServer([.receive, .send("SSH-2.0-OpenSSH_9.2\r\n"), .hold])
        let second = await HTTPClient.toLoopback.failure(from: "localhost", plain.port, trusting: nil)
        #expect(second?.code == .protocolViolation && second?.causes.isEmpty == false)
    }

    @Test func `much data arrives unchanged in both directions`() async throws {
        let pair = try await certificates.make("DNS:localhost")
        let server = try await PythonServer(pair)
        let client = HTTPClient.toLoopback.trusting(pair.certificate)
        let count = 32 << 20
        let pattern = (0..<1 << 16).map { UInt8(truncatingIfNeeded: $0) }
        let answer = try await client.answer(
            from: "localhost",
            server.port,
            "/send/\(count)",
            trusting: pair.certificate
        )
        let isEqual = answer.body.count == count && answer.body.enumerated().allSatisfy { UInt8($0 & 0xff) == $1 }
        #expect(isEqual)
        var request = HTTPRequest("POST", try HTTPAddress(parsing: "https://localhost:\(server.port)/receive"))
        request.body = (0..<count >> 16).map { _ in StoredBytes(pattern) }
        let digest = try await client.answer(to: request, limitBytes: 64, timeout: .patience)
        let line = "python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(256)) * (\(count) // 256))' | sha256sum"
        let expected = try await ProgramCall("bash", ["-c", line]).check()
        #expect(String(decoding: digest.body, as: UTF8.self) == expected.prefix(64))
    }

    @Test func `a server cannot renegotiate`() async throws {
        let pair = try await certificates.make("DNS:localhost")
        let server = try await OpenSSLServer(pair, "-tls1_2")
        let client = HTTPClient.toLoopback
        async let failure = client.failure(from: "localhost", server.port, trusting: pair.certificate)
        try await server.program.output.read(until: "GET / HTTP/1.1")
        try server.program.input.write("r\n")
        try await server.program.errors.read(until: "no renegotiation")
        server.program.kill()
        let error = await failure
        #expect(error?.code == .protocolViolation, "\(String(describing: error))")
    }
}
