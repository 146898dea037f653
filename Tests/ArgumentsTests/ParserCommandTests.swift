import Arguments
import Core
import Testing

@Suite struct ParserCommandTests {
    @Test(arguments: [
        ("-h", [], false), ("--help", [], true), ("profile -h", ["profile"], false),
        ("profile add -h", ["profile", "add"], false),
        ("exec --help", ["exec"], true), ("exec web -qh", ["exec"], false), ("--json -h exec", [], false),
    ])
    func `accepts a help request anywhere on the line`(line: String, path: [String], isLong: Bool) throws {
        guard case .help(path, isLong) = Parser(SampleTree.tree).parse(words(line)).request else {
            Issue.record("'\(line)' is not parsed as the expected help request")
            return
        }
    }

    @Test func `does not look for a help request in the command to run`() throws {
        #expect(try call("exec web ls --help -h").commandWords == ["ls", "--help", "-h"])
    }

    @Test func `treats --version as the version command`() throws {
        #expect(try call("--version").spec.path == ["version"])
    }

    @Test(arguments: [
        ("", "missing command", "see 'vt help'"),
        ("profile", "'vt profile' requires a verb: add, show", "see 'vt help profile'"),
        ("exce web ls", "unknown command 'vt exce'", "did you mean 'vt exec'?"),
        ("prof add", "unknown command 'vt prof'", "did you mean 'vt profile'?"),
        ("profile ad x", "unknown command 'vt profile ad'", "did you mean 'vt profile add'?"),
        ("profile zebra", "unknown command 'vt profile zebra'", "see 'vt help profile'"),
        ("htop", "unknown command 'vt htop'", "see 'vt help'"),
        ("''", "unknown command 'vt '", "see 'vt help'"),
    ])
    func `reports a missing or unknown command with a hint`(line: String, message: String, hint: String) throws {
        #expect(try failure(line) == VTError(.usage, message, hint: hint))
    }

    @Test func `the words of a command are separate arguments`() throws {
        #expect(try failure(["profile add", "web"]).message == "unknown command 'vt profile add'")
    }

    @Test func `suggests a session for an unknown command if vt has a sessions command`() throws {
        let tree = SampleTree.tree(with: [CommandSpec(["sessions", "create"], summary: "start a session")])
        #expect(try failure("htop", tree).hint == "to run a program in a session: vt sessions create NAME -- htop")
    }

    @Test func `hidden commands run but are never suggested`() throws {
        let tree = SampleTree.tree(with: [CommandSpec(["relay"], summary: "relay bytes", isHidden: true)])
        #expect(try call("relay", tree).spec.path == ["relay"])
        #expect(try failure("relya", tree).hint == "see 'vt help'")
    }

    @Test func `a command that is not UTF-8 is unknown`() throws {
        #expect(try failure([ByteString([0xff])]).message == "unknown command 'vt \u{fffd}'")
    }
}
