import Core
import CoreTestSupport
import Runtime
@testable import Services
import System
import Terminal
import Testing

struct RelayTests {
    @Test func `sends the rest of the output and the exit status of a session that has ended`() async throws {
        let host = MachineDouble(exit: .exited(3), output: "abcdef")
        let frames = try await Self.frames(of: host, from: 4)
        #expect(frames == [.output(offset: 4, bytes: Array("ef".utf8)), .exit(.exited(3), offset: 6)])
    }

    @Test func `sends the screen of a session that has ended if no offset is given`() async throws {
        let frames = try await Self.frames(of: MachineDouble(exit: .exited(0), output: "text"), from: nil)
        guard case .screen(let offset, let bytes) = frames.first else {
            Issue.record("no screen in \(frames)")
            return
        }
        var terminal = Emulator(size: .standard)
        terminal.feed(bytes)
        #expect(offset == 4 && terminal.screen().rows.first?.text == "text")
        #expect(frames.dropFirst() == [.exit(.exited(0), offset: 4)])
    }

    @Test func `reports discarded output as a gap`() async throws {
        let host = MachineDouble(exit: .exited(0), output: "abcdef", firstOffset: 3)
        let frames = try await Self.frames(of: host, from: 1)
        #expect(
            frames == [
                .gap(from: 1, to: 3), .output(offset: 3, bytes: Array("def".utf8)), .exit(.exited(0), offset: 6),
            ]
        )
    }

    @Test func `sends long output in several frames`() async throws {
        let host = MachineDouble(exit: .exited(0), output: String(repeating: "x", count: 1_000_000))
        let frames = try await Self.frames(of: host, from: 0)
        #expect(frames.count == 5)
        #expect(frames.last == .exit(.exited(0), offset: 1_000_000))
    }

    @Test func `sends the output of a lost session, and reports that the session is lost`() async throws {
        let frames = try await Self.frames(of: MachineDouble(exit: nil, output: "ab"), from: 0)
        #expect(frames.first == .output(offset: 0, bytes: Array("ab".utf8)))
        guard case .failure(let error) = frames.last else {
            Issue.record("no rejection in \(frames)")
            return
        }
        #expect(error.code == .ended)
    }

    @Test func `reads the session's files if the holder exits before the relay connects to it`() async throws {
        let host = MachineDouble(exit: .exited(5), output: "x", isLiveAtFirst: true)
        #expect(try await Self.frames(of: host, from: 1) == [.exit(.exited(5), offset: 1)])
    }

    private static func relay(_ host: some SessionStore) -> RelayService {
        RelayService(SessionFixture.sessions(of: host), home: "/nowhere") { [] }
    }

    @Test func `the relay ends at the end of its input`() async throws {
        let host = MachineDouble(exit: .exited(0), output: "")
        let (input, output) = (BytePipe(), BytePipe())
        input.end()
        try await Self.relay(host).run(input: input, output: output)
    }

    @Test func `an unknown session is reported as not found`() async throws {
        let error = await #expect(throws: VTError.self) {
            _ = try await Self.frames(of: MachineDouble(exit: nil, output: ""), "other", from: nil)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `reports a call that it does not know, and continues with the next one`() async throws {
        let (input, output) = (BytePipe(), BytePipe())
        async let relayed: Void = Self.relay(MachineDouble(exit: .exited(0), output: "")).run(
            input: input,
            output: output
        )
        let hello = SessionFrame.hello(protocolNumber: 1, features: 0, version: "9")
        for json in [#"{"call":"fly"}"#, #"{"call":"show","session":"build","fast":true}"#] {
            try await input.write(hello.encoded + SessionFrame.call(Array(json.utf8)).encoded)
        }
        var decoder = SessionFrameDecoder()
        var codes: [VTError.Code] = []
        while codes.count < 2, let bytes = try await output.read() {
            // The relay writes the marker before its second greeting.
            let marker = RemoteVTCommand.marker
            decoder.append(bytes.starts(with: marker) ? Array(bytes.dropFirst(marker.count)) : bytes)
            while let frame = try decoder.next() {
                if case .failure(let error) = frame { codes.append(error.code) }
            }
        }
        #expect(codes == [.protocolViolation, .protocolViolation])
        input.end()
        try await relayed
    }

    @Test func `does not perform a call whose data is cut off`() async throws {
        let (input, output) = (BytePipe(), BytePipe())
        let host = MachineDouble(exit: .exited(0), output: "")
        let bytes = [UInt8](repeating: 1, count: 200_000)
        let frames = SessionCall(SendRequest(bytes), on: "build").frames
        try await input.write(
            SessionFrame.hello(protocolNumber: 1, features: 0, version: "9").encoded
                + frames.prefix(2).flatMap(\.encoded)
        )
        input.end()
        try await Self.relay(host).run(input: input, output: output)
        output.end()
        var decoder = SessionFrameDecoder()
        while let bytes = try await output.read() { decoder.append(bytes) }
        guard case .hello = try decoder.next() else {
            Issue.record("no greeting")
            return
        }
        #expect(try decoder.next() == nil)
    }

    /// The frames that a client receives through a relay.
    private static func frames(
        of host: MachineDouble,
        _ session: String = "build",
        from offset: UInt64?
    ) async throws -> [SessionFrame] {
        let channel = RelayChannel(to: "web", diagnostics: RecordedNotes())
        async let relayed: Void = relay(host).run(input: channel.outgoing, output: channel.incoming)
        _ = try await channel.begin(SessionCall(ConnectRequest(), on: session), version: "1")
        let connection = try await SessionConnection.open(channel, to: "build", version: "1", clock: ContinuousClock())
        #expect(try await connection.status().name == "build")
        _ = try await connection.attach(
            SessionFrame.Attachment(
                from: offset,
                isReadOnly: false,
                size: nil,
                token: [UInt8](repeating: 7, count: SessionFrame.tokenBytes)
            )
        )
        var frames: [SessionFrame] = []
        while let frame = try await connection.next() {
            frames.append(frame)
            if frames.count > 20 { break }
            if case .exit = frame { break }
            if case .failure = frame { break }
        }
        await channel.close()
        try await relayed
        return frames
    }
}
