import Commands
import Core
import CoreTestSupport
import Foundation
import System
import Testing

/// `vt attach` with a simulated terminal.
@Suite struct AttachCommandTests {
    private func fixture(_ kept: FakeSessionStore.Kept, environment: [String: String] = [:]) -> RunFixture {
        RunFixture(
            machine: FakeMachine(sessions: FakeSessionStore([kept])),
            input: MemoryInput(isTerminal: true),
            output: MemoryOutput(isTerminal: true, columns: 80),
            terminal: MemoryTerminal(canBeRaw: true),
            environment: Environment(environment)
        )
    }

    @Test func `attaching to an ended session shows its last screen and exits with its status`() async {
        var record = Session.sample("build", state: .exited)
        record.exit = .exited(3)
        record.outputBytes = 4
        let fixture = fixture(.init(record: record, log: MemoryLog(Array("done".utf8))))
        #expect(await fixture.run("attach build") == 3)
        #expect(fixture.output.text.contains("done"))
        #expect(fixture.terminal.events.first == .begin(raw: true, hasScreen: true))
        #expect(fixture.terminal.events.last == .end)
    }

    @Test func `VT_DETACH_KEY sets the detach key, which an option overrides`() async {
        let log = MemoryLog(Array("done".utf8))
        var record = Session.sample("build", state: .exited)
        record.exit = .exited(3)
        record.outputBytes = 4
        let fixture = fixture(.init(record: record, log: log), environment: ["VT_DETACH_KEY": "F1"])
        #expect(await fixture.run("attach build") == 255)
        #expect(fixture.errorOutput.text.hasPrefix("vt: VT_DETACH_KEY: invalid detach key 'F1'"))
        #expect(await fixture.run("attach build --detach-key C-a") == 3)
    }

    @Test func `a signal restores the terminal and then ends the process`() async {
        let session = Session.sample("build")
        let fixture = fixture(.init(record: session))
        let signals = fixture.signals
        fixture.machine.sessions.change("build") { kept in
            kept.holder = {
                FakeHolder { frame in
                    switch frame {
                    case .status: return [.record(session)]
                    case .attach:
                        signals.send(SIGHUP)
                        return [.attached(offset: 0, lastInput: 0, size: .standard)]
                    default: return []
                    }
                }
            }
        }
        #expect(await fixture.run("attach build") == .signal(SIGHUP))
        #expect(fixture.signals.handling == .cancelAll(suspends: true))
        #expect(fixture.terminal.events.last == .end)
        #expect(fixture.output.text.hasSuffix("\r\n"))
        #expect(fixture.errorOutput.text == "")
    }
}
