import Core
import CoreTestSupport
import Recording
import Services
import Synchronization
import System
import Testing

/// Detection of holders that stop responding while their output is followed.
struct HolderWatchTests {
    private static let stopped = VTError(
        .protocolViolation,
        "the holder of 'build' did not answer within 20ms",
        hint: "to end the session, use 'vt sessions kill build'"
    )
    private static let attached = SessionFrame.attached(offset: 0, lastInput: 0, size: .standard)

    private func fixture(
        _ limits: HolderLimits = HolderLimits(silence: .milliseconds(20), answer: .milliseconds(20)),
        log: MemoryLog = MemoryLog([]),
        _ answers: @escaping @Sendable (SessionFrame) -> [SessionFrame]
    ) -> SessionFixture {
        let record = Session.sample("build")
        return SessionFixture(
            [.init(record: record, log: log, holder: { FakeHolder(answers: answers) })],
            holderLimits: limits
        )
    }

    private func logs(_ fixture: SessionFixture, _ output: any OutputReceiver) async throws -> Session {
        try await fixture.sessions.logs(of: "build", from: .offset(0), follows: true, receiver: output)
    }

    @Test(.timeLimit(.minutes(5))) func `reports a holder that stops while its output is followed`() async throws {
        let fixture = fixture { frame in
            guard case .attach = frame else { return [] }
            return [Self.attached, .output(offset: 0, bytes: [0x61])]
        }
        let output = RecordedOutput()
        await #expect(throws: Self.stopped) { try await logs(fixture, output) }
        #expect(output.text == "a")
        await #expect(throws: Self.stopped) {
            try await fixture.client.wait(WaitRequest([.exit]), of: "build")
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a holder that answers may be silent indefinitely`() async throws {
        let questions = Mutex(0)
        let fixture = fixture(HolderLimits(silence: .milliseconds(1))) { _ in [] }
        let host = fixture.host
        host.change("build") { kept in
            kept.holder = {
                FakeHolder { frame in
                    if case .attach = frame { return [Self.attached] }
                    guard frame == .status else { return [] }
                    let count = questions.withLock { questions in
                        questions += 1
                        return questions
                    }
                    let answer = SessionFrame.record(Session.sample("build"))
                    guard count == 5 else { return [answer] }
                    host.change("build") { ($0.record.state, $0.record.exit) = (.exited, .exited(3)) }
                    return [answer, .exit(.exited(3), offset: 0)]
                }
            }
        }
        #expect(try await logs(fixture, RecordedOutput()).exit == .exited(3))
    }

    @Test(.timeLimit(.minutes(5))) func `a slow receiver is not mistaken for a stopped holder`() async throws {
        let fixture = fixture(HolderLimits(silence: .milliseconds(20), answer: .seconds(3600))) { frame in
            guard case .attach = frame else { return [] }
            return [Self.attached, .output(offset: 0, bytes: [0x61]), .exit(.exited(3), offset: 1)]
        }
        let host = fixture.host
        let receiver = SlowReceiver {
            host.change("build") { ($0.record.state, $0.record.exit) = (.exited, .exited(3)) }
        }
        #expect(try await logs(fixture, receiver).exit == .exited(3))
    }

    @Test(.timeLimit(.minutes(5))) func `reports a holder that stops while its session is recorded`() async throws {
        let log = MemoryLog([])
        log.append(SessionLogEvent(time: 1, .resize(.standard)))
        let fixture = fixture(log: log) { _ in [] }
        var request = RecordRequest()
        request.follows = true
        let sink = MemorySink()
        await #expect(throws: Self.stopped) { try await fixture.sessions.record("build", request, to: sink) }
        #expect(!sink.bytes.isEmpty)
    }

    @Test(.timeLimit(.minutes(5))) func `a recording of a silent program continues to its end`() async throws {
        let log = MemoryLog([])
        let questions = Mutex(0)
        let fixture = fixture(HolderLimits(silence: .milliseconds(1)), log: log) { frame in
            guard frame == .status else { return [] }
            let count = questions.withLock { questions in
                questions += 1
                return questions
            }
            if count == 5 { log.append(SessionLogEvent(time: 2, .exit(.exited(0)))) }
            return [.record(Session.sample("build"))]
        }
        var request = RecordRequest()
        request.follows = true
        let sink = MemorySink()
        try await fixture.sessions.record("build", request, to: sink)
        #expect(String(decoding: sink.bytes, as: UTF8.self).hasSuffix("\"x\", \"0\"]\n"))
    }
}

/// A receiver that takes longer to accept output than the limit for a silent holder.
private final class SlowReceiver: OutputReceiver {
    private let finish: @Sendable () -> Void

    init(_ finish: @escaping @Sendable () -> Void) {
        self.finish = finish
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        do {
            try await Task.sleep(for: .milliseconds(200))
        } catch {
            throw .cancelled
        }
        finish()
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {}
}
