import Core
import CoreTestSupport
import Recording
@testable import Services
import Testing

@Suite struct RemoteSessionsTests {
    private static let session = Session.sample("build")

    @Test func `creates a session with the profile's settings and unchanged arguments`() async throws {
        let far = FakeRelay([.init([.record(Self.session), .result(Array(#"{"is_existing":true}"#.utf8))])])
        var profile = Profile(id: "1", name: try ProfileName("p"), host: "h", createdAt: Timestamp(seconds: 0))
        (profile.cwd, profile.environment) = ("/srv", ["A": "a", "B": "b"])
        var order = SessionCreation(name: try SessionName("build"), command: ["make", "-j 8", "", "--json"])
        order.variables = [try EnvironmentVariable("A=x y")]
        order.tags = ["ci"]
        order.mustSurvive = true
        let (session, isNew) = try await SessionClient.of(far, profile: profile).call(order)
        #expect(session == Self.session)
        #expect(!isNew)
        guard let creation = far.calls.first?.verb as? SessionCreation else {
            Issue.record("no session was created")
            return
        }
        #expect(creation.command == order.command)
        #expect(creation.directory == "/srv")
        #expect(creation.variables.map { "\($0.name)=\($0.value)" } == ["B=b", "A=x y"])
        #expect(creation.tags == ["ci"])
        #expect(creation.mustSurvive)
        // The command and the variables, which may be secret, are data.
        #expect(!far.json[0].contains("x y"))
    }

    @Test func `an old vt on the server is reported, with a hint`() async throws {
        let error = await #expect(throws: VTError.self) { try await SessionClient.of(FakeRelay([.old()])).session("b") }
        #expect(error?.code == .protocolViolation)
        #expect(error?.hint == "to install this version, use 'vt install p --force'")
    }

    @Test func `a call that the vt on the server does not know is reported, with a hint`() async throws {
        let told = VTError(.protocolViolation, "this version of vt does not support the call")
        let error = await #expect(throws: VTError.self) {
            try await SessionClient.of(FakeRelay([.init(end: .failure(told))])).session("b")
        }
        #expect(error?.message == "p: this version of vt does not support the call")
        #expect(error?.hint == "to install this version, use 'vt install p --force'")
    }

    @Test func `an error of a call keeps its code, its hint and its causes`() async throws {
        var told = VTError(.negative, "'b' has ended", hint: "for details, use 'vt sessions show b'", causes: ["x"])
        told.sessionEnd = .init(.noMatch, exit: .exited(3))
        let far = FakeRelay([.init([.note("a note", isDetail: false)], end: .failure(told))])
        let notes = RecordedNotes()
        let error = await #expect(throws: VTError.self) { try await SessionClient.of(far, notes: notes).session("b") }
        told.message = "p: 'b' has ended"
        told.hint = "for details, use 'vt sessions show p:b'"
        #expect(error == told)
        #expect(notes.all == ["p: a note"])
    }

    @Test func `sends input of any length`() async throws {
        let far = FakeRelay([.init([.accepted(sequence: 0, offset: 17)])])
        let input = [UInt8](repeating: 7, count: 5_000_000)
        #expect(try await SessionClient.of(far).call(SendRequest(input), on: "build").offset == 17)
        guard let call = far.calls.first, call.session == "build", let sent = call.verb as? SendRequest,
            sent.input == input, !sent.waits, sent.timeout == nil, sent.id == nil
        else {
            Issue.record("no input was sent")
            return
        }
    }

    @Test func `output continues at its offset after a lost connection`() async throws {
        let cut = SessionFrame.output(offset: 7, bytes: [3, 4, 5]).encoded.dropLast(2)
        var ended = Self.session
        ended.exit = .exited(4)
        let far = FakeRelay([
            .lost(after: [.output(offset: 5, bytes: [1, 2])], and: Array(cut)),
            .init([.gap(from: 7, to: 9), .output(offset: 9, bytes: [6]), .record(ended)]),
        ])
        let output = RecordedOutput()
        let session = try await SessionClient.of(far)
            .logs(of: "build", from: .lastLines(2), follows: true, receiver: output)
        #expect(output.bytes == [1, 2, 6])
        #expect(output.gaps == [7..<9])
        #expect(session.exit == .exited(4))
        let call = #"{"call":"logs","follow":true,"#
        #expect(far.json == [call + #""tail":2,"session":"build"}"#, call + #""from":7,"session":"build"}"#])
    }

    @Test func `a relay that was killed before the call is replaced`() async throws {
        let far = FakeRelay([.killed(), .killed(), .init([.accepted(sequence: 0, offset: 17)])])
        let result = try await SessionClient.of(far).call(SendRequest([7]), on: "build")
        #expect(result.offset == 17)
        #expect(far.calls.count == 3)
    }

    @Test func `relays that are always killed fail the call`() async throws {
        let far = FakeRelay([.killed()])
        await #expect(throws: VTError.self) {
            try await SessionClient.of(far).call(SendRequest([7]), on: "build")
        }
        #expect(far.calls.count == 8)
    }

    @Test func `a relay that is killed during the call is not replaced`() async throws {
        var answer = FakeRelay.Answer(end: nil)
        answer.status = .signalled(SignalName("KILL"), coreDumped: false)
        let far = FakeRelay([answer, .init([.accepted(sequence: 0, offset: 17)])])
        await #expect(throws: VTError.self) {
            try await SessionClient.of(far).call(SendRequest([7]), on: "build")
        }
        #expect(far.calls.count == 1)
    }

    @Test func `the remote vt is stopped when the receiver wants no more output`() async throws {
        let frames = [SessionFrame.output(offset: 0, bytes: [1, 2]), .output(offset: 2, bytes: [3])]
        let far = FakeRelay([.silent(after: frames, greets: true), .init([.record(Self.session)])])
        let received = RecordedOutput(wants: 2)
        let session = try await SessionClient.of(far)
            .logs(of: "build", from: .offset(0), follows: true, receiver: received)
        #expect(received.bytes == [1, 2])
        #expect(session.name == "build")
        #expect(far.json[1] == #"{"call":"show","session":"build"}"#)
    }

    @Test(arguments: [UInt64?.none, 12])
    func `waits again from the same offset after a lost connection`(offset: UInt64?) async throws {
        let found = Array(#"{"offset":21,"match":"ok","line":"all ok"}"#.utf8)
        let far = FakeRelay([
            .lost(after: [.accepted(sequence: 0, offset: offset ?? 14)]),
            .init([.record(Self.session), .result(found)]),
        ])
        let condition = WaitCondition.match(try LinePattern("o."), text: "o.")
        let outcome = try await SessionClient.of(far).wait(WaitRequest([condition], from: offset), of: "build")
        #expect(outcome.offset == 21)
        #expect(outcome.line == "all ok")
        let rest = #","match":"o.","session":"build"}"#
        let first = offset.map { ",\"from\":\($0)" } ?? ""
        let call = #"{"call":"wait""#
        #expect(far.json == [call + first + rest, call + ",\"from\":\(offset ?? 14)" + rest])
    }

    @Test func `after a lost connection, a line has only the rest of its time`() async throws {
        let ended = Array(#"{"outcome":"exit","exit":0}"#.utf8)
        let far = FakeRelay([.lost(after: [.accepted(sequence: 0, offset: 3)]), .init([.result(ended)])])
        var request = LineExecution(Array("make".utf8))
        (request.timeout, request.patience) = (.seconds(100), .seconds(50))
        let outcome = try await SessionClient.of(far).call(request, on: "build", receiver: RecordedOutput())
        #expect(outcome.exit == .exited(0))
        let calls = try far.json.map { try SessionCall(Array($0.utf8), data: []) }
        guard let first = calls.first?.verb as? LineExecution, let second = calls.last?.verb as? LineExecution
        else {
            Issue.record("not executed")
            return
        }
        #expect(first.timeout == .seconds(100) && !first.isRepeated)
        #expect(second.timeout ?? .zero < .seconds(100) && second.patience ?? .zero < .seconds(50) && second.isRepeated)
    }

    @Test func `resumes a recording after lost connections`() async throws {
        let whole = Array((1...20_000).map { "line \($0)\n" }.joined().utf8)
        let far = FakeRelay([
            .lost(after: [.data(Array(whole[..<70_001]))]),
            .lost(after: [.data(Array(whole[..<100_003]))]),
            .lost(after: [.data(Array(whole[..<150_000]))]),
            .init([.data(whole)]),
        ])
        let sink = MemorySink()
        try await SessionClient.of(far).call(RecordRequest(), on: "build", sink: sink)
        #expect(sink.bytes == whole)
        #expect(far.json.count == 4)
        #expect(Set(far.json).count == 1)
    }

    @Test func `stops reconnecting to a server that stays unreachable`() async throws {
        let far = FakeRelay([], connectionLimit: 1)
        let error = await #expect(throws: VTError.self) {
            // The loss of the first connection restarts the count of attempts; failed attempts do not.
            try await RemoteSessions.of(far, clock: InstantClock()).reconnecting(
                goodAfter: .zero,
                progress: { nil }
            ) { _, answered async throws(VTError) -> Void in
                answered()
                throw VTError(.hostUnreachable, "lost")
            }
        }
        #expect(error?.message == "lost the connection to 'p', and 10 attempts to reconnect failed")
        #expect(error?.causes == ["no route"])
        #expect(far.connectAttempts == 11)
    }

    @Test(arguments: [false, true])
    func `a vt that dies, or a connection lost before it answers, is an error at once`(answers: Bool) async throws {
        var died = FakeRelay.Answer(end: nil)
        (died.greets, died.status) = (answers, .signalled(SignalName("SEGV"), coreDumped: false))
        var lost = FakeRelay.Answer.lost()
        lost.greets = false
        let calls: [(SessionClient) async throws -> Void] = [
            { _ = try await $0.logs(of: "b", from: .offset(0), follows: true, receiver: RecordedOutput()) },
            { try await $0.call(RecordRequest(), on: "b", sink: MemorySink()) },
            { _ = try await $0.wait(WaitRequest([.exit]), of: "b") },
            { _ = try await $0.call(LineExecution([]), on: "b", receiver: RecordedOutput()) { _ in } },
        ]
        for call in calls {
            for answer in [died, lost] where !answers || answer.greets {
                let far = FakeRelay([answer])
                // The server itself answers in time.
                let clock = InstantClock(exception: .seconds(10))
                await #expect(throws: VTError.self) { try await call(SessionClient.of(far, clock: clock)) }
                #expect(far.calls.count == 1)
            }
        }
    }

    @Test func `the output that exists is requested at most eleven times`() async throws {
        let answers = (0..<30).map { FakeRelay.Answer.lost(after: [.output(offset: $0, bytes: [1])]) }
        let far = FakeRelay(answers)
        // The relay answers in time, however busy this machine is.
        let clock = InstantClock(exception: RemoteSessions.answerTimeout)
        let error = await #expect(throws: VTError.self) {
            try await SessionClient.of(far, clock: clock)
                .logs(of: "b", from: .offset(0), follows: false, receiver: RecordedOutput())
        }
        #expect(error?.code == .hostUnreachable)
        #expect(far.calls.count == 11)
    }

    @Test func `does not resume a recording whose beginning differs`() async throws {
        let lines = (1...2_000).map { "line \($0)\n" }.joined()
        let other = (7...2_000).map { "line \($0)\n" }.joined()
        let far = FakeRelay([.lost(after: [.data(Array(lines.utf8))]), .init([.data(Array(other.utf8))])])
        let sink = MemorySink()
        let error = await #expect(throws: VTError.self) {
            try await SessionClient.of(far).call(RecordRequest(), on: "build", sink: sink)
        }
        #expect(error?.code == .dataInvalid)
        #expect(sink.bytes == Array(lines.utf8))
    }

    @Test func `a remote vt that never replies times out, and the error names the profile`() async throws {
        let calls: [(SessionClient) async throws -> Void] = [
            { _ = try await $0.session("b") },
            { _ = try await $0.call(KillRequest(grace: .seconds(3)), on: "b") },
            { _ = try await $0.call(SendRequest([1]), on: "b") },
            { try await $0.call(ResizeRequest(to: .standard), on: "b") },
            { _ = try await $0.call(ListRequest()) },
            { _ = try await $0.logs(of: "b", from: .offset(0), follows: false, receiver: RecordedOutput()) },
            { try await $0.call(RecordRequest(), on: "b", sink: MemorySink()) },
            { _ = try await $0.wait(WaitRequest([.exit]), of: "b") },
        ]
        for call in calls {
            let far = FakeRelay([.silent(greets: false)])
            let error = await #expect(throws: VTError.self) {
                // The server itself answers in time.
                try await call(SessionClient.of(far, clock: InstantClock(exception: .seconds(10))))
            }
            #expect(error?.code == .protocolViolation)
            #expect(error?.message.contains("vt on 'p' did not answer") == true)
        }
    }

    @Test func `a line is asked for again if the server was lost before it had answered`() async throws {
        let end = Array(#"{"outcome":"exit","exit":3,"from":5,"to":5,"turn":1,"duration_ms":1}"#.utf8)
        let far = FakeRelay([.dead(), .dead(), .init([.accepted(sequence: 0, offset: 5), .result(end)])])
        let client = try SessionClient.of(far, clock: InstantClock(exception: RemoteSessions.answerTimeout))
        let outcome = try await client.call(LineExecution(Array("x".utf8)), on: "b", receiver: RecordedOutput())
        #expect(outcome.exit == .exited(3))
        #expect(far.connectAttempts == 3)
        #expect(far.json.map { $0.contains(#""repeated":true"#) } == [false, true, true])
    }

    @Test func `a server that never answers is unreachable`() async throws {
        for isLine in [true, false] {
            let client = try SessionClient.of(FakeRelay([.dead()]), clock: InstantClock())
            let error = await #expect(throws: VTError.self) {
                if isLine {
                    _ = try await client.call(LineExecution([120]), on: "b", receiver: RecordedOutput())
                } else {
                    _ = try await client.session("b")
                }
            }
            #expect(error?.code == .hostUnreachable)
        }
    }

    @Test(
        arguments: [[], [.record(.sample("b"))], [.result(Array("{}".utf8))], [.record(.sample("b")), .result([1])]]
            as [[SessionFrame]]
    )
    func `an incomplete result is a protocol violation`(frames: [SessionFrame]) async throws {
        let error = await #expect(throws: VTError.self) {
            try await SessionClient.of(FakeRelay([.init(frames)])).wait(WaitRequest([.exit]), of: "b")
        }
        #expect(error?.code == .protocolViolation)
    }
}

/// A clock on which all waits end immediately, except those of one duration.
private struct InstantClock: Clock {
    /// Waits of this duration, with a tolerance of a second, take the requested time.
    var exception: Duration?

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        guard let exception, (exception - .seconds(1)...exception).contains(deadline - .now) else { return }
        try await Task.sleep(until: deadline, clock: .continuous)
    }
}
