import Core
import Testing

@testable import Commands

struct MCPWordingTests {
    private func wording(_ name: String = "run", _ tools: [MCPTool] = MCPTool.all) throws -> MCPWording {
        MCPWording(tool: try #require(MCPTool.all.first { $0.name == name }), tools: tools)
    }

    @Test(arguments: [
        (
            "to see the output, use 'vt sessions logs dev --plain --from 5552'",
            "to see the output, use 'read' with target=dev, from=5552"
        ),
        ("to list the sessions, use 'vt sessions list'", "to list the sessions, use 'sessions'"),
        ("for details, use 'vt sessions show dev'", "for details, use 'sessions'"),
        (
            "if it asks for input, use 'vt sessions send web:dev TEXT --enter --wait prompt --print'",
            "if it asks for input, use 'send' with target=web:dev, text=TEXT, enter=true, wait=prompt"
        ),
        ("to wait for it, use --wait; if there is another shell, use --no-such", "to wait for it, use wait_s"),
        ("see 'vt profile list', or use USER@HOST", "see 'profiles', or use USER@HOST"),
        (
            "to continue it, use 'vt sessions resume dev'",
            "to continue it, ask the user to run 'vt sessions resume dev'"
        ),
        ("use COLSxROWS, such as 80x24", "use COLSxROWS, such as 80x24"),
        ("for another directory, use '--wait 1s' with a time", "for another directory, use 'wait_s 1s' with a time"),
    ])
    func `hints name tools and parameters`(hint: String, expected: String) throws {
        #expect(try wording().hint(hint) == expected)
    }

    @Test(arguments: ["see 'vt help sessions wait'", "add --no-such", "use '--plain' or --plain"])
    func `a hint that does not apply is dropped`(hint: String) throws {
        #expect(try wording().hint(hint) == nil)
    }

    @Test func `messages name parameters`() throws {
        #expect(try wording("create").text("--size: invalid terminal size 'x'") == "size: invalid terminal size 'x'")
        #expect(try wording("create").text("--other: invalid") == "--other: invalid")
    }

    @Test func `the end of a session has a hint with the tools that the client can call`() throws {
        let ended = VTError(.ended, "'dev' has ended", hint: "for details, use 'vt sessions show dev'")
        #expect(
            try wording().error(ended).hint
                == "to see its output, use 'read'; to start it again, use 'create' with if_exists=ok"
        )
        #expect(try wording("wait", MCPTool.all.filter { $0.name == "wait" }).error(ended).hint == nil)
    }
}
