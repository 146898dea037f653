import Arguments
import Core
import Testing

@Suite struct ParserOptionTests {
    @Test(arguments: [
        "exec --port 22 web ls", "exec --port=22 web ls", "exec -p 22 web ls", "exec -p22 web ls", "exec -tp22 web ls",
        "exec web -p 22 ls", "exec web --port=22 ls", "exec web -vvp 22 -- ls",
    ])
    func `a value can be separate or attached, before or after the target`(line: String) throws {
        let call = try call(line)
        #expect(call[SampleTree.port] == 22)
        #expect(call[SampleTree.target] == "web")
        #expect(call.commandWords == ["ls"])
    }

    @Test(arguments: ["--json -qq --color never profile add a b", "profile --json -q add --color=never a b -q"])
    func `global options can be anywhere`(line: String) throws {
        let outcome = Parser(SampleTree.tree).parse(words(line))
        #expect(outcome.globalOptions == GlobalOptions(json: true, quiet: true, color: .never))
        #expect(outcome.command?.path == ["profile", "add"])
    }

    @Test(arguments: [
        ("bogus --json", true), ("profile bogus --json", true), ("profile --bogus add --json", true),
        ("exec --bogus web --json -- ls", true), ("bogus -- --json", false), ("exec web ls --json", false),
        ("bogus", false),
    ])
    func `--json is recognized after the word that is rejected`(line: String, isJSON: Bool) {
        #expect(Parser(SampleTree.tree).parse(words(line)).globalOptions.json == isJSON)
    }

    @Test func `counts the occurrences of --verbose`() {
        let outcome = Parser(SampleTree.tree).parse(words("-v version --verbose -vv"))
        #expect(outcome.globalOptions.verbosity == 4)
    }

    @Test func `a repeatable option keeps the order of its values`() throws {
        let call = try call("exec --tag b --tag=a -- ls")
        #expect(call[SampleTree.tag] == ["b", "a"])
    }

    @Test func `a value can be empty or look like an option`() throws {
        #expect(try call("exec --user= web ls")[SampleTree.user] == "")
        #expect(try call("exec --user -x web ls")[SampleTree.user] == "-x")
        #expect(try call("exec --user=a=b web ls")[SampleTree.user] == "a=b")
    }

    @Test func `an option is accepted under its former name, which is not shown`() throws {
        let call = try call("profile add --via bastion web w.example")
        #expect(call[SampleTree.jump] == "bastion")
        #expect(!HelpText(SampleTree.tree, isLong: true).command(SampleTree.add).contains("--via"))
    }

    @Test func `two dashes end the options`() throws {
        let call = try call("profile add -- --jump -x")
        #expect(call[SampleTree.name] == "--jump")
        #expect(call[SampleTree.destination] == "-x")
        #expect(!call.contains(SampleTree.jump))
    }

    @Test func `a lone dash is an operand`() throws {
        #expect(try call("profile add - b")[SampleTree.name] == "-")
    }

    @Test func `an error for a value names the option`() throws {
        let message = "--port: 'x' is not a number from 1 to 99"
        #expect(try failure("exec -p x web ls") == VTError(.usage, message, hint: "see 'vt help exec'"))
    }

    @Test func `a flag is true if it was given`() throws {
        let call = try call("exec -t web ls")
        #expect(call[SampleTree.pty])
        #expect(!call[SampleTree.all])
    }

    @Test func `converts a choice to an enum case`() throws {
        #expect(try call("exec --stdin none web ls")[SampleTree.stdin] == SampleTree.Mode.none)
        #expect(try call("exec web ls")[SampleTree.stdin] == nil)
    }

    @Test(arguments: [
        ("exec --prot 22 web ls", "unknown option '--prot' for 'vt exec'", "did you mean '--port'?"),
        ("exec --por 22 web ls", "unknown option '--por' for 'vt exec'", "did you mean '--port'?"),
        ("exec --zebra web ls", "unknown option '--zebra' for 'vt exec'", "see 'vt help exec'"),
        ("exec -z web ls", "unknown option '-z' for 'vt exec'", "see 'vt help exec'"),
        ("profile add --agent a b", "unknown option '--agent' for 'vt profile add'", "see 'vt help profile add'"),
        ("--port 22 exec web ls", "unknown option '--port'", "see 'vt help'"),
        ("--jsn exec web ls", "unknown option '--jsn'", "did you mean '--json'?"),
        ("exec web -p", "option '-p' requires a value", "see 'vt help exec'"),
        ("exec web --port", "option '--port' requires a value", "see 'vt help exec'"),
        ("exec --pty=yes web ls", "option '--pty' does not take a value", "see 'vt help exec'"),
        ("exec -p 1 --port 2 web ls", "option '--port' given more than once", "see 'vt help exec'"),
        ("exec -tt web ls", "option '--pty' given more than once", "see 'vt help exec'"),
        ("exec --all --tag x ls", "options '--all' and '--tag' cannot be used together", "see 'vt help exec'"),
        ("-q -v version", "options '--quiet' and '--verbose' cannot be used together", "see 'vt help version'"),
        ("exec --stdin non web ls", "invalid value 'non' for '--stdin'", "did you mean 'none'?"),
        ("exec --stdin x web ls", "invalid value 'x' for '--stdin'", "use one of inherit, none"),
        ("--color red version", "invalid value 'red' for '--color'", "use one of auto, always, never"),
    ])
    func `an invalid option is reported with a hint`(line: String, message: String, hint: String) throws {
        #expect(try failure(line) == VTError(.usage, message, hint: hint))
    }

    @Test func `options and their values must be UTF-8`() throws {
        let broken = ByteString([0x66, 0xff])
        #expect(try failure(["version", "--" + broken]).code == .usage)
        #expect(try failure(["exec", "--user", broken, "web", "ls"]).code == .usage)
        #expect(try failure(["exec", "--user=" + broken, "web", "ls"]).code == .usage)
    }

    @Test func `does not show a value that is not UTF-8`() throws {
        let secret = ByteString(Array("hunter2".utf8) + [0xff])
        #expect(try failure(["exec", "--user", secret, "web", "ls"]).message == "the value of '--user' is not UTF-8")
        #expect(try failure(["exec", "--user=" + secret, "web", "ls"]).message == "option '--user' is not UTF-8")
    }

    @Test func `keeps the options parsed before an error`() {
        let outcome = Parser(SampleTree.tree).parse(words("--json exec --nope"))
        #expect(outcome.globalOptions.json)
        #expect(outcome.command?.passesStatusThrough == true)
    }
}
