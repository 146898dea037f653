import Foundation
import TestSupport
import Testing

/// `vt record` in a real terminal.
@Suite(.crowded)
struct InteractiveRecordTests {
    private let vt: Vt
    private var file: String { "\(vt.home)/a.cast" }

    init() throws {
        vt = try Vt()
    }

    /// Opens a window in which vt records; its shell prints the exit status and whether the terminal was restored.
    private func window(_ words: String, environment: [String: String] = [:]) async throws -> TerminalWindow {
        let environment = vt.environment.merging(environment) { $1 }
        let window = try await TerminalWindow(columns: 90, rows: 31, environment: environment)
        let script = "echo $$ >~/client; exec vt record -o ~/a.cast \(words)\n"
        try script.write(toFile: "\(vt.home)/record", atomically: true, encoding: .utf8)
        let restored = "[ \"$(stty -g)\" = \"$b\" ] && echo rest''ored"
        try await window.enter("clear; b=$(stty -g); sh ~/record; echo status=$?; \(restored)")
        return window
    }

    private func contents() -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }

    private var recorder: pid_t {
        get throws {
            let text = try String(contentsOfFile: "\(vt.home)/client", encoding: .utf8)
            return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
    }

    @Test func `the user's shell is interactive, and its exit status is passed through`() async throws {
        let script = "#!/bin/sh\nexport PS1='inner> ' ENV=\nexec sh \"$@\"\n"
        let shell = try vt.writeElsewhere(script, to: "shell", mode: 0o700)
        let window = try await window("", environment: ["SHELL": shell])
        try await window.wait { $0.hasPrefix("inner>") }
        try await window.enter("stty size; cat")
        try await window.wait(for: "31 90\n")
        // Before the shell has made cat the foreground process group, the interrupt would not reach cat.
        try await window.enter("cat runs")
        try await window.wait(for: "cat runs\ncat runs\n")
        try await window.press("C-c")
        try await window.wait(for: "^C\ninner>")
        try await window.resize(columns: 100, rows: 20)
        try await window.enter("clear; until [ \"$(stty size)\" = '20 100' ]; do :; done; stty size")
        try await window.wait(for: "20 100\n")
        try await window.enter("exit 7")
        try await window.wait(for: "restored")
        #expect(try await window.screen().contains("vt: recorded to '\(file)'\nstatus=7\n"))
        #expect(contents().contains(#", "r", "100x20"]"#))
        #expect(!contents().contains(#", "i", "#))
        #expect(contents().hasSuffix(#", "x", "7"]"# + "\n"))
        #expect(try await vt.check("sessions", "list", "--json") == "[]\n")
    }

    @Test func `a key adds markers, and is passed on if m does not follow`() async throws {
        let window = try await window("--marker-key C-g -- sh -c 'stty raw; printf ready; head -c 4 | od -An -tx1'")
        try await window.wait { $0.hasPrefix("ready") }
        for keys in [["C-g", "m"], ["x", "C-g"], ["C-g", "y"], ["C-g"]] {
            for key in keys { try await window.press(key) }
        }
        try await window.wait(for: "78 07 79 07")
        try await window.wait(for: "restored")
        #expect(contents().components(separatedBy: #", "m", ""]"#).count == 2)
    }

    @Test func `a script types into a shell of the terminal's size, and the terminal is restored`() async throws {
        try "exec stty size\nexec exit 4\n".write(toFile: "\(vt.home)/script", atomically: true, encoding: .utf8)
        let window = try await window("--script ~/script --typing-delay 1ms -- bash")
        try await window.wait(for: "restored")
        #expect(try await window.screen().contains("31 90\n"))
        #expect(try await window.screen().contains("status=0"))
        #expect(contents().hasSuffix(", \"x\", \"4\"]\n"))
    }

    @Test func `an editor is usable, and replies to its queries do not become input`() async throws {
        let window = try await window("-- vim -u NONE -c 'set nocompatible mouse=a' ~/text")
        try await window.wait(for: "~\n")
        try await window.type("ihello from vim")
        try await window.wait(for: "hello from vim")
        try await window.press("C-]", "Escape")
        try await window.enter(":wq")
        try await window.wait(for: "restored")
        #expect(try await window.screen().contains("status=0"))
        #expect(try await window.modes().hasPrefix("alternate_on=0 mouse_any_flag=0"))
        #expect(try String(contentsOfFile: "\(vt.home)/text", encoding: .utf8) == "hello from vim\n")
    }

    @Test func `shows all output of a program that ends at once`() async throws {
        let window = try await window("-- seq 20")
        try await window.wait(for: "restored")
        #expect(try await window.screen().hasPrefix((1...20).map { "\($0)\n" }.joined() + "vt: recorded"))
    }

    @Test func `a stopped recorder restores the terminal, and shows the program when continued`() async throws {
        let window = try await window("-- sh -c 'printf \"\\033[?1049hready\"; cat'")
        try await window.wait(for: "ready")
        #expect(kill(try recorder, SIGTSTP) == 0)
        // The shell reports the job after vt has stopped reading the terminal.
        try await window.wait(for: "Stopped")
        try await window.enter("fg")
        try await window.wait(for: "ready")
        try await window.press("C-d")
        try await window.wait(for: "recorded to")
    }

    @Test func `a background job does not use the terminal for input`() async throws {
        let window = try await TerminalWindow(columns: 90, rows: 31, environment: vt.environment)
        try await window.enter("set -m; vt record -o ~/a.cast -- sh -c 'echo out; exit 3' & wait $!; echo status=$?")
        try await window.wait(for: "status=3")
        #expect(contents().contains("out"))
    }

    @Test(arguments: [SIGTERM, SIGQUIT, SIGUSR1])
    func `a signal ends the program and restores the terminal`(_ signal: Int32) async throws {
        let window = try await window("-- sh -c 'printf \"\\033[?1049hready\"; exec sleep 1000'")
        try await window.wait(for: "ready")
        #expect(kill(try recorder, signal) == 0)
        try await window.wait(for: "restored")
        #expect(try await window.screen().contains("status=\(128 + signal)"))
        #expect(try await window.modes().hasPrefix("alternate_on=0"))
        #expect(contents().hasSuffix(", \"x\", \"\(128 + signal)\"]\n"))
    }

    @Test func `the loss of the terminal ends the program and completes the recording`() async throws {
        let window = try await window("-- sh -c 'echo ready; exec sleep 1000'")
        try await window.wait(for: "ready")
        try await window.close()
        #expect(await eventually { contents().hasSuffix(", \"x\", \"129\"]\n") })
        let recorder = try recorder
        #expect(await eventually { kill(recorder, 0) == -1 })
        #expect(try await vt.check("sessions", "list", "--json") == "[]\n")
    }
}
