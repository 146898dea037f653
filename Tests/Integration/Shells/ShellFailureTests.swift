import Foundation
import TestSupport
import Testing

/// Lines that fail, in shells that report failures: the same is reported as for a line that is typed.
@Suite(.crowded)
struct ShellFailureTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private static let bash = [
        "false", "(exit 3)", "true | (exit 4)", "f() { return 5; }", "f", "$(exit 6)", "false && true", "false || f",
        "if false; then :; fi", "! true", "true; false; true", "((0))", "[[ a = b ]]", "eval false",
        "command false", "{ false; }", "x=$(false)", "set -E", "f", "$(f)", "set +E", "set -T", "f", "set +T",
        "trap -p ERR", "trap 'echo \"<other $?>\"' ERR; false", "false", "trap '' ERR; trap -p ERR; false", "f",
        "trap - ERR; false", "trap -p ERR; false", "trap 'echo again' ERR", "false", "trap 'echo DEBUG' DEBUG",
        "true; f",
        "trap - DEBUG", "builtin() { echo no; }", "false",
    ]

    @Test(arguments: ["", "set +o emacs +o vi", "readonly PROMPT_COMMAND="])
    func `bash runs a trap for failures as often as for a typed line`(_ setting: String) async throws {
        let bash = try #require(TestShell.all.first { $0.family == .bash })
        let trap = "trap 'echo \"<$? $BASH_COMMAND>\"' ERR"
        for name in ["typed", "passed"] {
            try await bash.start(name, ShellConfiguration("trap", "PS1='$ '\n\(setting)\n\(trap)"), with: vt)
            try await vt.check("sessions", "wait", name, "--prompt")
        }
        // There, the line is sourced, and bash restores a DEBUG trap after that.
        for line in Self.bash where !setting.hasPrefix("set") || !line.contains("DEBUG") {
            let send = ["sessions", "send", "typed", line, "--enter", "--wait", "prompt", "--print", "--json"]
            let typed = try await vt.call(send + ["--timeout", "60s"]).run().json()
            let passed = try await vt.run("sessions", "exec", "passed", "--json", "--", line).json()
            #expect(passed["output"] as? String == typed["output"] as? String, "\(line)")
            let status = (passed["exit"] as? [String: Any])?["code"] as? Int
            #expect(status == typed["command_exit"] as? Int, "\(line)")
        }
        let wrong = try await vt.run("sessions", "exec", "passed", ")")
        #expect(wrong.exit == 2 && wrong.text.contains("syntax error") && !wrong.text.contains("<"), "\(wrong.text)")
        // Here it ends the shell.
        for (line, output) in [("set -e; false || f || true", "<5 return 5>\n"), ("(exit 7)", "")] {
            let result = try await vt.run("sessions", "exec", "passed", line)
            #expect(result.exit == (output.isEmpty ? 7 : 0), "\(line): \(result.text)")
        }
    }

    @Test func `zsh reports a failure once, and numbers jobs as if the line had been typed`() async throws {
        let zsh = try #require(TestShell.all.first { $0.family == .zsh })
        let text = "PS1='$ '; setopt printexitvalue correctall; trap 'print ZERR' ZERR"
        try await zsh.start("s", ShellConfiguration("trap", text), with: vt)
        let lines = [
            "false # comment", "# comment\nfalse\n# 'comment", "false '!' a!b !$", "false ^a^b", "^a^b # a",
            "false \\\\",
            "cat <<E >/dev/null; false\nfoo\nE", "flase() { false; }; flase", "false;", "\nfalse\n",
            "cat <<-'E' <<E >/dev/null; false # <<E\n\tx\nE\nE\n",
        ]
        for (index, line) in (lines + lines.reversed()).enumerated() {
            let result = try await vt.run("sessions", "exec", "s", "--wait", "60s", "--", line)
            let reports = result.text.matches(of: /ZERR|exit 1/).count
            #expect(
                reports == 2 && [1, 127].contains(result.exit),
                "\(index): \(line): \(result.text)\(result.errorText)"
            )
        }
        let jobs = ["sleep 1000 & # a", "sleep 1001 <<E &\nE", "sleep 1002 & :"]
        for (number, line) in jobs.enumerated() {
            let result = try await vt.run("sessions", "exec", "s", line)
            #expect(result.text.contains("[\(number + 1)] "), "\(line): \(result.text)")
        }
        #expect(try await vt.run("sessions", "exec", "s", "kill %1 %2 %3; wait").exit == 0)
        let settings = try await vt.run(
            "sessions",
            "exec",
            "s",
            "print -r - \"$histchars${CORRECT_IGNORE-unset}$options[interactivecomments]$options[banghist]\" # x"
        )
        #expect(settings.text == "!^#unsetoffon\n", "\(settings.text)")
    }

    @Test func `zsh runs a line that aliases make incomplete or wrong`() async throws {
        let zsh = try #require(TestShell.all.first { $0.family == .zsh })
        try await zsh.start("s", ShellConfiguration("plain", "alias open='echo \"' wrong='echo )'"), with: vt)
        for (line, message) in [("open", "unmatched"), ("wrong", "parse error near")] {
            let result = try await vt.run("sessions", "exec", "s", "--wait", "60s", line)
            #expect(result.text.contains(message) && result.exit == 1, "\(line): \(result.text)\(result.errorText)")
            #expect(try await vt.run("sessions", "exec", "s", "echo next").text == "next\n")
        }
    }
}
