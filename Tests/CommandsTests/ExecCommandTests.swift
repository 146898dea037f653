import Commands
import Core
import CoreTestSupport
import Foundation
import Runtime
import System
import Testing

@Suite struct ExecCommandTests {
    @Test func `a program uses the standard streams, and vt exits with its status`() async {
        var fixture = RunFixture(input: MemoryInput("typed"))
        fixture.machine.program = { request, streams throws(VTError) in
            #expect(request.command == .arguments(["cat", "-"]))
            #expect(request.terminal == nil)
            while let bytes = try await streams.input.read() { try await streams.output.write(bytes) }
            try await streams.errorOutput.write(Array("late".utf8))
            return .exited(3)
        }
        #expect(await fixture.run("exec local -- cat -") == 3)
        #expect(fixture.output.text == "typed")
        #expect(fixture.errorOutput.text == "late")
        #expect(fixture.output.isClosed)
        #expect(fixture.signals.handling == .cancel)
        #expect(fixture.terminal.events == [.end])
    }

    @Test func `a signal cancels the program and then ends the process`() async {
        var fixture = RunFixture()
        let signals = fixture.signals
        fixture.machine.program = { _, streams throws(VTError) in
            try await streams.output.write(Array("in\n".utf8))
            signals.send(SIGTERM)
            return try await Monitor(()).wait { _ in nil }
        }
        #expect(await fixture.run("exec local -- sleep 1000") == .signal(SIGTERM))
        #expect(fixture.output.text == "in\n")
        #expect(fixture.errorOutput.text == "")
        #expect(!fixture.output.isClosed)
    }

    @Test func `SIGPIPE ends the process when the reader of its output has exited`() async {
        var fixture = RunFixture(output: MemoryOutput(limitBytes: 4))
        fixture.machine.program = { _, streams throws(VTError) in
            while true { try await streams.output.write(Array("y\n".utf8)) }
        }
        #expect(await fixture.run("exec local -- yes") == .signal(SIGPIPE))
        #expect(fixture.output.text == "y\ny\n")
        #expect(fixture.errorOutput.text == "")
    }

    @Test func `a profile where TARGET is omitted is an error, but not after two dashes`() async throws {
        let machine = FakeMachine(profiles: MemoryProfileStore(try .named("web")))
        var fixture = RunFixture(machine: machine)
        #expect(await fixture.run("exec --all web uptime") == 255)
        #expect(fixture.errorOutput.text.contains("'web' is a profile, but the targets are selected by an option"))
        fixture = RunFixture(machine: machine)
        _ = await fixture.run("exec --all -- web uptime")
        #expect(!fixture.errorOutput.text.contains("is a profile"), "\(fixture.errorOutput.text)")
    }

    @Test func `the terminal is in raw mode while the program runs`() async {
        var fixture = RunFixture(
            input: MemoryInput(isTerminal: true, terminalSize: TerminalSize(columns: 100, rows: 30)),
            terminal: MemoryTerminal(canBeRaw: true),
            environment: Environment(["TERM": "fancy"])
        )
        let terminal = fixture.terminal
        fixture.machine.program = { request, _ throws(VTError) in
            #expect(request.terminal?.type == "fancy")
            #expect(request.terminal?.size == TerminalSize(columns: 100, rows: 30))
            #expect(terminal.events == [.begin(raw: true, hasScreen: false)])
            return .exited(0)
        }
        #expect(await fixture.run("exec local --pty -- vi") == 0)
        #expect(fixture.signals.handling == .cancelAll(suspends: true))
        #expect(terminal.events == [.begin(raw: true, hasScreen: false), .end])
    }

    @Test func `reports a timeout and exits with 124`() async {
        var fixture = RunFixture()
        fixture.machine.program = { _, streams throws(VTError) in
            try await streams.output.write(Array("part".utf8))
            return try await Monitor(()).wait { _ in nil }
        }
        #expect(await fixture.run("exec local --timeout 10ms -- sleep 1000") == 124)
        #expect(fixture.output.text == "part")
        #expect(fixture.errorOutput.text == "vt: 'local' did not finish within 10ms\n")
    }

    @Test func `lines are prefixed with their target, and failed targets are counted`() async throws {
        var fixture = RunFixture()
        fixture.machine.profiles = MemoryProfileStore(try .named("web"))
        fixture.machine.program = { _, streams throws(VTError) in
            try await streams.output.write(Array("up\n".utf8))
            return .exited(0)
        }
        #expect(await fixture.run("exec local,web -- uptime") == 1)
        #expect(fixture.output.text == "local: up\n")
        #expect(
            fixture.errorOutput.text == """
                vt: web: the server is unreachable (host.unreachable)
                vt: 1 of 2 targets failed

                """
        )
    }
}
