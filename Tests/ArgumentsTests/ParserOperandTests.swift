import Arguments
import Core
import Testing

@Suite struct ParserOperandTests {
    @Test(arguments: [
        ("exec -p 22 host cmd -x", ["cmd", "-x"], false),
        ("exec host -p 22 cmd", ["cmd"], false),
        ("exec -l user host -- ls -la", ["ls", "-la"], true),
        ("exec host -- ls", ["ls"], true),
        ("exec -- host ls -- x", ["ls", "--", "x"], false),
        ("exec -- host -- ls", ["ls"], true),
        ("exec host -- -- ls", ["--", "ls"], true),
        ("exec host ls -- x", ["ls", "--", "x"], false),
        ("exec host -- --json", ["--json"], true),
        ("exec host - x", ["-", "x"], false),
        ("exec host '' x", ["", "x"], false),
    ])
    func `passes the words of the command unchanged`(line: String, command: [ByteString], hasSeparator: Bool) throws {
        let call = try call(line)
        #expect(call[SampleTree.target] == "host")
        #expect(call.commandWords == command)
        #expect(call.hasSeparator == hasSeparator)
    }

    @Test(arguments: [
        ("exec --all ls -x", ["ls", "-x"], false), ("exec --tag a --tag b -- ls", ["ls"], true),
        ("exec --all -- -- x", ["--", "x"], true),
    ])
    func `some options replace the target`(line: String, command: [ByteString], hasSeparator: Bool) throws {
        let call = try call(line)
        #expect(call[SampleTree.target] == nil)
        #expect(call.commandWords == command)
        #expect(call.hasSeparator == hasSeparator)
    }

    @Test func `words of the command need not be UTF-8`() throws {
        let broken = ByteString([0x80, 0xff])
        #expect(try call(["exec", "web", broken, broken]).commandWords == [broken, broken])
        #expect(try failure(["exec", broken, "ls"]).code == .usage)
    }

    @Test(arguments: [
        ("copy a b", ["a"], "b"), ("copy a b c", ["a", "b"], "c"), ("copy a b c d", ["a", "b", "c"], "d"),
    ])
    func `a list of operands leaves one word for the next operand`(line: String, sources: [String], target: String)
        throws
    {
        let call = try call(line)
        #expect(call[SampleTree.sources] == sources)
        #expect(call[SampleTree.directory] == target)
        #expect(call[SampleTree.note] == nil)
    }

    @Test(arguments: [
        ("profile add", "missing argument: NAME", "see 'vt help profile add'"),
        ("profile add a", "missing argument: DESTINATION", "see 'vt help profile add'"),
        ("profile add a b c", "unexpected argument 'c'", "see 'vt help profile add'"),
        ("profile show", "missing argument: NAME", "see 'vt help profile show'"),
        ("exec", "missing argument: TARGET", "see 'vt help exec'"),
        ("exec web", "missing argument: COMMAND", "see 'vt help exec'"),
        ("exec web --", "missing argument: COMMAND", "see 'vt help exec'"),
        ("exec --all", "missing argument: COMMAND", "see 'vt help exec'"),
        ("exec web --all ls", "unexpected argument 'web': '--all' replaces TARGET", "see 'vt help exec'"),
        ("version x", "unexpected argument 'x'", "see 'vt help version'"),
    ])
    func `reports a wrong number of operands`(line: String, message: String, hint: String) throws {
        #expect(try failure(line) == VTError(.usage, message, hint: hint))
    }

    @Test func `an operand is converted`() throws {
        let number = Operand("NUM") { text throws(VTError) in
            guard let number = Int(text) else { throw VTError(.usage, "'\(text)' is bad") }
            return number
        }
        let tree = SampleTree.tree(with: [CommandSpec(["typed"], summary: "read a value", operands: [number])])
        #expect(try call("typed 12", tree)[number] == 12)
        #expect(try failure("typed x", tree) == VTError(.usage, "'x' is bad", hint: "see 'vt help typed'"))
    }

    @Test func `the parser never traps`() {
        let pieces: [ByteString] = [
            "exec", "profile", "add", "-p", "--port=", "--", "-", "", "-qv", "--json", "web", "-h", "--help", "--all",
            "--=",
            "-=", "---", ByteString([0xff]),
        ]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let outcome = Parser(SampleTree.tree).parse([first, second, third])
                    guard case .reject(let error) = outcome.request else { continue }
                    #expect(error.code == .usage)
                    #expect(error.hint != nil)
                }
            }
        }
    }
}
