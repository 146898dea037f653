import Core
import CoreTestSupport
import Services
import Synchronization
import TestSupport
import Testing

@Suite struct SessionConnectionTests {
    private static let record = Session.sample("build")

    private func open(
        _ holder: FakeHolder,
        _ clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> SessionConnection {
        try await SessionConnection.open(holder, to: "build", version: "1.0", clock: clock)
    }

    @Test func `each request receives its own answer`() async throws {
        let holder = FakeHolder { frame in
            switch frame {
            case .status: [.record(Self.record)]
            case .kill: [.killed(survivors: ["17 sleep"])]
            case .rename, .resize: [.done]
            case .input(let sequence, _, _): [.accepted(sequence: sequence, offset: 40 + sequence)]
            default: []
            }
        }
        let connection = try await open(holder)
        #expect(try await connection.status() == Self.record)
        #expect(try await connection.kill(SignalName("INT"), grace: .seconds(3)) == ["17 sleep"])
        try await connection.rename(to: SessionName("other"))
        try await connection.resize(to: .standard)
        #expect(try await connection.input([1, 2], sequence: 2, isChecked: true).offset == 42)
        #expect(
            holder.received == [
                .status, .kill(signal: 2, graceMilliseconds: 3000), .rename("other"),
                .resize(.standard), .input(sequence: 2, isChecked: true, bytes: [1, 2]),
            ]
        )
        await connection.close()
        #expect(holder.isClosed)
    }

    @Test func `a holder of an earlier version cannot ask, and ignores that input is forced`() async throws {
        let older = SessionFrame.hello(
            protocolNumber: SessionFrame.protocolNumber,
            features: SessionFrame.Feature.ofHolders & ~SessionFrame.Feature.asks,
            version: "0.9"
        )
        let holder = FakeHolder(hello: older)
        let connection = try await open(holder)
        let error = await #expect(throws: VTError.self) { try await connection.ask(QuestionRequest(.ask, "log in")) }
        #expect(error?.code == .protocolViolation)
        #expect(error?.message == "'build' was created by vt 0.9, which cannot ask questions")
        #expect(error?.hint == "create the session again")
        #expect(holder.received == [])
    }

    @Test func `hello and answers can arrive in any pieces`() async throws {
        let holder = FakeHolder(hello: nil)
        let bytes =
            SessionFrame.hello(protocolNumber: SessionFrame.protocolNumber, features: 5, version: "9").encoded
            + SessionFrame.record(Self.record).encoded
        for byte in bytes { holder.say([byte]) }
        let connection = try await open(holder)
        #expect(connection.features == 5)
        #expect(connection.version == "9")
        #expect(try await connection.status() == Self.record)
    }

    @Test func `throws the error of a rejection`() async throws {
        let rejection = VTError(.exists, "no", hint: "another name", causes: ["why"])
        let holder = FakeHolder { frame in frame == .rename("other") ? [.failure(rejection)] : [] }
        let connection = try await open(holder)
        let error = await #expect(throws: VTError.self) { try await connection.rename(to: SessionName("other")) }
        #expect(error == rejection)
    }

