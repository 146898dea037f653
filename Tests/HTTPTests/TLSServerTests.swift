import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import HTTP

/// Connections of clients with TLS: those of OpenSSL and of Python.
struct TLSServerTests {
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
    }

    private static func client(_ server: TLSServer, _ options: String...) -> ProgramCall {
        ProgramCall("openssl", ["s_client", "-connect", "127.0.0.1:\(server.port)"] + options)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `much data arrives unchanged and in order in both directions at once`(_ version: String) async throws {
        let count = 32 << 20
        let server = try await TLSServer(try await certificates.make("IP:127.0.0.1")) { Echo(count: count) }
        let data = "openssl enc -aes-128-ctr -pass pass:x -nosalt -pbkdf2 </dev/zero 2>/dev/null | head -c \(count)"
        let client = "openssl s_client -quiet \(version) -connect 127.0.0.1:\(server.port) 2>/dev/null"
        let line = "test \"$(\(data) | sha256sum)\" = \"$(\(data) | \(client) | sha256sum)\""
        let result = try await ProgramCall("bash", ["-c", line]).run()
        #expect(result.status == .exited(0))
    }

    @Test func `a peer that does not read stops the encryption, and keeps the write waiting`() async throws {
        let writer = Writer(count: 64 << 20)
        let server = try await TLSServer(try await certificates.make("IP:127.0.0.1")) { writer }
        let peer = try Self.client(server, "-quiet").start()
        let channel = try await writer.channel()
        // Until the buffers of the system are full.
        #expect(await eventually { !channel.isWritable })
        try await channel.eventLoop.submit {}.get()
        #expect(try await channel.getOption(.bufferedWritableBytes).get() < 256 << 10)
        #expect(!writer.isWritten)
        #expect(await peer.output.read(atLeast: 64 << 20).count == 64 << 20)
        #expect(await eventually { writer.isWritten })
    }

    @Test func `a peer that has ended its direction is still answered`() async throws {
        let pair = try await certificates.make("IP:127.0.0.1")
        let server = try await TLSServer(pair, halfClosure: true) { AnswerAtEnd() }
        let words = [TestTree.support("tls_peer.py"), "half-close", "\(server.port)", pair.certificate]
        #expect(try await ProgramCall("python3", words).check() == "question answered\nend\n")
    }

    @Test func `keys are renewed, a renegotiation is refused`() async throws {
        let server = try await TLSServer(try await certificates.make("IP:127.0.0.1")) { Echo() }
        let renewing = try Self.client(server, "-tls1_3").start()
        try renewing.input.write("K\n")
        try await renewing.errors.read(until: "KEYUPDATE")
        try renewing.input.write("after\n")
        try await renewing.output.read(until: "after\n")
        let renegotiating = try Self.client(server, "-tls1_2").start()
        try renegotiating.input.write("R\n")
        try await renegotiating.errors.read(until: "no renegotiation")
    }

    @Test func `a peer that requests new keys without reading the answers is disconnected`() async throws {
        let program = certificates.files.path("key_updates")
        let words = [TestTree.support("key_updates.c"), "-o", program, "-lssl", "-lcrypto"]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        try await ProgramCall("clang", words, environment: ["PATH": path]).check()
        let server = try await TLSServer(try await certificates.make("IP:127.0.0.1")) { Echo() }
        #expect(try await ProgramCall(program, ["\(server.port)"]).run().status == .exited(0))
    }

    @Test func `certificates that lead to that of the server are sent`() async throws {
        let files = certificates.files
        let script = """
            new() { openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=$1 \
                -keyout $1.key -out $1.csr -addext "${@:2}"; }
            sign() { openssl x509 -req -days 2 -copy_extensions copy -in $1.csr -out $1.pem "${@:2}"; }
            new root basicConstraints=critical,CA:TRUE && sign root -signkey root.key
            new middle basicConstraints=critical,CA:TRUE && sign middle -CA root.pem -CAkey root.key
            new leaf subjectAltName=IP:127.0.0.1 && sign leaf -CA middle.pem -CAkey middle.key
            cat leaf.pem middle.pem >chain.pem
            """
        var call = ProgramCall("bash", ["-ec", script])
        call.directory = files.path
        try await call.check()
        let pair = Certificates.Pair(certificate: files.path("chain.pem"), key: files.path("leaf.key"))
        let server = try await TLSServer(pair) { Echo() }
        for (authority, status) in [("root", ProgramStatus.exited(0)), ("leaf", .exited(1))] {
            let options = [
                "-CAfile", files.path("\(authority).pem"), "-verify_return_error", "-verify_ip", "127.0.0.1",
            ]
            let words = ["s_client", "-brief", "-connect", "127.0.0.1:\(server.port)"] + options
            #expect(try await ProgramCall("openssl", words).run().status == status)
        }
    }

    @Test func `versions, ciphers without forward secrecy, and expensive groups are refused`() async throws {
        let server = try await TLSServer(try await certificates.make("IP:127.0.0.1")) { Echo() }
        for options in [
            ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"],
            ["-groups", "ffdhe2048"],
        ] {
            let words = ["s_client", "-brief", "-connect", "127.0.0.1:\(server.port)"] + options
            #expect(try await ProgramCall("openssl", words).run().status == .exited(1))
        }
        #expect(try await Self.client(server, "-brief").run().status == .exited(0))
    }
}

/// Sends back what arrives, and closes the connection after `count` bytes; used only on the event loop of its channel.
private final class Echo: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var rest: Int

    init(count: Int = .max) {
        rest = count
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        rest -= unwrapInboundIn(data).readableBytes
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        if rest == 0 { written.futureResult.whenComplete { _ in channel.close(promise: nil) } }
        context.write(data, promise: written)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }
}

/// Sends back what has arrived, once the peer has ended its direction; then ends the other.
///
/// Used only on the event loop of its channel.
private final class AnswerAtEnd: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var received = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else { return }
        received.writeString(" answered")
        context.writeAndFlush(wrapOutboundOut(received), promise: nil)
        context.close(mode: .output, promise: nil)
    }
}

/// Writes zeros in one piece when the connection is open.
private final class Writer: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let count: Int
    private let state = Mutex<(channel: (any Channel)?, isWritten: Bool)>((nil, false))

    init(count: Int) {
        self.count = count
    }

    var isWritten: Bool { state.withLock(\.isWritten) }

    func channel() async throws -> any Channel {
        var channel: (any Channel)?
        let isActive = await eventually {
            channel = state.withLock(\.channel)
            return channel != nil
        }
        try #require(isActive)
        return try #require(channel)
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        state.withLock { $0.channel = channel }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(repeating: 0, count: count))).whenSuccess {
            self.state.withLock { $0.isWritten = true }
        }
    }
}
