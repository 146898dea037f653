import Arguments
import Commands
import Core
import System
import Testing

@Suite struct CommandRunnerTests {
    private let fixture = RunFixture(commands: [
        NamedCommand("end", EndingCommand.self),
        NamedCommand("pass", PassingCommand.self),
        NamedCommand("step", SteppingCommand.self),
        NamedCommand("version", VersionCommand.self),
    ])

    @Test(arguments: [0, 1, 42, 255] as [UInt8])
    func `vt exits with the status of the command`(status: UInt8) async {
        #expect(await fixture.run("-q end \(status)") == .status(status))
        #expect(fixture.errorOutput.text == "")
        #expect(fixture.output.isClosed)
    }

    @Test(arguments: VTError.Code.allCases)
    func `vt exits with the status of an error's code`(code: VTError.Code) async {
        #expect(await fixture.run("-q end \(code.rawValue)") == .status(code.status))
        #expect(fixture.errorOutput.text == "vt: cannot end '\(code.rawValue)\\x1b'\nhint: vt end 0\n")
        #expect(fixture.output.text == "")
    }

    @Test(arguments: ["pass io", "pass", "pass --nope 3", "pass usage"])
    func `a command that passes through a program's status fails with 255`(line: String) async {
        #expect(await fixture.run(line) == 255)
    }

    @Test func `shows causes with --verbose`() async {
        #expect(await fixture.run("-v end io") == 74)
        #expect(
            fixture.errorOutput.text == """
                vt: a note of \\x1b[31mio
                vt: a detail
                vt: cannot end 'io\\x1b'
                caused by: first
                caused by: second\\n
                hint: vt end 0

                """
        )
    }

    @Test func `a failure is reported as a document with --json`() async {
        #expect(await fixture.run("-q --json pass io") == 255)
        #expect(
            fixture.errorOutput.text == #"""
                {"error":{"causes":["first","second\n"],"code":"io","exit":255,"hint":"vt end 0","message":"cannot end 'io\u001b'"}}

                """#
        )
    }

    @Test(arguments: ["--json verison", "verison --json"])
    func `an invalid command line is reported as a document with --json`(line: String) async {
        #expect(await fixture.run(line) == 64)
        #expect(
            fixture.errorOutput.text == """
                {"error":{"code":"usage","exit":64,"hint":"did you mean 'vt version'?","message":"unknown command \
                'vt verison'"}}

                """
        )
    }

    @Test(arguments: ["version", "version --json", "-h", "--help"])
    func `a failure to write standard output is reported`(line: String) async {
        let fixture = RunFixture(output: MemoryOutput(refuses: true))
        #expect(await fixture.run(line) == 74)
    }

    @Test func `shows notes but not details by default`() async {
        #expect(await fixture.run("end 0") == 0)
        #expect(fixture.errorOutput.text == "vt: a note of \\x1b[31m0\n")
    }

    @Test func `colors depend on the terminal and the environment`() async {
        let table: (RunFixture, String) -> Bool = { fixture, choice in
            fixture.console.style(.init(rawValue: choice) ?? .auto).isColored
        }
        let terminal = RunFixture(output: MemoryOutput(isTerminal: true, columns: 40))
        let plain = RunFixture(
            output: MemoryOutput(isTerminal: true, columns: 40),
            environment: Environment(["NO_COLOR": "1"])
        )
        #expect(table(terminal, "auto") && !table(fixture, "auto") && !table(plain, "auto"))
        #expect(table(fixture, "always") && table(plain, "always") && !table(terminal, "never"))
    }

    @Test(arguments: [("step", 74, "the second failed"), ("step fail", 66, "the run failed")])
    func `all final steps are performed in order, and the first failure is reported`(
        line: String,
        status: UInt8,
        message: String
    ) async {
        #expect(await fixture.run(line) == .status(status))
        #expect(fixture.errorOutput.text == "vt: run\nvt: first\nvt: third\nvt: \(message)\n")
    }
}