    @Test func `a holder with another protocol number supports only status and kill`() async throws {
        let holder = FakeHolder(hello: .hello(protocolNumber: 99, features: 0, version: "7.0")) { frame in
            switch frame {
            case .status: [.record(Self.record)]
            case .kill: [.killed(survivors: [])]
            case .hello: []
            default: [.done]
            }
        }
        let connection = try await open(holder)
        #expect(try await connection.status().name == "build")
        #expect(try await connection.kill(nil, grace: .zero) == [])
        for request in [
            { try await connection.resize(to: .standard) },
            { _ = try await connection.input([1], sequence: 1, isChecked: false) },
            { _ = try await connection.attach(.init(from: 0, isReadOnly: true, size: nil, token: [])) },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: VTError.self) { try await request() }
            #expect(error?.code == .protocolViolation)
        }
        #expect(holder.received == [.status, .kill(signal: 0, graceMilliseconds: 0)])
    }

    @Test func `a holder that does not send hello times out after two seconds`() async throws {
        let holder = FakeHolder(hello: nil)
        let start = ContinuousClock.now
        let error = await #expect(throws: VTError.self) { try await open(holder) }
        #expect(error?.code == .protocolViolation)
        #expect(error?.hint == "to end the session, use 'vt sessions kill build'")
        #expect(ContinuousClock.now - start >= .seconds(2))
        #expect(holder.isClosed)
    }

    @Test func `waits for a busy holder`() async throws {
        let hello = SessionFrame.hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: "1.0")
        let lateness = Lateness([hello, .record(Self.record), .killed(survivors: [])])
        let holder = FakeHolder(hello: nil, busy: { $0.say(lateness.next()) })
        let connection = try await open(holder, lateness)
        lateness.restart()
        #expect(try await connection.status() == Self.record)
        lateness.restart()
        #expect(try await connection.kill(nil, grace: .milliseconds(1)) == [])
        #expect(lateness.checks == 9)
    }

    @Test func `does not wait for a busy holder indefinitely`() async throws {
        let clock = EagerClock()
        let holder = FakeHolder(hello: nil, busy: { _ in })
        let error = await #expect(throws: VTError.self) { try await open(holder, clock) }
        #expect(error?.code == .protocolViolation)
        #expect(clock.waits == Array(repeating: .seconds(2), count: 30))
    }

    @Test(arguments: [SessionFrame.done, .failure(VTError(.busy, "not now"))])
    func `rejects a connection that does not start with hello`(first: SessionFrame) async throws {
        let error = await #expect(throws: VTError.self) { try await open(FakeHolder(hello: first)) }
        #expect(error?.code == (first == .done ? .protocolViolation : .busy))
    }

    @Test func `frames arrive in order up to the exit`() async throws {
        let size = try TerminalSize(parsing: "90x30")
        let holder = FakeHolder { frame in
            guard case .attach = frame else { return [] }
            return [
                .attached(offset: 7, lastInput: 3, size: .standard), .gap(from: 1, to: 7),
                .output(offset: 7, bytes: [1, 2]), .resized(size), .done,
                .accepted(sequence: 4, offset: 9), .failure(VTError(.usage, "too long")),
                .exit(.exited(3), offset: 9),
            ]
        }
        let connection = try await open(holder)
        let token = [UInt8](repeating: 1, count: SessionFrame.tokenBytes)
        let attached = try await connection.attach(.init(from: 1, isReadOnly: false, size: nil, token: token))
        #expect(attached.offset == 7)
        #expect(attached.lastInput == 3)
        #expect(attached.size == .standard)
        holder.end()
        var events: [SessionFrame] = []
        while let event = try await connection.next() { events.append(event) }
        #expect(
            events == [
                .gap(from: 1, to: 7), .output(offset: 7, bytes: [1, 2]),
                .resized(size), .done, .accepted(sequence: 4, offset: 9), .failure(VTError(.usage, "too long")),
                .exit(.exited(3), offset: 9),
            ]
        )
    }

    @Test func `a channel that ends during a request is a lost connection`() async throws {
        let holder = FakeHolder()
        let connection = try await open(holder)
        holder.end()
        let error = await #expect(throws: VTError.self) { try await connection.status() }
        #expect(error?.code == .hostUnreachable)
        #expect(try await connection.next() == nil)
    }
}

/// A clock for a holder that gives each answer only at the third check whether it is busy: waits end immediately until
/// then, and never afterward.
private final class Lateness: Clock {
    private let state: Mutex<(answers: [SessionFrame], checks: Int, isAnswered: Bool)>

    init(_ answers: [SessionFrame]) {
        state = Mutex((answers, 0, false))
    }

    var checks: Int { state.withLock { $0.checks } }

    func restart() {
        state.withLock { $0.isAnswered = false }
    }

    /// The bytes to send at this check.
    func next() -> [UInt8] {
        state.withLock { state in
            state.checks += 1
            guard state.checks.isMultiple(of: 3) else { return [] }
            state.isAnswered = true
            return state.answers.removeFirst().encoded
        }
    }

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if state.withLock({ $0.isAnswered }) { try await Task.sleep(for: .seconds(3600)) }
    }
}
