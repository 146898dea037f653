import TestSupport
import Testing

@Suite struct FishCompletionTests {
    /// Returns the candidates of fish's own completion, without the descriptions after the tab.
    private func candidates(_ line: String) async throws -> [String] {
        let fixture = try CompletionFixture()
        let ask = "source $argv[1]; complete -C $argv[2]"
        let script = fixture.scratch.path("completions/vt.fish")
        let lines = try await fixture.lines("/usr/bin/fish", ["--no-config", "-c", ask, script, line])
        return lines.map { String($0.prefix { $0 != "\t" }) }
    }

    @Test(arguments: [
        ("vt ", ["profile", "exec", "copy", "version", "help", "hello"]), ("vt hel", ["help", "hello"]),
        ("vt --json pro", ["profile"]),
        ("vt --color never pro", ["profile"]),
        ("vt profile ", ["add", "show"]),
        ("vt profile show w", ["web", "web-2"]),
        ("vt profile show web d", ["db"]),
        ("vt profile show --fields n", ["name", "note"]),
        ("vt profile show --fields name,h", ["name,host"]),
        ("vt profile show --filter n", ["name="]),
        ("vt profile add new ", ["web.example", "db.example", "[gate.example]:2222"]),
        ("vt profile add new [ga", ["[gate.example]:2222"]),
        ("vt profile add --jump w", ["web", "web-2"]),
        ("vt profile add --jump=w", ["--jump=web", "--jump=web-2"]),
        ("vt exec ", ["web", "web-2", "db", "local"]),
        ("vt exec web,d", ["web,db"]),
        ("vt exec -p 22 l", ["local"]),
        ("vt exec --stdin ", ["inherit", "none"]),
        ("vt exec --tag ", ["eu", "us"]),
        ("vt exec web --pt", ["--pty"]),
        ("vt exec web cat no", ["notes.txt"]),
        ("vt exec web ls --pt", []),
        ("vt exec --identity no", ["notes.txt"]),
        ("vt help e", ["exec", "exit-codes"]),
        ("vt copy no", ["notes.txt"]), ("vt copy w", ["web:", "web-2:"]),
        ("vt copy web:/srv/lo", ["web:/srv/log/", "web:/srv/lost file"]),
        ("vt version ", []),
    ])
    func `completes the end of a line`(line: String, expected: [String]) async throws {
        #expect(try await candidates(line).sorted() == expected.sorted())
    }

    @Test func `offers local commands where a command starts`() async throws {
        #expect(try await candidates("vt exec web basenam").contains("basename"))
        #expect(try await candidates("vt exec --all basenam").contains("basename"))
    }
}
