import Core
import CoreTestSupport
import Recording
@testable import Services
import Testing

@Suite struct RemoteSessionsTests {
    private static let session = """
        {"id":"0123456789ab","name":"build","state":"exited","command":["sh","-c"],"cwd":"/","size":{"columns":90,"rows":20},
        "term":"vt100","tags":["ci"],"environment_names":["A"],"created_at":"2026-11-21T09:30:00Z","exit":{"code":3},
        "output_bytes":14,"first_offset":2,"log_max":99,"host":"far","version":"9.9","from_the_future":true}
        """

    @Test func `creates a session with the profile's settings and unchanged arguments`() async throws {
        let far = FakeRemoteVT(Self.session.dropLast() + ",\"is_new\":false}")
        var profile = Profile(id: "1", name: try ProfileName("p"), host: "h", createdAt: Timestamp(seconds: 0))
        (profile.cwd, profile.environment) = ("/srv", ["A": "a", "B": "b"])
        var order = SessionCreation(name: try SessionName("build"), command: ["make", "-j 8", "--json"])
        order.variables = [try EnvironmentVariable("A=x y")]
        order.tags = ["ci"]
        order.mustSurvive = true
        let (session, isNew) = try await RemoteSessions.asking(far, profile: profile).create(order)
        #expect(session.id.text == "0123456789ab")
        #expect(!isNew)
        let options = [
            "--cwd", "/srv", "--env-stdin", "10", "--size", "80x24", "--term", "xterm-256color",
        ]
        let rest = ["--tag", "ci", "--log-max", "67108864", "--if-exists", "fail", "--require-survive", "build", "--"]
        #expect(far.asked == [["sessions", "create", "--json"] + options + rest + ["make", "-j 8", "--json"]])
        #expect(far.inputs == [Array("B=b\0A=x y\0".utf8)])
    }

    @Test func `reports a remote vt without support for variables, and does not pass them as arguments`() async throws {
        let failure = #"{"error":{"code":"usage","exit":64,"message":"unknown option '--env-stdin'"}}"#
        let far = FakeRemoteVT([.init(errors: failure, status: .exited(64))])
        var order = SessionCreation(name: try SessionName("build"), command: ["true"])
        order.variables = [try EnvironmentVariable("A=secret")]
        let error = await #expect(throws: VTError.self) { try await RemoteSessions.asking(far).create(order) }
        #expect(error?.code == .usage)
        #expect(error?.hint?.contains("vt install") == true)
        #expect(!far.asked.joined().contains { $0.contains("secret") })
    }

    @Test(arguments: [(.zero, ["--rm"]), (.seconds(604_800), ["--keep-for", "7d"])] as [(Duration, [String])])
    func `a session on a server is removed after its end`(keepFor: Duration, words: [String]) async throws {
        let failure = #"{"error":{"code":"usage","exit":64,"message":"unknown option '\#(words[0])'"}}"#
        let far = FakeRemoteVT([
            .init(output: Array("\(Self.session.dropLast()),\"keep_for\":\(keepFor.components.seconds)}".utf8)),
            .init(errors: failure, status: .exited(64)),
        ])
        var order = SessionCreation(name: try SessionName("build"), command: ["true"])
        order.keepFor = keepFor
        #expect(try await RemoteSessions.asking(far).create(order).session.keepFor == keepFor)
        #expect(far.asked[0].joined(separator: " ").contains(words.joined(separator: " ")))
        let error = await #expect(throws: VTError.self) { try await RemoteSessions.asking(far).create(order) }
        #expect(error?.hint == "install a vt that supports \(words[0]): vt install p --force")
    }

    @Test func `parses the known parts of a newer vt's output`() async throws {
        let far = FakeRemoteVT("[\(Self.session)]")
        let listed = try await RemoteSessions.asking(far).sessions(SessionFilter(state: .exited, tags: ["ci"]))
        let session = try #require(listed.first)
        #expect(far.asked == [["sessions", "list", "--json", "--state", "exited", "--tag", "ci"]])
        #expect(session.exit == .exited(3))
        #expect(session.size == TerminalSize(columns: 90, rows: 20))
        #expect([session.outputBytes, session.firstOffset, session.logLimitBytes] == [14, 2, 99])
        #expect(session.environmentNames == ["A"])
    }

