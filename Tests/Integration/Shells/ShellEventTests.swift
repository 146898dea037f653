import Foundation
import TestSupport
import Testing

/// Lines that end, stop, replace or disturb the shell, or that others disturb.
@Suite(.crowded)
struct ShellEventTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// Runs a line, and returns the output and the status.
    private func exec(_ session: String, _ line: String) async throws -> (output: String, status: Int32?) {
        let result = try await vt.run("sessions", "exec", session, "--raw", "--wait", "60s", "--", line)
        #expect(result.errors.isEmpty, "\(line): \(result.errorText)")
        return (result.text.replacingOccurrences(of: "\r\n", with: "\n"), result.exit)
    }

    /// Checks that lines are still exact.
    private func checkNext(_ session: String) async throws {
        let (output, status) = try await exec(session, "echo next; sh -c 'exit 3'")
        #expect((output, status) == ("next\n", 3))
    }

    @Test(arguments: TestShell.all)
    func `the end and the replacement of the shell are reported`(_ shell: TestShell) async throws {
        for (line, status) in [("exit 7", 7), ("kill -9 \(shell.processID)", 137)] as [(String, Int32)] {
            try await shell.start("\(status)", with: vt)
            let ended = try await vt.run("sessions", "exec", "\(status)", line)
            #expect(ended.exit == status)
            #expect(ended.errorText.hasSuffix("has ended\n"), "\(ended.errorText)")
            #expect(try await vt.run("sessions", "wait", "\(status)", "--exit").exit == status)
            #expect(try await vt.run("sessions", "exec", "\(status)", "echo").exit == 255)
        }
        try await shell.start("s", with: vt)
        let line = "exec \(shell.testDescription)"
        let result = try await vt.run("sessions", "exec", "s", "--json", line).json()
        #expect(result["outcome"] as? String == "replaced")
        #expect(result["exit"] == nil)
    }

    @Test(arguments: TestShell.all)
    func `a command that stops or is interrupted has its status`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        for (key, statuses) in [("C-z", [148, 146, 0]), ("C-c", [130])] as [(String, [Int32])] {
            let line = "sh -c 'echo up; exec sleep 1000'"
            let running = try vt.start("sessions", "exec", "s", line)
            try await running.output.read(until: "up\n")
            try await vt.check("sessions", "send", "s", "--key", key)
            guard case .exited(let status) = try await running.wait() else { continue }
            #expect(statuses.contains(status), "\(key)")
            try await checkNext("s")
        }
        _ = try await exec("s", "kill -9 %1 2>/dev/null; true")
        let own = try await vt.run("sessions", "exec", "s", "--wait", "60s", "sh -c 'kill -STOP $$; echo never'")
        #expect([147, 145, 0].contains(own.exit) && !own.text.contains("never\n"), "\(own.text)")
        try await checkNext("s")
    }

    @Test(arguments: TestShell.all)
    func `a command can read the terminal`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        let line = shell.family == .fish ? "echo up; head -n 1" : "echo up; read -r x; echo \"$x\""
        let running = try vt.start("sessions", "exec", "s", line)
        try await running.output.read(until: "up\n")
        try await vt.check("sessions", "send", "s", "typed", "--enter")
        #expect(await String(decoding: running.output.readToEnd(), as: UTF8.self) == "typed\ntyped\n")
        #expect(try await running.wait() == .exited(0))
        try await checkNext("s")
    }

    @Test(arguments: TestShell.all)
    func `the output of a process in the background is not that of the next line`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        _ = try await exec("s", "mkfifo gate; sh -c 'read x <gate; echo late' &")
        try await vt.check("sessions", "wait", "s", "--prompt")
        try await ProgramCall("sh", ["-c", "echo >'\(vt.home)/gate'"]).check()
        try await vt.check("sessions", "wait", "s", "--from", "0", "--match", "^[^'<]*late$")
        let (output, status) = try await exec("s", "echo now; sh -c 'exit 4'")
        // bash reports the end of the process here, with its command.
        #expect(output.contains("now\n") && !"\n\(output)".contains("\nlate\n") && status == 4, "\(output)")
        // Its output during a line is indistinguishable, but the status is not.
        _ = try await exec("s", "sh -c 'yes | head -c 3000000' &")
        #expect(try await exec("s", "sh -c 'exit 5'").status == 5)
    }

    @Test(arguments: TestShell.all.filter { $0.family != .sh })
    func `text that a person has typed is still there after a line`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        try await vt.check("sessions", "send", "s", "echo par")
        #expect(try await eventually { try await vt.check("sessions", "screen", "s").contains("echo par") })
        let (output, status) = try await exec("s", "echo line; sh -c 'exit 6'")
        #expect((output, status) == ("line\n", 6))
        try await vt.check("sessions", "wait", "s", "--prompt")
        // The prompt is not drawn again and again.
        try await vt.check("sessions", "wait", "s", "--idle", "300ms", "--timeout", "1m")
        try await vt.check("sessions", "send", "s", "tial", "--enter")
        #expect(try await eventually { try await vt.check("sessions", "screen", "s").contains("\npartial\n") })
        try await checkNext("s")
    }

    @Test func `text is restored in a bash whose prompt repeats all marks when it is drawn again`() async throws {
        let shell = try #require(TestShell.all.first { $0.family == .bash })
        let configuration = ShellConfiguration("read-only", "PROMPT_COMMAND=true; readonly PROMPT_COMMAND")
        try await shell.start("s", configuration, with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        try await vt.check("sessions", "send", "s", "echo par")
        #expect(try await exec("s", "echo line; sh -c 'exit 6'").status == 6)
        try await vt.check("sessions", "wait", "s", "--idle", "300ms", "--timeout", "1m")
        try await vt.check("sessions", "send", "s", "tial", "--enter")
        try await vt.check("sessions", "wait", "s", "--match", "^partial$", "--from", "0", "--timeout", "1m")
    }

    @Test(arguments: TestShell.all)
    func `hooks that are replaced during the session are put back`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        for line in Self.replacements(in: shell) {
            _ = try await exec("s", line)
            let next = try await exec("s", "echo one; sh -c 'exit 4'")
            #expect(next == ("one\n", 4), "after \(line)")
            try await enter(line, in: shell)
            let last = try await exec("s", "echo two; sh -c 'exit 5'")
            #expect(last == ("two\n", 5), "after typing \(line)")
        }
    }

    /// Types a line, and waits until its command has ended; dash and ash show no marks after `PS1=…`.
    private func enter(_ line: String, in shell: TestShell) async throws {
        func status() async throws -> (progress: Int, isAtPrompt: Bool) {
            let session = try await vt.run("sessions", "show", "s", "--json").json()
            let status = session["shell"] as? [String: Any] ?? [:]
            return (status["turn"] as? Int ?? 0, status["state"] as? String == "prompt")
        }
        try await vt.check("sessions", "wait", "s", "--prompt")
        let start = try await status().progress
        try await vt.check("sessions", "send", "s", line, "--enter")
        guard shell.family != .sh else { return }
        let hasEnded = try await eventually {
            let status = try await status()
            return status.isAtPrompt && status.progress > start
        }
        #expect(hasEnded, "\(line)")
    }

    private static func replacements(in shell: TestShell) -> [String] {
        switch shell.family {
        case .bash:
            [
                "PROMPT_COMMAND=x=1", "PROMPT_COMMAND=(x=1)", "unset PROMPT_COMMAND", "PS1='new$ '",
                "PROMPT_COMMAND=\"$PROMPT_COMMAND; x=2\"", "PROMPT_COMMAND+=('x=3' 'x=4')", "PS1=\"(venv) $PS1\"",
                "trap 'x=$BASH_COMMAND' DEBUG", "trap - DEBUG", "builtin() { echo no; }", "unset -f builtin",
                "printf() { echo no; }", "set -o vi", "set -o emacs", "unset HISTCONTROL", "history -c", "set -u",
                "shopt -s extdebug", "shopt -u extdebug", "IFS=_v", "LC_ALL=C", "readonly PS1",
                "readonly PROMPT_COMMAND",
            ]
        case .zsh:
            [
                "precmd_functions=() preexec_functions=() zshaddhistory_functions=()",
                "precmd() { : }; preexec() { : }; precmd_functions=(x); x() { : }", "zle -N zle-line-init x",
                "zle -N zle-line-finish x", "zle -D zle-line-init", "unsetopt promptsp", "PS1=new PS2=",
                "bindkey -e; bindkey -N m emacs; bindkey -A m main", "bindkey -v", "bindkey -d", "setopt promptsp",
                "unset precmd_functions preexec_functions", "zmodload -u zsh/sched", "emulate ksh", "emulate zsh",
                "setopt noaliases", "IFS=_v", "LC_ALL=C", "set -u", "builtin() { command echo no }",
                "typeset -r precmd_functions zshaddhistory_functions",
            ]
        case .fish:
            [
                "functions -e fish_prompt", "function fish_prompt; echo 'new> '; end", "fish_vi_key_bindings",
                "fish_default_key_bindings", "bind --erase --all", "set -g IFS ''",
                "function printf; echo no; end", "functions -e printf", "set -gx LC_ALL C",
            ]
        case .sh:
            [
                "PS1='new> '", "PS2='more> '", "PS1=\"(venv) $PS1\"", "printf() { echo no; }", "unset -f printf",
                "IFS=_v", "LC_ALL=C", "set -u", "unset PS1 PS2", "readonly PS1",
            ]
        }
    }

    @Test(arguments: TestShell.all.filter { $0.command != ["busybox", "ash"] })
    func `100 MB of output are complete`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        let line = "head -c 100000000 /dev/zero | tr '\\0' x; sh -c 'exit 9'"
        let count = try await vt.bash("vt sessions exec s --raw \"$1\" | wc -c; echo ${PIPESTATUS[0]}", line)
        #expect(count.text == "100000000\n9\n", "\(count.errorText)")
        let words = ["sessions", "exec", "s", "--wait", "60s", "--raw", "--json", "--max-output", "1000", line]
        let limited = try await vt.call(words).run().json()
        #expect(limited["output"] as? String == String(repeating: "x", count: 1000))
        #expect(limited["truncated"] as? Int == 99_999_000)
        #expect((limited["exit"] as? [String: Any])?["code"] as? Int == 9)
    }
}
