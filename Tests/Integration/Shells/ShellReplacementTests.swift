import Foundation
import TestSupport
import Testing

/// Lines that replace parts of the shell: its program, its streams, its line editor.
@Suite(.crowded)
struct ShellReplacementTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private static let shells = TestShell.all.filter { $0.family != .sh }

    private func exec(_ words: String...) async throws -> ProgramResult {
        try await vt.call(["sessions", "exec"] + words).run()
    }

    @Test(arguments: TestShell.all)
    func `a program that replaces the shell and ends at once tells the status`(_ shell: TestShell) async throws {
        for status in 0..<5 {
            try await shell.start("s\(status)", with: vt)
            let result = try await exec("s\(status)", "exec sh -c 'exit \(status)'")
            #expect(result.exit == Int32(status), "\(result.errorText)")
        }
    }

    @Test(arguments: TestShell.all.filter { [.bash, .zsh].contains($0.family) })
    func `output through a filter is complete and without the token`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        #expect(try await exec("s", "exec > >(tee f) 2>&1; echo one").text == "one\n")
        for line in ["echo two; sh -c 'exit 4'", "sh -c 'echo three >&2; exit 5'"] {
            let result = try await exec("s", line)
            let isComplete = result.text.hasSuffix(line.contains("two") ? "two\n" : "three\n")
            #expect(isComplete && [4, 5].contains(result.exit), "\(result.text)\(result.errorText)")
        }
        let send = ["sessions", "send", "s", "sh -c 'exit 6'", "--enter", "--wait", "prompt", "--timeout", "60s"]
        #expect(try await vt.call(send + ["--json"]).run().json()["command_exit"] as? Int == 6)
        // The filter may show the prompt before it when the line is already running.
        let back = try await exec("s", "exec >/dev/tty 2>&1; echo back; exec 2>g")
        #expect(back.text.hasSuffix("back\n") && back.exit == 0, "\(back.text)\(back.errorText)")
        #expect(try await exec("s", "echo last; exec 2>/dev/tty >&-").exit == 0)
        let secret = try vt.shellToken()
        for file in ["f", "g"] {
            #expect(try !String(contentsOfFile: "\(vt.home)/\(file)", encoding: .utf8).contains(secret), "\(file)")
        }
    }

    @Test func `jobs in zsh have the numbers that they have when typed, and a failure is reported once`() async throws {
        let zsh = try #require(TestShell.all.first { $0.family == .zsh })
        try await zsh.start("s", ShellConfiguration("plain", "PS1='$ '"), with: vt)
        #expect(try await exec("s", "sleep 1000 & sleep 1001 &").text.contains(#/^\[1\] \d+\n\[2\] \d+\n$/#))
        #expect(try await exec("s", "kill %1 %2; wait").exit == 0)
        #expect(try await exec("s", "kill %1").exit == 1)
        #expect(try await exec("s", "setopt printexitvalue; trap 'echo ZERR' ZERR; sh -c 'exit 3'").exit == 3)
        let failed = try await exec("s", "false")
        #expect(failed.text.components(separatedBy: "ZERR").count == 2 && failed.exit == 1, "\(failed.text)")
        #expect(failed.text.components(separatedBy: "exit 1").count == 2, "\(failed.text)")
        #expect(try await exec("s", "alias open='echo \"'").exit == 0)
        #expect(try await exec("s", "--wait", "60s", "open").text.contains("unmatched"))
        #expect(try await exec("s", "echo next").text == "next\n")
    }

    /// What ble.sh does: it reads and shows the keys itself, and evaluates the lines.
    private static let editor = #"""
        BLE_VERSION=0.4.0
        ble_edit() {
            local key line
            while :; do
                printf '\r\e[Kble> %s' "$line" >/dev/tty
                IFS= read -rsN 1 key </dev/tty || exit
                case $key in
                $'\x15') line= ;;
                $'\e') ;;
                $'\n'|$'\r') printf '\n' >/dev/tty; eval "$line"; line= ;;
                *) line+=$key ;;
                esac
            done
        }
        ble-attach() { PROMPT_COMMAND=ble_edit; }
        """#

    @Test(arguments: [true, false])
    func `a shell with another line editor is in an unknown state, and takes typed lines`(
        _ isAttachedLater: Bool
    ) async throws {
        let bash = try #require(TestShell.all.first { $0.family == .bash })
        let attach =
            isAttachedLater ? "ble-attach() { :; }; PROMPT_COMMAND='n=$((n + 1)); ((n < 2)) || BLE_VERSION=1'" : ""
        let editor = isAttachedLater ? "" : Self.editor
        try await bash.start("s", ShellConfiguration("ble.sh", "\(editor)\n\(attach)\nble-attach"), with: vt)
        if isAttachedLater {
            try await vt.check("sessions", "wait", "s", "--prompt")
            try await vt.check("sessions", "send", "s", "true", "--enter")
        } else {
            try await vt.check("sessions", "wait", "s", "--match", "^ble> $", "--timeout", "60s")
        }
        let isUnknown = try await eventually {
            let shell = try await vt.run("sessions", "show", "s", "--json").json()["shell"] as? [String: Any]
            return shell?["state"] as? String == "unknown"
        }
        #expect(isUnknown)
        let refused = try await exec("s", "echo never")
        #expect(
            refused.exit == 255 && refused.errorText.contains("is not a shell that reports"),
            "\(refused.errorText)"
        )
        let typed = try await exec(
            "s",
            "--assume-shell",
            "bash",
            "--timeout",
            "60s",
            "echo out; echo error >&2; (exit 7)"
        )
        #expect((typed.text, typed.exit) == ("out\nerror\n", 7), "\(typed.errorText)")
    }
}
