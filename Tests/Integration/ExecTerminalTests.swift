import Foundation
import TestSupport
import Testing

/// `vt exec -t` in a real terminal.
@Suite(.crowded, .sharing)
struct ExecTerminalTests {
    private let lab: Lab
    private let window: TerminalWindow

    init() async throws {
        lab = try await .met()
        window = try await TerminalWindow(columns: 90, rows: 31, environment: lab.vt.environment)
        let call = "sh -c 'echo $$ >~/client; exec vt exec -t p \"stty -echo; echo rea''dy; sed -u s/^/got_/\"'"
        try await window.enter("stty -g >~/before; clear; \(call)")
        try await window.wait(for: "ready")
    }

    /// The PID of the client.
    private func client() throws -> pid_t {
        let text = try String(contentsOfFile: "\(lab.vt.home)/client", encoding: .utf8)
        return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Whether the terminal's settings are the same as before the call.
    private func isRestored() async throws -> Bool {
        let home = lab.vt.home
        // A shell changes the settings while it edits a line, so let a program report them.
        try await window.enter("clear; stty -g >~/after; echo do''ne")
        try await window.wait(for: "done")
        return FileManager.default.contentsEqual(atPath: "\(home)/before", andPath: "\(home)/after")
    }

    @Test(arguments: [SIGHUP, SIGTERM, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU, SIGABRT, SIGSEGV])
    func `restores the terminal if a signal ends the client`(_ signal: Int32) async throws {
        let client = try client()
        kill(client, signal)
        #expect(await eventually { ProcessTable.command(client).isEmpty })
        #expect(try await isRestored())
    }

    @Test(arguments: [SIGTSTP, SIGTTIN, SIGTTOU])
    func `a stopped client restores the terminal, and forwards input when continued`(_ signal: Int32) async throws {
        kill(try client(), signal)
        try await window.wait(for: "Stopped")
        #expect(try await isRestored())
        try await window.enter("clear; fg")
        // A terminal that is not in raw mode would echo input.
        try await window.wait { !$0.contains("done") }
        try await window.enter("hello")
        try await window.wait(for: "got_hello")
        #expect(try await !window.screen().split(separator: "\n").contains("hello"))
    }
}
