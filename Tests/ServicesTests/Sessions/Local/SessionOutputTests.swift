import Core
import CoreTestSupport
import Services
import Synchronization
import TestSupport
import Testing

@Suite struct SessionOutputTests {
    private static let lines = Array("one\ntwo\nthree\n".utf8)

    @Test(arguments: [
        (LogStart.offset(0), "one\ntwo\nthree\n"), (.offset(4), "two\nthree\n"), (.offset(14), ""),
        (.lastLines(1), "three\n"), (.lastLines(2), "two\nthree\n"), (.lastLines(9), "one\ntwo\nthree\n"),
        (.lastLines(0), ""), (.time(Timestamp(seconds: 20)), "two\nthree\n"), (.time(Timestamp(seconds: 99)), ""),
    ])
    func `reads a log from the requested start`(start: LogStart, expected: String) async throws {
        let log = MemoryLog(Self.lines, times: [(Timestamp(seconds: 10), 0), (Timestamp(seconds: 20), 4)])
        let fixture = SessionFixture.ended(log)
        let output = RecordedOutput()
        let session = try await fixture.sessions.logs(of: "build", from: start, follows: false, receiver: output)
        #expect(output.text == expected)
        #expect(session.exit == .exited(3))
    }

    @Test(arguments: [false, true])
    func `an offset beyond the end is an error`(follows: Bool) async throws {
        let fixture = SessionFixture.ended(MemoryLog(Self.lines))
        await #expect(throws: VTError(.dataInvalid, "offset 15 is beyond the end of the output (14)")) {
            _ = try await fixture.sessions
                .logs(of: "build", from: .offset(15), follows: follows, receiver: RecordedOutput())
        }
    }

    @Test func `counts the last line even without a line end`() async throws {
        let output = RecordedOutput()
        _ = try await SessionFixture.ended(MemoryLog(Array("a\nb\nc".utf8))).sessions
            .logs(of: "build", from: .lastLines(2), follows: false, receiver: output)
        #expect(output.text == "b\nc")
    }

    @Test func `reports discarded output as a gap`() async throws {
        let output = RecordedOutput()
        _ = try await SessionFixture.ended(MemoryLog(Self.lines, first: 5)).sessions
            .logs(of: "build", from: .offset(1), follows: false, receiver: output)
        #expect(output.text == "wo\nthree\n")
        #expect(output.gaps == [1..<5])
    }

    @Test func `reports output that was written after the log stopped as a gap`() async throws {
        let fixture = SessionFixture.ended(MemoryLog(Self.lines))
        fixture.host.change("build") { kept in (kept.record.logStoppedAt, kept.record.outputBytes) = (14, 99) }
        let output = RecordedOutput()
        _ = try await fixture.sessions.logs(of: "build", from: .offset(8), follows: false, receiver: output)
        #expect(output.text == "three\n")
        #expect(output.gaps == [14..<99])
    }

    @Test func `bytes come from the holder, or from the log if the holder omits them`() async throws {
        let log = MemoryLog(Self.lines)
        let fixture = SessionFixture.live(
            log,
            [
                .output(offset: 0, bytes: Array("one\n".utf8)), .gap(from: 4, to: 8),
                .output(offset: 8, bytes: Array("th".utf8)), .output(offset: 9, bytes: Array("hree\n".utf8)),
                .exit(.exited(7), offset: 14),
            ],
            endsAs: .exited(7)
        )
        let output = RecordedOutput()
        let session = try await fixture.sessions.logs(of: "build", from: .offset(0), follows: true, receiver: output)
        #expect(output.text == "one\ntwo\nthree\n")
        #expect(output.gaps == [])
        #expect(session.exit == .exited(7))
    }

    @Test func `reports bytes that are not in the log as a gap`() async throws {
        let fixture = SessionFixture.live(
            MemoryLog(Array("one\n".utf8)),
            [.output(offset: 8, bytes: Array("x".utf8)), .exit(.exited(0), offset: 9)],
            endsAs: .exited(0)
        )
        let output = RecordedOutput()
        _ = try await fixture.sessions.logs(of: "build", from: .offset(0), follows: true, receiver: output)
        #expect(output.text == "one\nx")
        #expect(output.gaps == [4..<8])
    }

    @Test func `if the holder exits unexpectedly, reads the rest from the log`() async throws {
        let fixture = SessionFixture.live(MemoryLog(Self.lines), [.output(offset: 0, bytes: Array("one".utf8))])
        let output = RecordedOutput()
        let session = try await fixture.sessions.logs(of: "build", from: .offset(0), follows: true, receiver: output)
        #expect(output.text == "one\ntwo\nthree\n")
        #expect(session.state == .lost)
    }

    // MARK: - Waiting

    private func wait(
        _ fixture: SessionFixture,
        _ expression: String,
        from offset: UInt64? = 0,
        timeout: Duration? = nil
    ) async throws -> WaitOutcome {
        let pattern = try LinePattern(expression)
        return try await fixture.client
            .wait(WaitRequest([.match(pattern, text: expression)], from: offset, timeout: timeout), of: "build")
    }

    @Test func `if the session is removed, reads the rest from the open log, and reports that`() async throws {
        let log = MemoryLog(Self.lines)
        let fixture = SessionFixture([.init(record: .sample("build"), log: log)])
        let host = fixture.host
        host.change("build") { kept in
            kept.holder = { () throws(VTError) in
                host.change("build") { $0.record.state = .exited }
                _ = try host.removeNow(try host.session("build").id)
                throw VTError(.hostUnreachable, "the holder has exited")
            }
        }
        let output = RecordedOutput()
        await #expect(throws: VTError(.notFound, "session 'build' has been removed")) {
            _ = try await fixture.sessions.logs(of: "build", from: .offset(0), follows: true, receiver: output)
        }
        #expect(output.text == "one\ntwo\nthree\n")
    }

    @Test func `finds a matching line with the offset after the match`() async throws {
        let log = MemoryLog(Array("a\u{1b}[1mbc\u{1b}[0m-1\r\nab\u{1b}[Kc-22 x\r\n".utf8))
        let found = try await wait(SessionFixture.ended(log), "abc-[0-9]{2}")
        #expect(found.line == "abc-22 x")
        #expect(found.match == "abc-22")
        #expect(found.offset == 24)
    }

    @Test func `ignores output before the offset`() async throws {
        let fixture = SessionFixture.ended(MemoryLog(Self.lines))
        #expect(try await wait(fixture, "t[a-z]+", from: 5).match == "three")
        let error = await #expect(throws: VTError.self) { try await wait(fixture, "one", from: 1) }
        #expect(error?.code == .negative)
    }

    @Test func `without an offset, searches only output since the last sent input`() async throws {
        let fixture = SessionFixture.live(
            MemoryLog(Self.lines),
            [.output(offset: 14, bytes: Array("login: ".utf8)), .exit(.exited(0), offset: 21)]
        )
        // The holder does not reply, so the record is used.
        fixture.host.change("build") { $0.record.sentOffset = 14 }
        let found = try await wait(fixture, ": $|one", from: nil)
        #expect(found.line == "login: ")
        #expect(found.offset == 21)
    }

    @Test func `a match can arrive in pieces`() async throws {
        let pieces = "ready\u{1b}[0m on 80".utf8.enumerated().map { index, byte in
            SessionFrame.output(offset: UInt64(index), bytes: [byte])
        }
        let found = try await wait(SessionFixture.live(MemoryLog([]), pieces), "ready on [0-9]+")
        #expect(found.match == "ready on 8")
        #expect(found.offset == 14)
    }

    @Test func `reports a timeout, and finds that a session is idle`() async throws {
        let fixture = SessionFixture([
            .init(
                record: .sample("build"),
                holder: {
                    FakeHolder { frame in
                        guard case .attach = frame else { return [] }
                        return [.attached(offset: 0, lastInput: 0, size: .standard)]
                    }
                }
            )
        ])
        let error = await #expect(throws: VTError.self) { try await wait(fixture, "x", timeout: .milliseconds(50)) }
        let hint = "to see the output, use 'vt sessions logs build --plain --from 0'"
        #expect(error == VTError(.timedOut, "'build': nothing matched 'x' within 50ms", hint: hint))
        let idle = try await fixture.client
            .wait(for: .idle(.milliseconds(30)), of: "build", from: nil, timeout: .patience)
        #expect(idle.offset == 0)
        #expect(idle.elapsed >= .milliseconds(30))
    }

    @Test func `the silence of an unresponsive holder does not count as idle`() async throws {
        let greetings = Mutex(0)
        let fixture = SessionFixture([.init(record: .sample("build"))])
        fixture.host.change("build") { kept in
            kept.holder = {
                let isFirst = greetings.withLock { count in
                    defer { count += 1 }
                    return count == 0
                }
                // The holder is stopped after the first connection.
                guard isFirst else { return FakeHolder(hello: nil) }
                return FakeHolder { frame in
                    guard case .attach = frame else { return [] }
                    return [.attached(offset: 0, lastInput: 0, size: .standard)]
                }
            }
        }
        let error = await #expect(throws: VTError.self) {
            try await fixture.client.wait(for: .idle(.milliseconds(30)), of: "build", from: nil, timeout: nil)
        }
        #expect(error?.code == .protocolViolation)
    }

    @Test func `waits for the exit, which is unknown if the session is lost`() async throws {
        let fixture = SessionFixture.live(MemoryLog(Self.lines), [.exit(.exited(3), offset: 14)], endsAs: .exited(3))
        let outcome = try await fixture.client.wait(WaitRequest([.exit]), of: "build")
        #expect(outcome.session.exit == .exited(3))
        let lost = SessionFixture.live(MemoryLog([]), [])
        let error = await #expect(throws: VTError.self) {
            try await lost.client.wait(WaitRequest([.exit]), of: "build")
        }
        #expect(error?.code == .ended)
    }
}
