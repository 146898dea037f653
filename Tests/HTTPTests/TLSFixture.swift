import Core
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import HTTP

/// Certificates made with openssl(1).
struct Certificates {
    struct Pair {
        let certificate: String
        let key: String
        /// The directory of both, kept as long as they are needed.
        var files: ScratchDirectory?
    }

    let files: ScratchDirectory

    init() throws {
        files = try ScratchDirectory()
    }

    /// Makes a certificate that is its own authority; with `days` of 0, it has expired.
    func make(_ alternative: String?, subject: String = "test", days: Int = 2) async throws -> Pair {
        let name = "\(alternative ?? "none") \(subject) \(days)".map { $0.isLetter || $0.isNumber ? $0 : "_" }
        let request = files.path("\(String(name)).csr")
        let pair = Pair(
            certificate: files.path("\(String(name)).pem"),
            key: files.path("\(String(name)).key"),
            files: files
        )
        let names = alternative.map { ["-addext", "subjectAltName=\($0)"] } ?? []
        try await ProgramCall(
            "openssl",
            ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"] + names
                + ["-subj", "/CN=\(subject)", "-keyout", pair.key, "-out", request]
        ).check()
        try await ProgramCall(
            "openssl",
            ["x509", "-req", "-in", request, "-signkey", pair.key, "-days", "\(days)", "-copy_extensions", "copy"]
                + ["-out", pair.certificate]
        ).check()
        return pair
    }
}

/// A server of OpenSSL.
struct OpenSSLServer {
    let port: UInt16
    let program: RunningProgram

    init(_ pair: Certificates.Pair, _ options: String...) async throws {
        port = try LoopbackPort.free()
        let words = ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", pair.certificate, "-key", pair.key]
        program = try ProgramCall("openssl", words + options).start()
        let port = port
        try #require(await eventually { LoopbackPort.accepts(port) })
    }
}

/// A server of Python's module `ssl`; the path of a request says how it is answered.
struct PythonServer {
    let port: UInt16
    private let program: RunningProgram

    init(_ pair: Certificates.Pair) async throws {
        let words = [TestTree.support("tls_peer.py"), "server", pair.certificate, pair.key]
        program = try ProgramCall("python3", words).start()
        let line = try await program.output.read(until: "\n")
        port = try #require(UInt16(line.dropLast()))
    }
}

extension HTTPClient {
    /// A client for which every name is that of this machine.
    static let toLoopback = HTTPClient(clock: ContinuousClock()) { endpoint throws(VTError) in
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.autoRead, value: false)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(host: "127.0.0.1", port: Int(endpoint.port)).get()
        } catch {
            throw VTError(.hostUnreachable, "\(error)")
        }
    }

    func answer(
        from host: String,
        _ port: UInt16,
        _ path: String = "/",
        trusting certificate: String?
    ) async throws -> HTTPAnswer {
        let request = HTTPRequest("GET", try HTTPAddress(parsing: "https://\(host):\(port)\(path)"))
        return try await trusting(certificate).answer(to: request, limitBytes: 1 << 30, timeout: .patience)
    }

    /// The error of a request, if there is one.
    func failure(from host: String, _ port: UInt16, _ path: String = "/", trusting certificate: String?) async
        -> VTError?
    {
        do {
            _ = try await answer(from: host, port, path, trusting: certificate)
            return nil
        } catch {
            return error as? VTError
        }
    }
}

extension TLSContext {
    /// The context of a server.
    convenience init(_ pair: Certificates.Pair) throws {
        try self.init(.server)
        try useCertificates(in: pair.certificate)
        try useKey(in: pair.key)
    }
}

/// A server of this module whose connections run a handler.
struct TLSServer {
    let channel: any Channel
    var port: UInt16 { UInt16(channel.localAddress?.port ?? 0) }

    init(
        _ pair: Certificates.Pair,
        halfClosure: Bool = false,
        _ handler: @escaping @Sendable () -> any ChannelHandler & Sendable
    ) async throws {
        let context = try TLSContext(pair)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: halfClosure)
            // So that a peer that does not read soon makes the server wait.
            .childChannelOption(.socketOption(.so_sndbuf), value: 64 << 10)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([try context.handler(), handler()])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }
}
