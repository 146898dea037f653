import TestSupport
import Testing

@Suite struct ZshCompletionTests {
    /// Completes a line in an interactive zsh on a pseudo-terminal, and prints the candidates.
    ///
    /// The driver replaces `compadd`, which receives all candidates, and ignores calls that only query or filter.
    private static let driver = #"""
        zmodload zsh/zpty
        zpty shell zsh -f -i
        inner='
        PS1= PS2=
        fpath=('${(q)1}' $fpath)
        autoload -Uz compinit && compinit -D -u
        compadd() {
            if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
            local -a offered
            builtin compadd -A offered "$@"
            print -rl -- $offered >>'${(q)3}'
            builtin compadd "$@"
        }
        report() { zle complete-word; print -n "<DO""NE>" }
        zle -N report
        bindkey "^I" report
        print "<REA""DY>"
        '
        zpty -w shell "$inner"
        zpty -r shell out '*<READY>*' || exit 1
        zpty -w -n shell "$2"$'\t'
        zpty -r shell out '*<DONE>*' || exit 1
        zpty -d shell
        cat $3
        """#

    private func offers(_ line: String) async throws -> [String] {
        let fixture = try CompletionFixture()
        let words = [fixture.scratch.path("completions"), line, try fixture.scratch.write("", to: "offers")]
        return try await fixture.lines("/usr/bin/zsh", ["-f", "-c", Self.driver, "zsh"] + words)
    }

    @Test(arguments: [
        ("vt ", ["profile", "exec", "copy", "version", "help", "hello"]), ("vt hel", ["help", "hello"]),
        ("vt --json pro", ["profile"]),
        ("vt --color never pro", ["profile"]),
        ("vt --color ", ["auto", "always", "never"]),
        ("vt profile ", ["add", "show"]),
        ("vt profile show w", ["web", "web-2"]),
        ("vt profile show web d", ["db"]),
        ("vt profile show --fields n", ["name", "note"]),
        ("vt profile show --fields name,h", ["host"]),
        ("vt profile show --filter n", ["name="]),
        ("vt profile add new ", ["web.example", "db.example", #"\[gate.example\]:2222"#]),
        (#"vt profile add new \[ga"#, [#"\[gate.example\]:2222"#]),
        ("vt profile add --jump w", ["web", "web-2"]),
        ("vt profile add --jump=w", ["web", "web-2"]),
        ("vt exec ", ["web", "web-2", "db", "local"]),
        ("vt exec web,d", ["web,db"]),
        ("vt exec -p 22 l", ["local"]),
        ("vt exec -p22 l", ["local"]),
        ("vt exec --stdin n", ["none"]),
        ("vt exec --tag ", ["eu", "us"]),
        ("vt exec web --pt", ["--pty"]),
        ("vt exec web cat no", ["notes.txt"]),
        ("vt exec --identity no", ["notes.txt"]),
        ("vt help e", ["exec", "exit-codes"]),
        ("vt copy no", ["notes.txt"]), ("vt copy w", ["web:", "web-2:"]),
        ("vt copy web:/srv/lo", ["web:/srv/log/", #"web:/srv/lost\ file"#]),
    ])
    func `completes the end of a line`(line: String, expected: [String]) async throws {
        let offered = try await offers(line)
        #expect(offered.sorted() == expected.sorted())
    }

    @Test func `offers local commands where a command starts`() async throws {
        #expect(try await offers("vt exec web basenam").contains("basename"))
    }
}
