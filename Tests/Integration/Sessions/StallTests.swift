import Foundation
import TestSupport
import Testing

/// Commands that print nothing, or wait for input: `--idle-timeout` and `--return-on-input`.
@Suite(.crowded)
struct StallTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await Lab.withVt()
    }

    private func exec(_ session: String, _ options: String..., line: String) async throws -> ProgramResult {
        try await vt.call(["sessions", "exec", session] + options + [line]).run()
    }

    @Test(arguments: ["s", "p:s"])
    func `a line returns when its command waits for input`(session: String) async throws {
        try await vt.check("sessions", "create", session, "--", "bash")
        for (line, row, answer, output) in [
            ("read -s -p 'Password: ' x; echo \"<$x>\"", "Password:", "secret", "<secret>\n"),
            ("sleep 0.3; read -p 'Continue? [y/N] ' x; echo \"<$x>\"", "Continue? [y/N]", "y", "<y>\n"),
            ("cat -; seq 200 | less -X; echo end", ":", "q", "end\n"),
        ] {
            let isPager = row == ":"
            async let ran = exec(session, "--return-on-input", "--idle-timeout", "60s", "--json", line: line)
            if isPager {
                // A program that reads at the start of a row has not asked for anything.
                try await vt.check("sessions", "wait", session, "--idle", "1s", "--timeout", "60s")
                try await vt.check("sessions", "send", session, "--key", "C-d")
            }
            let result = try await ran
            let document = try result.json()
            #expect(result.exit == 124)
            #expect(document["outcome"] as? String == "input")
            #expect(document["line"] as? String == row)
            #expect(result.errorText.contains("waits for input: \(row)\n"))
            let words = ["sessions", "send", session, answer] + (isPager ? [] : ["--enter"])
            let rest = try await vt.call(words + ["--wait", "prompt", "--timeout", "60s", "--print"]).run()
            #expect(rest.text.hasSuffix(output), "\(rest.errorText)")
        }
    }

    @Test(arguments: ["s", "p:s"])
    func `a line returns when its command is silent, and leaves it running`(session: String) async throws {
        try await vt.check("sessions", "create", session, "--", "bash")
        let line = "for i in 1 2 3; do echo $i; sleep 0.3; done; sleep 3; echo late"
        let result = try await exec(session, "--idle-timeout", "1s", "--timeout-status", "9", line: line)
        #expect(result.exit == 9)
        #expect(result.text == "1\n2\n3\n")
        #expect(result.errorText.contains("has printed nothing for 1s"))
        try await vt.check("sessions", "wait", session, "--match", "late", "--from", "0", "--timeout", "60s")
        let interrupted = try await exec(
            session,
            "--idle-timeout",
            "300ms",
            "--interrupt",
            "--wait",
            "60s",
            line: "sleep 60"
        )
        #expect(interrupted.exit == 124)
        try await vt.check("sessions", "wait", session, "--prompt", "--timeout", "30s")
    }

    @Test(arguments: ["", "p:"])
    func `a run returns`(server: String) async throws {
        let silent = try await vt.call(
            ["sessions", "run", "\(server)a", "--rm", "--idle-timeout", "500ms", "--", "sh", "-c", "echo x; sleep 60"]
        ).run()
        #expect(silent.exit == 124 && silent.text == "x\r\n", "\(silent.errorText)")
        #expect(try await vt.run("sessions", "show", "\(server)a").exit == 66)
        let kept = try await vt.call(
            ["sessions", "run", "\(server)b", "--on-interrupt", "detach", "--idle-timeout", "300ms", "--", "cat"]
        ).run()
        #expect(kept.exit == 124)
        #expect(try await vt.check("sessions", "list", "--ids", "--state", "running").isEmpty == !server.isEmpty)
        let asks = try await vt.call(
            ["sessions", "run", "\(server)c", "--return-on-input", "--", "sh", "-c", "printf 'Name: '; read n; exit 3"]
        ).run()
        #expect(asks.exit == 124 && asks.text == "Name: ", "\(asks.errorText)")
        try await vt.check("sessions", "send", "\(server)c", "x", "--enter")
        #expect(try await vt.run("sessions", "wait", "\(server)c", "--exit").exit == 3)
    }

    @Test func `steady output and a sleeping program without a question are no reason to return`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let line = "for i in 1 2 3 4 5 6; do printf \"$i \"; sleep 0.3; done"
        let result = try await exec("s", "--idle-timeout", "2s", "--return-on-input", line: line)
        #expect(result.exit == 0, "\(result.errorText)")
    }
}
