import Foundation
import TestSupport
import Testing

/// Marks of prompts (OSC 133) that are printed while the session's shell is running a command.
@Suite(.crowded)
struct PromptMarkTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private static let mark = "\u{1B}]133;A\u{07}$ \u{1B}]133;B\u{07}"

    private func send(_ line: String, _ options: String...) async throws -> ProgramResult {
        let words = ["sessions", "send", "s", line, "--enter", "--wait", "prompt", "--timeout", "60s", "--json"]
        return try await vt.call(words + options).run()
    }

    @Test(arguments: TestShell.all)
    func `marks that a program prints do not end a wait while it runs`(_ shell: TestShell) async throws {
        try Data(Self.mark.utf8).write(to: URL(fileURLWithPath: "\(vt.home)/m"))
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        let result = try await send("cat m; sleep 1.3; sh -c 'echo end; exit 4'", "--print").json()
        #expect(result["command_exit"] as? Int == 4)
        #expect((result["output"] as? String)?.hasSuffix("end\n") == true, "\(result)")
    }

    @Test(arguments: TestShell.all)
    func `the prompt of a shell in the session counts once that shell reads input`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        let script = "export PS1='$(sleep 0.2)\(Self.mark)'\nexec bash --norc --noprofile"
        try Data(script.utf8).write(to: URL(fileURLWithPath: "\(vt.home)/inner"))
        let started = try await send("sh inner").json()
        #expect(started["condition"] as? String == "prompt")
        let line = "sleep 1.3; printf done >\(vt.home)/ended"
        #expect(try await send(line).exit == 0)
        #expect(try String(contentsOfFile: "\(vt.home)/ended", encoding: .utf8) == "done")
        #expect(try await send("exit 6").json()["command_exit"] as? Int == 6)
    }

    @Test(arguments: TestShell.all)
    func `a wait after an interrupt at the prompt ends with a prompt`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        for text in ["", "abc"] {
            if !text.isEmpty { try await vt.check("sessions", "send", "s", text) }
            try await vt.check("sessions", "send", "s", "--key", "C-c", "--wait", "prompt", "--timeout", "60s")
        }
        // fish ignores an interrupt that arrives while it paints, so that the text may still be there.
        try await vt.check("sessions", "send", "s", "--key", "C-u")
        let result = try await send("sh -c 'exit 5'")
        #expect(try result.json()["command_exit"] as? Int == 5, "\(result.text) \(result.errorText)")
    }

    @Test(arguments: TestShell.all)
    func `input for a running command is not followed by a command`(_ shell: TestShell) async throws {
        try await shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        try await vt.check("sessions", "send", "s", "head -n 1 >answer", "--enter")
        let isReading = try await eventually {
            let session = try await vt.run("sessions", "show", "s", "--json").json()
            let shell = session["shell"] as? [String: Any]
            return session["reading"] as? Bool == true && shell?["state"] as? String == "running"
        }
        #expect(isReading)
        try await vt.check("sessions", "send", "s", "word", "--enter", "--wait", "prompt", "--timeout", "60s")
        #expect(try String(contentsOfFile: "\(vt.home)/answer", encoding: .utf8) == "word\n")
    }
}
