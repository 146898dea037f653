import Core
import CoreTestSupport
import Services
import Testing

@Suite struct SessionEndTests {
    private func fixture(
        _ state: SessionState = .running,
        hello: SessionFrame? = .hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: "1.0"),
        answers: @escaping @Sendable (SessionFrame) -> [SessionFrame]
    ) -> SessionFixture {
        SessionFixture([
            .init(record: .sample("build", state: state), holder: { FakeHolder(hello: hello, answers: answers) })
        ])
    }

    @Test func `the holder ends its session and reports survivors`() async throws {
        let fixture = fixture { frame in
            frame == .kill(signal: 0, graceMilliseconds: 1500) ? [.killed(survivors: ["9 init"])] : []
        }
        let survivors = try await fixture.sessions.kill("build", signal: nil, grace: .milliseconds(1500))
        #expect(survivors == ["9 init"])
        #expect(fixture.host.killedWithoutHolder == [])
    }

    @Test func `a holder with another protocol number also ends its session`() async throws {
        let fixture = fixture(hello: .hello(protocolNumber: 77, features: 0, version: "9")) { frame in
            if case .kill = frame { [.killed(survivors: [])] } else { [] }
        }
        #expect(try await fixture.sessions.kill("build", signal: SignalName("INT"), grace: .zero) == [])
        #expect(fixture.host.killedWithoutHolder == [])
    }

    @Test func `ends a session whose holder does not respond`() async throws {
        let fixture = fixture(hello: nil) { _ in [] }
        #expect(try await fixture.sessions.kill("build", signal: nil, grace: .zero) == [])
        #expect(fixture.host.killedWithoutHolder == ["build"])
    }

    @Test func `ends the processes of a lost session, and reports a session that has ended`() async throws {
        let lost = fixture(.lost) { _ in [] }
        lost.host.leave(["5 stuck"])
        #expect(try await lost.sessions.kill("build", signal: nil, grace: .zero) == ["5 stuck"])
        let ended = fixture(.exited) { _ in [] }
        #expect(try await ended.sessions.kill("build", signal: nil, grace: .zero) == [])
        #expect(ended.notes.all == ["'build' has already ended"])
        let error = await #expect(throws: VTError.self) {
            try await ended.sessions.kill("build", signal: SignalName("INT"), grace: .zero)
        }
        #expect(error?.code == .ended)
    }

    @Test func `a lost session that still has processes is kept`() async throws {
        let lost = Session.sample("lost", state: .lost)
        let gone = Session.sample("gone", state: .lost)
        let fixture = SessionFixture([.init(record: lost), .init(record: gone)])
        fixture.host.leave(running: ["7 make"], of: lost.id)
        let error = await #expect(throws: VTError.self) {
            try await fixture.sessions.cleanUp(["lost"], SessionFilter(), isDryRun: false)
        }
        #expect(error?.code == .busy)
        #expect(error?.hint?.contains("vt sessions kill lost") == true)
        #expect(try await fixture.sessions.cleanUp([], SessionFilter(), isDryRun: false).map(\.name) == ["gone"])
        #expect(fixture.host.keptNames == ["lost"])
        var order = SessionCreation(name: try SessionName("lost"), command: ["make"])
        order.ifExists = .ok
        let taken = await #expect(throws: VTError.self) { try await fixture.sessions.create(order) }
        #expect(taken?.code == .exists)
        order.ifExists = .replace
        #expect(try await fixture.sessions.create(order).isNew)
        #expect(fixture.host.killedWithoutHolder == ["lost"])
    }

    @Test func `input that the holder does not accept times out`() async throws {
        let fixture = fixture { _ in [] }
        let error = await #expect(throws: VTError.self) {
            try await fixture.sessions.send(SendRequest([1], timeout: .milliseconds(50)), to: "build")
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `only cleans up sessions that have ended`() async throws {
        var old = Session.sample("old", state: .exited)
        (old.endedAt, old.tags) = (Timestamp(seconds: 1), ["ci"])
        var fresh = Session.sample("fresh", state: .exited)
        fresh.endedAt = .now()
        let fixture = SessionFixture([
            .init(record: old), .init(record: fresh), .init(record: .sample("live")),
            .init(record: .sample("lost", state: .lost)),
        ])
        let sessions = fixture.sessions
        let aged = SessionFilter(endedFor: .seconds(3600))
        #expect(try await sessions.cleanUp([], aged, isDryRun: true).map(\.name) == ["old", "lost"])
        #expect(try await sessions.cleanUp([], SessionFilter(tags: ["ci"]), isDryRun: false).map(\.name) == ["old"])
        let busy = await #expect(throws: VTError.self) {
            try await sessions.cleanUp(["live"], SessionFilter(), isDryRun: false)
        }
        #expect(busy?.code == .busy)
        #expect(try await sessions.cleanUp([], SessionFilter(), isDryRun: false).map(\.name) == ["fresh", "lost"])
        #expect(try await sessions.cleanUp([], SessionFilter(), isDryRun: false) == [])
        #expect(fixture.host.keptNames == ["live"])
    }

    @Test func `lists and cleans up without expired sessions`() async throws {
        var old = Session.sample("old", state: .exited)
        (old.endedAt, old.keepFor) = (Timestamp(seconds: 1), .seconds(3600))
        var fresh = Session.sample("fresh", state: .exited)
        (fresh.endedAt, fresh.keepFor) = (.now(), .seconds(3600))
        let fixture = SessionFixture([.init(record: old), .init(record: fresh), .init(record: .sample("live"))])
        let tagged = SessionFilter(tags: ["ci"])
        #expect(try await fixture.sessions.cleanUp([], tagged, isDryRun: true).map(\.name) == ["old"])
        #expect(try await fixture.sessions.cleanUp([], tagged, isDryRun: false).map(\.name) == ["old"])
        fixture.host.change("fresh") { $0.record.endedAt = Timestamp(seconds: 1) }
        #expect(try await fixture.sessions.sessions(SessionFilter()).map(\.name) == ["live"])
        #expect(fixture.host.keptNames == ["live"])
    }

    @Test func `kills and removes a session, however it ended`() async throws {
        var live = Session.sample("live")
        live.keepFor = .zero
        let fixture = SessionFixture([
            .init(record: live, holder: { () throws(VTError) in throw VTError(.system, "no file descriptors") }),
            .init(record: .sample("lost", state: .lost)), .init(record: .sample("ended", state: .exited)),
            .init(record: .sample("damaged", state: .unreadable)),
        ])
        for name in ["live", "lost", "ended", "damaged"] {
            let (session, survivors) = try await fixture.client.killAndRemove(name, grace: .zero)
            #expect((session.name, survivors) == (name, []))
        }
        #expect(fixture.host.keptNames.isEmpty)
        #expect(fixture.host.killedWithoutHolder == ["live", "lost"])
        let error = await #expect(throws: VTError.self) {
            try await fixture.client.killAndRemove("live", grace: .zero)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `kills a session that its holder removes`() async throws {
        let fixture = SessionFixture([.init(record: .sample("build"))])
        let host = fixture.host
        host.change("build") { kept in
            kept.holder = { () throws(VTError) in
                FakeHolder { frame in
                    guard case .kill = frame else { return [] }
                    host.change("build") { $0.record.state = .exited }
                    if let record = try? host.session("build") { _ = try? host.removeNow(record.id) }
                    return [.killed(survivors: [])]
                }
            }
        }
        let (session, survivors) = try await fixture.client.killAndRemove("build", grace: .zero)
        #expect((session.name, session.state, survivors) == ("build", .exited, []))
        #expect(host.keptNames.isEmpty)
    }

    @Test func `a session whose processes survive is not removed`() async throws {
        let fixture = fixture(.lost) { _ in [] }
        fixture.host.leave(["5 stuck"])
        #expect(try await fixture.client.killAndRemove("build", grace: .zero).survivors == ["5 stuck"])
        #expect(fixture.host.keptNames == ["build"])
    }

    @Test func `input is sent in one frame, which is accepted or rejected as a whole`() async throws {
        let fixture = fixture { frame in
            guard case .input(let sequence, true, let bytes) = frame else { return [] }
            return bytes.count > 4096
                ? [.failure(VTError(.dataInvalid, "the line is too long"))]
                : [.accepted(sequence: sequence, offset: 17)]
        }
        let input = Array("ls\r".utf8)
        #expect(try await fixture.sessions.send(SendRequest(input), to: "build").offset == 17)
        let error = await #expect(throws: VTError.self) {
            try await fixture.sessions.send(SendRequest([UInt8](repeating: 0x61, count: 5000)), to: "build")
        }
        #expect(error?.code == .dataInvalid)
    }

    @Test func `input that is too long for a frame is split after line ends`() async throws {
        let line = [UInt8](repeating: 0x61, count: 999) + [0x0a]
        let text = [[UInt8]](repeating: line, count: 700).flatMap(\.self)
        let fixture = fixture { frame in
            guard case .input(let sequence, _, let bytes) = frame, bytes.last == 0x0a, bytes.count <= 64 << 10
            else { return [] }
            return [.accepted(sequence: sequence, offset: 10 * sequence)]
        }
        #expect(try await fixture.sessions.send(SendRequest(text), to: "build").offset == 10)
    }

    @Test func `the holder renames a running session, and the store renames one that has ended`() async throws {
        let live = fixture { frame in frame == .rename("other") ? [.done] : [] }
        try await live.sessions.rename("build", to: SessionName("other"))
        #expect(live.host.keptNames == ["build"])
        let ended = fixture(.exited) { _ in [] }
        try await ended.sessions.rename("build", to: SessionName("other"))
        #expect(ended.host.keptNames == ["other"])
    }
}
