import TestSupport
import Testing

@Suite struct BashCompletionTests {
    /// Splits the line into words as readline does, and requests the completions at its end.
    private static let driver = #"""
        source "$1"
        COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=() rest=$2 break='=:'
        while [[ -n $rest ]]; do
            rest=${rest#"${rest%%[! ]*}"}
            if [[ $rest == [=:]* ]]; then
                word=${rest%%[!=:]*}
            else
                word=${rest%%[ =:]*}
            fi
            [[ -n $word ]] && COMP_WORDS+=("$word")
            rest=${rest#"$word"}
        done
        [[ $2 == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _vt
        ((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
        exit 0
        """#

    private func replies(_ line: String) async throws -> [String] {
        let fixture = try CompletionFixture()
        let script = fixture.scratch.path("completions/vt.bash")
        return try await fixture.lines("/bin/bash", ["--norc", "-c", Self.driver, "bash", script, line])
    }

    @Test(arguments: [
        ("vt ", ["profile", "exec", "copy", "version", "help", "hello"]), ("vt hel", ["help", "hello"]),
        ("vt ex", ["exec"]),
        ("vt --json pro", ["profile"]),
        ("vt --color never pro", ["profile"]),
        ("vt profile ", ["add", "show"]),
        ("vt profile -q a", ["add"]),
        ("vt profile show w", ["web", "web-2"]),
        ("vt profile show web d", ["db"]),
        ("vt profile show --fields n", ["name", "note"]),
        ("vt profile show --fields name,h", ["name,host"]),
        ("vt profile show --filter n", ["name="]),
        ("vt profile show --fields=name,h", ["name,host"]), ("vt profile show --filter=na", ["name="]),
        ("vt profile add new ", ["web.example", "db.example", #"\[gate.example\]:2222"#]),
        ("vt profile add new [", [#"\[gate.example\]:2222"#]),
        (#"vt profile add new \[ga"#, [#"\[gate.example\]:2222"#]),
        ("vt profile add new '[ga", ["[gate.example]:2222"]),
        (#"vt profile add new \[gate.example\]:2"#, ["2222"]),
        ("vt profile add new [gate.example]:", ["2222"]),
        ("vt profile add --jump ", ["web", "web-2", "db"]),
        ("vt profile add --jump=w", ["web", "web-2"]),
        ("vt profile add --jump= ", []),
        ("vt profile add --no", ["--no-agent"]),
        ("vt exec ", ["web", "web-2", "db", "local"]),
        ("vt exec web,d", ["web,db"]),
        ("vt exec -p 22 l", ["local"]),
        ("vt exec -p ", []),
        ("vt exec --st", ["--stdin"]),
        ("vt exec --stdin ", ["inherit", "none"]),
        ("vt exec --stdin=", ["inherit", "none"]),
        ("vt exec --stdin=n", ["none"]),
        ("vt exec --color=al", ["always"]),
        ("vt exec --tag ", ["eu", "us"]),
        ("vt exec web --pt", ["--pty"]),
        ("vt exec web -- bashb", ["bashbug"]),
        ("vt exec --all bashb", ["bashbug"]),
        ("vt exec web cat no", ["notes.txt"]),
        ("vt exec web ls --pt", []),
        ("vt exec --identity n", ["new", "notes.txt"]),
        ("vt help e", ["exec", "exit-codes"]),
        ("vt help profile ", ["add", "show"]),
        ("vt copy n", ["new", "notes.txt"]), ("vt copy ./n", ["./new", "./notes.txt"]),
        ("vt copy w", ["web:", "web-2:"]),
        ("vt copy web:/srv/lo", ["/srv/log/", #"/srv/lost\ file"#]),
        ("vt copy -- -", []),
        ("vt version ", []),
        ("vt nonsense ", []),
    ])
    func `completes the end of a line`(line: String, expected: [String]) async throws {
        #expect(try await replies(line).sorted() == expected.sorted())
    }

    @Test func `offers every option of a command`() async throws {
        let options = try await replies("vt profile add -")
        #expect(Set(options).isSuperset(of: ["--jump", "--no-agent", "--json", "-q", "--color", "--help"]))
    }
}
