import Core
import CoreTestSupport
import Testing

@testable import Services

/// Replies that no honest server sends.
@Suite struct HostileServerTests {
    private static let version: [UInt8] = [0, 0, 0, 5, 2, 0, 0, 0, 3]

    /// A packet with its length.
    private static func packet(_ type: UInt8, _ fields: [UInt8]) -> [UInt8] {
        var packet: [UInt8] = []
        packet.appendUInt32(UInt32(fields.count + 1))
        return packet + [type] + fields
    }

    /// A reply to request 0.
    private static func reply(_ type: UInt8, _ fields: [UInt8]) -> [UInt8] {
        packet(type, [0, 0, 0, 0] + fields)
    }

    /// A list of a single name with no attributes.
    private static func name(_ name: [UInt8], count: UInt32 = 1) -> [UInt8] {
        var fields: [UInt8] = []
        fields.appendUInt32(count)
        fields.appendString(name)
        fields.appendString([])
        fields.appendUInt32(0)
        return fields
    }

    /// The packets of a server that does not follow the protocol.
    static let violations: [[UInt8]] = [
        packet(2, [0, 0, 0, 6]),
        packet(101, [0, 0, 0, 0]),
        [0xff, 0xff, 0xff, 0xff, 2],
        [0, 0, 0, 0, 2],
        Array("Welcome to this server!\n".utf8),
        version + [0, 0x20, 0, 0, 105],
        version + packet(105, [0, 0, 0, 9]),
        version + packet(101, [0, 0, 0, 9, 0, 0, 0, 0]),
        version + reply(105, [0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]),
        version + reply(105, [0, 0, 0, 1, 0]),
        version + reply(103, [0xff, 0xff, 0xff, 0xff, 1]),
        version + reply(99, []),
        version + reply(102, [0, 0, 1, 1] + [UInt8](repeating: 1, count: 257)),
        version + reply(104, name([0x61], count: 0xffff_ffff)),
        version + reply(103, [0, 0, 0, 1, 0x61]),
    ]

    @Test func `text before the first packet is reported`() async throws {
        let client = SFTPClient(name: "web")
        let error = try await failure { try await client.write(Array("Welcome to web!\nToday".utf8)) }
        #expect(error.code == .protocolViolation)
        #expect(error.message == "'web' sent 'Welcome to web!' instead of starting SFTP")
        let binary = try await failure { try await SFTPClient(name: "web").write([0xff, 0xff, 0xff, 0xff, 2]) }
        #expect(binary.message == "'web' sent an SFTP packet of 4294967295 bytes")
    }

    @Test(arguments: violations)
    func `a violation of the protocol fails the request`(_ bytes: [UInt8]) async throws {
        let client = SFTPClient(name: "test")
        async let request = failure {
            _ = try await SFTPFileSystem(client).attributes(of: "a", followsLinks: true)
        }
        try await sent(by: client)
        // Byte by byte, because packets are not aligned with the data of a channel.
        for byte in bytes {
            do { try await client.write([byte]) } catch { break }
        }
        #expect(try await request.code == .protocolViolation)
    }

    @Test func `a violation that follows a reply in the same bytes fails the other requests, not that one`()
        async throws
    {
        let client = SFTPClient(name: "test")
        async let first = SFTPFileSystem(client).attributes(of: "a", followsLinks: true)
        try await sent(by: client)
        async let second = failure { _ = try await SFTPFileSystem(client).attributes(of: "b", followsLinks: true) }
        try await sent(by: client)
        let missing: [UInt8] = [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]
        let bytes = Self.version + Self.reply(101, missing) + [0xff, 0xff, 0xff, 0xff]
        #expect(try await failure { try await client.write(bytes) }.code == .protocolViolation)
        #expect(try await first == nil)
        #expect(try await second.code == .protocolViolation)
    }

    @Test(arguments: ["..x/y", "/etc/passwd", "a/../b", "", "a\0b"])
    func `a listed name that is not the name of an entry is rejected`(_ name: String) async throws {
        let client = SFTPClient(name: "test")
        async let request = failure {
            _ = try await SFTPFileSystem(client).list("d").next()
        }
        try await sent(by: client)
        try await client.write(Self.version + Self.reply(102, [0, 0, 0, 1, 0x68]))
        try await sent(by: client)
        var reply = Self.reply(104, Self.name(Array(name.utf8)))
        reply[8] = 1
        try await client.write(reply)
        #expect(try await request.code == .protocolViolation)
    }

    @Test func `requests fail when the server ends`() async throws {
        let client = SFTPClient(name: "test")
        async let request = failure {
            _ = try await SFTPFileSystem(client).attributes(of: "a", followsLinks: true)
        }
        try await sent(by: client)
        client.end(VTError(.hostUnreachable, "lost"))
        #expect(try await request.code == .hostUnreachable)
        let later = try await failure { _ = try await SFTPFileSystem(client).linkTarget(of: "a") }
        #expect(later.code == .hostUnreachable)
        #expect(try await client.read() == nil)
    }

    @Test func `a canceled request does not wait for a server that hangs`() async throws {
        let client = SFTPClient(name: "test")
        let request = Task { try await failure { _ = try await SFTPFileSystem(client).linkTarget(of: "a") } }
        try await sent(by: client)
        request.cancel()
        #expect(try await request.value == .cancelled)
        // The late reply is not a violation.
        try await client.write(Self.version + Self.reply(101, [0, 0, 0, 4]))
    }

    /// Waits until the client has sent a request; its first packet may precede the request.
    private func sent(by client: SFTPClient) async throws {
        var bytes = try #require(try await client.read())
        if bytes.count == 9, bytes[4] == 1 { bytes = try #require(try await client.read()) }
        #expect(!bytes.isEmpty)
    }
}
