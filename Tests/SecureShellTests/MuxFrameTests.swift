import Core
import NIOCore
import Testing

@testable import SecureShell

struct MuxFrameTests {
    private static let error: VTError = {
        var error = VTError.cancelled
        error.message = "'web': \(error.message)"
        error.hint = "try again"
        error.causes = ["the connection was closed"]
        error.isTransient = true
        error.startStatus = 127
        error.connectErrno = 111
        error.acceptedMethods = ["publickey"]
        error.keyFileHint = "make the file private"
        error.isSolvedByOpenSSH = true
        error.program = .mayBeRunning
        var end = VTError.SessionEnd(.noMatch)
        (end.exitCode, end.signal, end.coreDumped) = (3, "SEGV", true)
        error.sessionEnd = end
        return error
    }()

    private static let requests: [ExecRequest] = {
        var request = ExecRequest(
            .shellLine("true; ls"),
            directory: "/srv",
            environment: ["A=1"].compactMap { try? EnvironmentVariable($0) },
            shell: "/bin/dash",
            terminal: .init(type: "xterm", size: .standard)
        )
        request.offeredEnvironment = ["LANG=C"].compactMap { try? EnvironmentVariable($0) }
        request.announcement = "word"
        request.isKept = true
        return [
            request, ExecRequest(.arguments(["ls", "-l"])), ExecRequest(.loginShell), ExecRequest(.subsystem("sftp")),
        ]
    }()

    private static let steps: [ConnectionStep] = {
        var blob: [UInt8] = []
        blob.appendString(Array("ssh-ed25519".utf8))
        blob.appendString([UInt8](repeating: 7, count: 32))
        let key = HostKey(blob: blob)
        return [
            .resolved(addresses: ["127.0.0.1", "::1"]), .connected(address: nil), .connected(address: "::1"),
            .identified(banner: "SSH-2.0-x"), .keysExchanged(algorithms: ["a", "b"]), .greeted(banner: "hello\n"),
            .authenticated(method: "publickey x"), .retrying(after: error), .refused(variable: "LANG"),
            .shared(processID: -2), .printed(line: "line"),
        ] + (key.map { [.trusted($0, .stored)] } ?? [])
    }()

    static let frames: [MuxFrame] = {
        let hello = MuxHello(
            key: [1, 2, 3],
            secretsDigest: [4],
            connectTimeout: .milliseconds(1500),
            idleTimeout: .seconds(60),
            promptLimit: 3,
            environment: ["A=1", "B=\u{e4}"]
        )
        var prompt = Prompt("password: ", lines: ["first"])
        prompt.echoes = true
        let report = SharedConnection(
            name: "web",
            endpoint: Endpoint(host: "h", port: 2222),
            user: "u",
            processID: 77,
            uses: 2,
            isClosing: true,
            openedAt: Timestamp(seconds: 1_700_000_000),
            idleTimeout: .seconds(5),
            idle: .milliseconds(250)
        )
        let plain: [MuxFrame] = [
            .hello(hello), .secret(nil), .open, .input([]), .input([1, 2]), .inputEnd, .resize(.standard),
            .signal(SignalName("TERM")), .ping, .status, .close, .connecting, .note("text \u{20ac}"),
            .wantsSecret(.passphrase, depth: 1), .wantsSecret(.password, depth: 0), .asks(prompt), .ready(processID: 5),
            .stale, .failed(error), .failed(VTError(.notFound, "x")), .opened, .full, .output([7]),
            .errorOutput([8, 9]), .credit(65_536), .exited(.exited(3)), .exited(.unknown),
            .exited(.signalled(SignalName("KILL"), coreDumped: false)),
            .exited(.signalled(SignalName("SEGV"), coreDumped: true)), .pong, .report(report),
        ]
        let secret = (try? Secret([1, 2, 3])).map { [MuxFrame.secret($0)] } ?? []
        return plain + secret + requests.map { .run($0) } + steps.map { .step(name: "web", $0) }
    }()

    private func decoded(_ bytes: some Collection<UInt8>) throws -> MuxFrame? {
        var buffer = ByteBuffer(bytes: bytes)
        return try buffer.readFrame()
    }

    @Test(arguments: frames.indices)
    func `a frame is read as it was written`(_ index: Int) throws {
        let frame = Self.frames[index]
        #expect(try decoded(frame.encoded) == frame)
        #expect(try decoded(frame.encoded.dropLast()) == nil)
    }

    @Test func `every kind of frame has a format`() {
        let numbers = Set(Self.frames.map { $0.encoded[4] })
        #expect(numbers == Set(1...11).union(64...79))
    }

    @Test(arguments: frames.indices)
    func `a frame with too few or too many bytes is malformed`(_ index: Int) {
        let bytes = Self.frames[index].encoded
        let (kind, payload) = (bytes[4], Array(bytes[5...]))
        switch Self.frames[index] {
        case .input, .output, .errorOutput: return
        // Fields of an error that are missing were not known to the sender.
        case .failed, .step(_, .retrying): break
        default:
            for count in payload.indices { #expect(MuxFrame(kind: kind, payload: Array(payload[..<count])) == nil) }
        }
        for count in payload.indices { _ = MuxFrame(kind: kind, payload: Array(payload[..<count])) }
        #expect(MuxFrame(kind: kind, payload: payload + [0]) == nil)
    }

    @Test func `a request without arguments is malformed`() throws {
        #expect(try decoded(MuxFrame.run(ExecRequest(.arguments(["ls"]))).encoded) != nil)
        #expect(throws: VTError.self) { try decoded(MuxFrame.run(ExecRequest(.arguments([]))).encoded) }
    }

    @Test func `counts and lengths of any size are not trusted`() {
        let huge = [UInt8](repeating: 0xff, count: 64)
        for kind in UInt8.min...UInt8.max { _ = MuxFrame(kind: kind, payload: huge) }
        #expect(MuxFrame(kind: 1, payload: huge) == nil)
    }
}
