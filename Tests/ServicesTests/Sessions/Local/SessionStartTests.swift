import Core
import CoreTestSupport
import Services
import TestSupport
import Testing

/// Sessions whose programs are not running yet.
@Suite struct SessionStartTests {
    private func fixture(
        _ answers: @escaping @Sendable (SessionFrame) -> [SessionFrame] = { _ in [] }
    ) -> SessionFixture {
        SessionFixture([
            .init(record: .sample("build", state: .starting), holder: { FakeHolder(answers: answers) })
        ])
    }

    /// Changes the state of the session once another task is waiting for a change.
    private func begin(_ fixture: SessionFixture, as state: SessionState) -> Task<Void, any Error> {
        Task {
            #expect(await eventually { fixture.host.starts.isWaitedFor })
            fixture.host.change("build") { $0.record.state = state }
        }
    }

    @Test func `does not read the record repeatedly while it is unchanged`() async throws {
        let fixture = fixture()
        let begun = begin(fixture, as: .failed)
        var order = SessionCreation(name: try SessionName("build"), command: ["make"])
        order.ifExists = .ok
        _ = try await fixture.sessions.create(order)
        try await begun.value
        // The record is read by name, after the watch has started, and after the change.
        #expect(fixture.host.looks == 3)
    }

    @Test func `input is sent once the program runs`() async throws {
        let fixture = fixture { frame in
            guard case .input(let sequence, _, _) = frame else { return [] }
            return [.accepted(sequence: sequence, offset: 3)]
        }
        // There is no socket until the program runs.
        fixture.host.change("build") { $0.holder = nil }
        let begun = Task {
            #expect(await eventually { fixture.host.starts.isWaitedFor })
            fixture.host.change("build") { kept in
                kept.record.state = .running
                kept.holder = {
                    FakeHolder { frame in
                        guard case .input(let sequence, _, _) = frame else { return [] }
                        return [.accepted(sequence: sequence, offset: 3)]
                    }
                }
            }
        }
        #expect(try await fixture.sessions.send(SendRequest([1]), to: "build").offset == 3)
        await begun.value
    }

    @Test func `an existing session is returned once its program runs`() async throws {
        let fixture = fixture()
        let begun = begin(fixture, as: .running)
        var order = SessionCreation(name: try SessionName("build"), command: ["make"])
        order.ifExists = .ok
        let (session, isNew) = try await fixture.sessions.create(order)
        #expect(session.state == .running)
        #expect(!isNew)
        try await begun.value
    }

    @Test func `a session that fails to start is replaced`() async throws {
        let fixture = fixture()
        let begun = begin(fixture, as: .failed)
        var order = SessionCreation(name: try SessionName("build"), command: ["make"])
        order.ifExists = .ok
        #expect(try await fixture.sessions.create(order).isNew)
        try await begun.value
    }

    @Test func `distinguishes a session that never starts from one that has ended`() async throws {
        let fixture = fixture()
        let begun = begin(fixture, as: .failed)
        let error = await #expect(throws: VTError.self) {
            try await fixture.sessions.send(SendRequest([1]), to: "build")
        }
        #expect(error?.code == .ended)
        #expect(error?.message == "'build' could not be started")
        try await begun.value
    }
}
