import Foundation
import TestSupport
import Testing

/// Waits for the prompt after a line, for shells whose prompts are slow, or print marks themselves.
@Suite(.crowded)
struct PromptMatrixTests {
    private let vt: Vt

    /// The number of lines in each way; more take longer than a run of all tests should.
    private static let rounds = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? 1

    init() throws {
        vt = try Vt()
    }

    struct Setup: Sendable, CustomTestStringConvertible {
        let shell: TestShell
        let configuration: ShellConfiguration

        var testDescription: String { "\(shell.testDescription): \(configuration.name)" }
    }

    static let setups = TestShell.all.flatMap { shell in
        ShellConfiguration.prompts(of: shell.family).map { Setup(shell: shell, configuration: $0) }
    }

    @Test(arguments: setups)
    func `a wait after a line ends with the prompt after that line`(_ setup: Setup) async throws {
        for round in 0..<Self.rounds {
            let name = "s\(round)"
            try await setup.shell.start(name, setup.configuration, with: vt)
            // Sent while the shell is starting.
            try await check(name, status: 3, printsNothing: setup.shell.family != .sh)
            for (index, status) in (4..<6).enumerated() {
                // Sent while the prompt after the first line is still to come.
                try await vt.check("sessions", "exec", name, "true")
                let printsNothing = setup.shell.family != .sh && index > 0
                try await check(name, status: status, waitsSeparately: index == 0, printsNothing: printsNothing)
            }
            try await vt.check("sessions", "kill", name)
        }
    }

    @Test(arguments: [("bash --noprofile --norc -i", "PS1"), ("dash -i", "PS1")])
    func `a prompt of a shell without a hook counts once the shell reads input`(
        _ shell: (command: String, prompt: String)
    ) async throws {
        for round in 0..<Self.rounds {
            let name = "s\(round)"
            let prompt = "$(sleep 0.2)\u{1B}]133;A\u{07}$ \u{1B}]133;B\u{07}"
            let options = ["--env", "\(shell.prompt)=\(prompt)", "--cwd", vt.home, "--"]
            // The shell is that of another program, so it gets no hook.
            try await vt.call(["sessions", "create", name] + options + ["sh", "-c", "exec env \(shell.command)"])
                .check()
            for status in 3..<6 {
                let line = Self.line(status)
                try await vt.check("sessions", "send", name, ":", "--enter")
                try await vt.check("sessions", "send", name, line, "--enter", "--wait", "prompt", "--timeout", "60s")
                #expect(try status == Int(String(contentsOfFile: "\(vt.home)/ended", encoding: .utf8)))
            }
            try await vt.check("sessions", "kill", name)
        }
    }

    @Test func `a program whose threads end does not look as if it waited for input`() async throws {
        let program = try vt.writeElsewhere(
            """
            import threading, time

            def work():
                while True:
                    threads = [threading.Thread(target=time.sleep, args=(0.0001,)) for _ in range(20)]
                    for thread in threads: thread.start()
                    for thread in threads: thread.join()

            threading.Thread(target=work, daemon=True).start()
            print("\\033]133;A\\a$ \\033]133;B\\a", end="", flush=True)
            time.sleep(1000)
            """,
            to: "threads.py"
        )
        try await vt.check("sessions", "create", "s", "--", TestTree.python, program)
        let result = try await vt.run("sessions", "wait", "s", "--prompt", "--timeout", "5s")
        #expect(result.exit == 124, "\(result.text)\(result.errorText)")
    }

    /// A line that takes a moment, and leaves its status in a file.
    private static func line(_ status: Int) -> String { "sleep 0.2; sh -c 'printf \(status) >~/ended; exit \(status)'" }

    /// Sends a line that exits with a status, and checks that the wait reports its end.
    ///
    /// Where the shell reports its commands, what it shows before the line is not output.
    private func check(
        _ session: String,
        status: Int,
        waitsSeparately: Bool = false,
        printsNothing: Bool
    ) async throws {
        let send = ["sessions", "send", session, Self.line(status), "--enter"]
        var wait = send + ["--wait", "prompt"] + (printsNothing ? ["--print"] : [])
        if waitsSeparately {
            try await vt.call(send).check()
            wait = ["sessions", "wait", session, "--prompt"]
        }
        let result = try await vt.call(wait + ["--json", "--timeout", "60s"]).run()
        let written = try? String(contentsOfFile: "\(vt.home)/ended", encoding: .utf8)
        #expect(written == "\(status)", "\(result.text)\(result.errorText)")
        let document = try result.json()
        #expect(document["command_exit"] as? Int == status, "\(result.text)\(result.errorText)")
        if printsNothing { #expect(document["output"] as? String == "", "\(result.text)") }
    }
}

extension ShellConfiguration {
    private static let marked = "\u{1B}]133;A\u{07}$ \u{1B}]133;B\u{07}"

    /// Prompts that are slow or print marks.
    fileprivate static func prompts(of family: TestShell.Family) -> [Self] {
        switch family {
        case .bash:
            [
                Self("plain", "PS1='$ '"),
                Self("slow hook", "PROMPT_COMMAND='sleep 0.3'"),
                Self("slow prompt", "PS1='$(sleep 0.3)$ '"),
                Self("marks in the prompt", "PROMPT_COMMAND='sleep 0.1'; PS1='\\[\(marked)\\]'"),
                Self("transient prompt", "PS1='\\[\(marked)\\]'; PS0='\\e[A\\r\\e[J\(marked)\\n'"),
                Self("no start file"),
            ]
        case .zsh:
            [
                Self("plain", "PS1='$ '"),
                Self("slow hook", "precmd() { sleep 0.3 }"),
                Self("slow prompt", "setopt promptsubst; PS1='$(sleep 0.3)$ '"),
                Self("marks in the prompt", "precmd() { sleep 0.1 }; PS1='%{\(marked)%}'"),
                Self(
                    "transient prompt",
                    """
                    PS1='%{\(marked)%}long$ '
                    zle-line-finish() { PS1='%{\(marked)%}'; zle .reset-prompt; PS1='%{\(marked)%}long$ ' }
                    zle -N zle-line-finish
                    """
                ),
                // Without it, zsh asks a question.
                Self("empty start file", ""),
            ]
        case .fish:
            [
                Self("plain", "function fish_prompt; printf '$ '; end"),
                Self("slow hook", "function slow --on-event fish_prompt; sleep 0.3; end"),
                Self("slow prompt", "function fish_prompt; sleep 0.3; printf '$ '; end"),
                Self(
                    "marks in the prompt",
                    "function fish_prompt; sleep 0.1; printf '\\e]133;A\\a$ \\e]133;B\\a'; end"
                ),
                Self(
                    "transient prompt",
                    """
                    function fish_prompt
                        set -q transient; and printf '\\e]133;A\\a> \\e]133;B\\a'; or printf '\\e]133;A\\along$ \\e]133;B\\a'
                        set -e transient
                    end
                    function shorten; set -g transient; commandline -f repaint execute; end
                    bind \\r shorten
                    """
                ),
                Self("no start file"),
            ]
        case .sh:
            [
                Self("plain", "PS1='$ '"), Self("slow prompt", "PS1='$(sleep 0.3)$ '"),
                Self("marks in the prompt", "PS1='$(sleep 0.1)\(marked)'"), Self("no start file"),
            ]
        }
    }
}