    @Test func `sends input with its length`() async throws {
        let far = FakeRemoteVT("{\"offset\":17}")
        #expect(try await RemoteSessions.asking(far).send(SessionInput([1, 2, 3]), to: "build", timeout: nil) == 17)
        #expect(far.asked == [["sessions", "send", "--json", "--stdin-bytes", "3", "--", "build"]])
        #expect(far.inputs == [[1, 2, 3]])
    }

    @Test func `converts operations to command lines`() async throws {
        let far = FakeRemoteVT("[{\"session\":\"b\",\"survivors\":[\"7 cat\"]}]")
        let sessions = RemoteSessions.asking(far)
        #expect(try await sessions.kill("b", signal: SignalName("INT"), grace: .seconds(2)) == ["7 cat"])
        try await sessions.resize("b", to: .standard)
        try await sessions.rename("b", to: SessionName("c"))
        #expect(
            far.asked == [
                ["sessions", "kill", "--json", "--grace", "2s", "--signal", "INT", "--", "b"],
                ["sessions", "resize", "--json", "--", "b", "80x24"], ["sessions", "rename", "--json", "--", "b", "c"],
            ]
        )
    }

    @Test func `output continues at its offset after a lost connection`() async throws {
        let first = SessionFrame.output(offset: 5, bytes: [1, 2]).encoded
        let cut = SessionFrame.output(offset: 7, bytes: [3, 4, 5]).encoded.dropLast(2)
        let rest = SessionFrame.gap(from: 7, to: 9).encoded + SessionFrame.output(offset: 9, bytes: [6]).encoded
        var ended = Session.sample("build", state: .exited)
        ended.exit = .exited(4)
        let far = FakeRemoteVT([
            .init(output: first + cut, isLost: true),
            .init(output: rest + SessionFrame.record(ended.json).encoded),
        ])
        let output = RecordedOutput()
        let sessions = RemoteSessions.asking(far)
        let session = try await sessions.logs(of: "build", from: .lastLines(2), follows: true, receiver: output)
        #expect(output.bytes == [1, 2, 6])
        #expect(output.gaps == [7..<9])
        #expect(session.exit == .exited(4))
        let words = ["sessions", "logs", "--json", "--frames", "--follow"]
        #expect(far.asked == [words + ["--tail", "2", "--", "build"], words + ["--from", "7", "--", "build"]])
    }

    @Test func `the remote vt is stopped when the receiver wants no more output`() async throws {
        let frames = [SessionFrame.output(offset: 0, bytes: [1, 2]), .output(offset: 2, bytes: [3])]
        let far = FakeRemoteVT([
            .init(output: frames.flatMap(\.encoded), isSilent: true),
            .init(output: Array(Self.session.utf8)),
        ])
        let received = RecordedOutput(wants: 2)
        let session = try await RemoteSessions.asking(far)
            .logs(of: "build", from: .offset(0), follows: true, receiver: received)
        #expect(received.bytes == [1, 2])
        #expect(session.name == "build")
        #expect(far.asked.map { $0[1] } == ["logs", "show"])
    }

    @Test func `waits again from the same offset after a lost connection`() async throws {
        let found = """
            {"id":"0123456789ab","name":"build","state":"running","offset":21,"match":"ok","line":"all ok","elapsed_ms":7}
            """
        let session = FakeRemoteVT.Answer(output: Array(Self.session.utf8))
        let far = FakeRemoteVT([session, .init(isLost: true), session, .init(output: Array(found.utf8))])
        let condition = WaitCondition.match(try LinePattern("o."), text: "o.")
        let outcome = try await RemoteSessions.asking(far).wait(for: condition, of: "build", from: 12, timeout: nil)
        #expect(outcome.offset == 21)
        #expect(outcome.line == "all ok")
        let words = ["sessions", "wait", "--json", "--until-eof", "--match", "o.", "--from", "12", "--", "build"]
        let show = ["sessions", "show", "--json", "--", "build"]
        #expect(far.asked == [show, words, show, words])
    }

    @Test func `resumes a recording after lost connections`() async throws {
        let lines = (1...20_000).map { "line \($0)\n" }.joined()
        let whole = Array(lines.utf8)
        let far = FakeRemoteVT([
            .init(output: Array(whole[..<70_001]), isLost: true),
            .init(output: Array(whole[..<100_003]), isLost: true),
            .init(output: Array(whole[..<150_000]), isLost: true),
            .init(output: whole),
        ])
        let sink = MemorySink()
        try await RemoteSessions.asking(far).record("build", RecordRequest(), to: sink)
        #expect(sink.bytes == whole)
        #expect(far.asked.count == 4)
        #expect(Set(far.asked).count == 1)
    }

    @Test func `stops reconnecting to a server that stays unreachable`() async throws {
        let far = FakeRemoteVT([], connectionLimit: 1)
        let error = await #expect(throws: VTError.self) {
            // The loss of the first connection restarts the count of attempts; failed attempts do not.
            try await RemoteSessions.asking(far, clock: InstantClock()).reconnecting(
                goodAfter: .zero,
                progress: { nil }
            ) { _ async throws(VTError) -> Void in
                throw VTError(.hostUnreachable, "lost")
            }
        }
        #expect(error?.message == "lost the connection to 'p', and 10 attempts to reconnect failed")
        #expect(error?.causes == ["no route"])
        #expect(far.connectAttempts == 11)
    }

    @Test func `does not resume a recording whose beginning differs`() async throws {
        let lines = (1...2_000).map { "line \($0)\n" }.joined()
        let other = (7...2_000).map { "line \($0)\n" }.joined()
        let far = FakeRemoteVT([
            .init(output: Array(lines.utf8), isLost: true), .init(output: Array(other.utf8)),
        ])
        let sink = MemorySink()
        let error = await #expect(throws: VTError.self) {
            try await RemoteSessions.asking(far).record("build", RecordRequest(), to: sink)
        }
        #expect(error?.code == .dataInvalid)
        #expect(sink.bytes == Array(lines.utf8))
    }

    @Test func `a remote vt that never replies times out, and the error names the profile`() async throws {
        let asked: [(RemoteSessions) async throws -> Void] = [
            { _ = try await $0.session("b") },
            { _ = try await $0.kill("b", signal: nil, grace: .seconds(3)) },
            { _ = try await $0.send(SessionInput([1]), to: "b", timeout: nil) },
            { try await $0.resize("b", to: .standard) },
            { _ = try await $0.sessions(SessionFilter()) },
            { _ = try await $0.logs(of: "b", from: .offset(0), follows: false, receiver: RecordedOutput()) },
            { try await $0.record("b", RecordRequest(), to: MemorySink()) },
            { _ = try await $0.wait(for: .exit, of: "b", from: nil, timeout: nil) },
        ]
        for ask in asked {
            let sessions = RemoteSessions.asking(FakeRemoteVT([.init(isSilent: true)]), clock: InstantClock())
            let error = await #expect(throws: VTError.self) { try await ask(sessions) }
            #expect(error?.code == .protocolViolation)
            #expect(error?.message.contains("vt on 'p' did not answer") == true)
        }
    }

    @Test(arguments: ["", "nonsense", "[]", "{\"offset\":\"x\"}"])
    func `a malformed reply is a protocol violation`(answer: String) async throws {
        let error = await #expect(throws: VTError.self) {
            try await RemoteSessions.asking(FakeRemoteVT(answer)).send(SessionInput([1]), to: "build", timeout: nil)
        }
        #expect(error?.code == .protocolViolation)
    }
}

/// A clock on which all waits end immediately.
private struct InstantClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
