import Commands
import Core
import CoreTestSupport
import Foundation
import Testing

/// The commands for local sessions, with an in-memory store.
@Suite struct SessionCommandTests {
    private func fixture(_ kept: FakeSessionStore.Kept..., output: MemoryOutput = MemoryOutput()) -> RunFixture {
        RunFixture(machine: FakeMachine(sessions: FakeSessionStore(kept)), output: output)
    }

    private func ended(_ text: String = "", as exit: Core.ExitStatus = .exited(3)) -> FakeSessionStore.Kept {
        var record = Session.sample("build", state: .exited)
        record.exit = exit
        record.outputBytes = UInt64(text.utf8.count)
        return FakeSessionStore.Kept(record: record, log: MemoryLog(Array(text.utf8)))
    }

    @Test func `the list has a line for each session`() async {
        let fixture = fixture(.init(record: .sample("shell")), ended())
        #expect(await fixture.run("sessions list") == 0)
        let rows = fixture.output.text.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(rows.map { $0[0] } == ["NAME", "shell", "build"])
        #expect(rows.dropFirst().map { $0[1] } == ["running", "exited"])
        #expect(fixture.signals.handling == SignalHandling.none)
    }

    @Test func `the list can be limited to a state`() async throws {
        let fixture = fixture(.init(record: .sample("shell")), ended())
        #expect(await fixture.run("sessions list --state exited --json") == 0)
        let sessions = try #require(fixture.document() as? [[String: Any]])
        #expect(sessions.map { $0["name"] as? String } == ["build"])
    }

    @Test func `shows a session by name`() async throws {
        let fixture = fixture(ended())
        #expect(await fixture.run("sessions show build --json") == 0)
        let session = try #require(fixture.document() as? [String: Any])
        #expect(session["state"] as? String == "exited")
        #expect(session["exit"] as? [String: Int] == ["code": 3])
    }

    @Test func `a session that does not exist is reported as not found`() async {
        let fixture = fixture()
        #expect(await fixture.run("sessions show build") == .status(VTError.Code.notFound.status))
        #expect(fixture.errorOutput.text == "vt: no such session: 'build'\n")
    }

    @Test func `kills a session through its holder, and exits with 1 if a process survives`() async {
        let fixture = fixture(
            .init(
                record: .sample("build"),
                holder: {
                    FakeHolder { frame in if case .kill = frame { [.killed(survivors: ["9 init"])] } else { [] } }
                }
            )
        )
        #expect(await fixture.run("sessions kill build") == 1)
        #expect(fixture.errorOutput.text == "vt: 'build': process 9 init did not end\n")
    }

    @Test func `kills several sessions, and fails if one does not exist`() async {
        let fixture = fixture(.init(record: .sample("lost", state: .lost)))
        #expect(await fixture.run("sessions kill lost other") == .status(VTError.Code.notFound.status))
        #expect(fixture.machine.sessions.killedWithoutHolder == ["lost"])
    }

    @Test func `kills and removes sessions, and prints their IDs`() async throws {
        let fixture = fixture(ended(), .init(record: .sample("lost", state: .lost)))
        let ids = try ["build", "lost"].map { try fixture.machine.sessions.session($0).id.text }
        #expect(await fixture.run("sessions kill build lost --remove") == 0)
        #expect(fixture.output.text == ids.joined(separator: "\n") + "\n")
        #expect(fixture.machine.sessions.keptNames == [])
        #expect(await fixture.run("sessions kill lost --remove") == .status(VTError.Code.notFound.status))
        #expect(await fixture.run("sessions kill lost --remove --signal INT") == .status(VTError.Code.usage.status))
    }

    @Test func `a session with surviving processes is not removed`() async throws {
        let fixture = fixture(.init(record: .sample("lost", state: .lost)), ended())
        fixture.machine.sessions.leave(["9 init"])
        #expect(await fixture.run("sessions kill lost build --remove --json") == 1)
        let removed = try #require(fixture.document() as? [[String: Any]])
        #expect(removed.map { $0["name"] as? String } == ["build"])
        #expect(fixture.errorOutput.text.contains("'lost': process 9 init did not end"))
        #expect(fixture.machine.sessions.keptNames == ["lost"])
    }

    @Test(
        arguments: [
            ("sessions logs build", "one\u{1b}[1m\r\ntwo\r\n", 0), ("sessions logs build --plain", "one\ntwo\n", 0),
            ("sessions logs build --from 9 --exit-status", "two\r\n", 3),
            ("sessions logs build --tail 1", "two\r\n", 0),
        ] as [(String, String, UInt8)]
    )
    func `prints a log in the requested format`(line: String, expected: String, status: UInt8) async {
        let fixture = fixture(ended("one\u{1b}[1m\r\ntwo\r\n"))
        #expect(await fixture.run(line) == .status(status))
        #expect(fixture.output.text == expected)
        #expect(fixture.errorOutput.text == "")
    }

    @Test func `a JSON log has an event for the output and one for the end`() async throws {
        let fixture = fixture(ended("one\n"))
        #expect(await fixture.run("sessions logs build --json") == 0)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == #"{"event":"output","offset":0,"text":"one\n"}"#)
    }

    @Test func `removes a new session if its ID cannot be printed`() async {
        let fixture = fixture(output: MemoryOutput(limitBytes: 0))
        #expect(await fixture.run("sessions create build -- make") == .signal(SIGPIPE))
        #expect(fixture.signals.handling == .brokenPipe)
        #expect(fixture.machine.sessions.keptNames == [])
    }
}
