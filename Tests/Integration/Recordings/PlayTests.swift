import Foundation
import TestSupport
import Testing

/// `vt play`, with and without a real terminal.
@Suite(.crowded)
struct PlayTests {
    private let vt: Vt
    private var file: String { "\(vt.home)/a.cast" }

    init() throws {
        vt = try Vt()
    }

    /// Writes a recording with terminal queries, one line per interval, and a marker before the sixth line.
    private func write(lines: Int, every seconds: Double) throws {
        var text = #"{"version": 3, "term": {"cols": 80, "rows": 24}}"# + "\n"
        text += #"[0, "o", "\u001b[?1000h\u001b[?25l\u001b[?2004h\u001b]11;?\u0007\u001b[6n\u001b[c"]"# + "\n"
        for line in 1...lines {
            if line == 6 { text += #"[0.0, "m", "six"]"# + "\n" }
            text += "[\(seconds), \"o\", \"line \(line)\\r\\n\"]\n"
        }
        try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    private func window(_ options: String) async throws -> TerminalWindow {
        let window = try await TerminalWindow(columns: 90, rows: 31, environment: vt.environment)
        try await window.enter(
            "stty -g >~/before; clear; vt play ~/a.cast \(options); echo status=$?; stty -g >~/after"
        )
        return window
    }

    /// Whether the terminal is in its original state.
    private func isRestored(_ window: TerminalWindow) async throws -> Bool {
        guard
            await eventually({
                FileManager.default.contentsEqual(atPath: "\(vt.home)/before", andPath: "\(vt.home)/after")
            })
        else { return false }
        let modes = try await window.modes()
        return modes.contains("mouse_any_flag=0") && modes.contains("cursor_flag=1")
    }

    @Test func `plays a recording to its end and restores the terminal`() async throws {
        try write(lines: 5, every: 0.1)
        let window = try await window("")
        try await window.wait(for: "status=0")
        let screen = try await window.screen()
        #expect(screen.contains("line 5"))
        // A reply to a query would appear on the shell's line.
        #expect(!screen.contains(";1R") && !screen.contains("rgb:"))
        #expect(try await isRestored(window))
    }

    @Test func `keys pause, step, seek, find markers and quit`() async throws {
        try write(lines: 100, every: 3600)
        let window = try await window("")
        #expect(try await eventuallyModes(window, "mouse_any_flag=1"))
        try await window.press("Space", ".", ".")
        try await window.wait(for: "line 2")
        try await window.type("]")
        try await window.wait { $0.contains("line 5") && !$0.contains("line 6") }
        try await window.press("Left")
        try await window.wait { $0.contains("line 4") && !$0.contains("line 5") }
        try await window.type("..")
        try await window.wait(for: "line 6")
        try await window.type("q")
        try await window.wait(for: "status=0")
        #expect(try await isRestored(window))
    }

    @Test func `arrow keys seek back and forward by five seconds`() async throws {
        try write(lines: 100, every: 1)
        let window = try await window("--speed 0.001")
        #expect(try await eventuallyModes(window, "mouse_any_flag=1"))
        try await window.press("Right", "Right")
        try await window.wait { $0.contains("line 10") && !$0.contains("line 11") }
        try await window.press("Left")
        try await window.wait { $0.contains("line 5") && !$0.contains("line 6") }
        try await window.type("q")
        try await window.wait(for: "status=0")
        #expect(try await isRestored(window))
    }

    @Test func `pauses at markers with --markers`() async throws {
        try write(lines: 10, every: 0.01)
        let window = try await window("--markers")
        try await window.wait(for: "line 5")
        try await window.press(".")
        try await window.wait(for: "line 6")
        #expect(try await !window.screen().contains("line 7"))
        try await window.press("Space")
        try await window.wait(for: "status=0")
        #expect(try await window.screen().contains("line 10"))
    }

    @Test(arguments: ["TERM", "HUP"])
    func `a player ended by a signal restores the terminal`(_ signal: String) async throws {
        try write(lines: 2, every: 3600)
        let window = try await TerminalWindow(columns: 90, rows: 31, environment: vt.environment)
        try await window.enter(
            "stty -g >~/before; clear; sh -c 'echo $$ >~/pid; exec vt play ~/a.cast'; stty -g >~/after"
        )
        #expect(await eventually { FileManager.default.fileExists(atPath: "\(vt.home)/pid") })
        #expect(try await eventuallyModes(window, "mouse_any_flag=1"))
        #expect(try await vt.bash("kill -\(signal) $(cat ~/pid)").status == .exited(0))
        #expect(try await isRestored(window))
    }

    @Test(arguments: ["TSTP", "TTIN", "TTOU"])
    func `a stopped player restores the terminal, and continues from the same position`(_ signal: String) async throws {
        try write(lines: 2, every: 3600)
        let window = try await TerminalWindow(columns: 90, rows: 31, environment: vt.environment)
        try await window.enter("stty -g >~/before; clear; sh -c 'echo $$ >~/pid; exec vt play ~/a.cast'")
        #expect(await eventually { FileManager.default.fileExists(atPath: "\(vt.home)/pid") })
        #expect(try await eventuallyModes(window, "mouse_any_flag=1"))
        try await window.type(".")
        try await window.wait(for: "line 1")
        #expect(try await vt.bash("kill -\(signal) $(cat ~/pid)").status == .exited(0))
        #expect(try await eventuallyModes(window, "mouse_any_flag=0"))
        try await window.enter("stty -g >~/after; clear; echo sto''pped")
        try await window.wait(for: "stopped")
        #expect(try await isRestored(window))
        try await window.enter("fg")
        try await window.wait(for: "line 1")
        #expect(try await eventuallyModes(window, "mouse_any_flag=1"))
        try await window.type("q")
        #expect(try await eventuallyModes(window, "mouse_any_flag=0"))
    }

    private func eventuallyModes(_ window: TerminalWindow, _ text: String) async throws -> Bool {
        try await eventually { try await window.modes().contains(text) }
    }

    @Test func `prints the bytes of the session if standard output is not a terminal`() async throws {
        let script = "for i in $(seq 20); do printf \"\\033[3${i}mline $i\\r\\n\"; sleep 0.02; done"
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", script)
        try await vt.check("sessions", "wait", "s", "--exit")
        let bytes = try await vt.check("sessions", "logs", "s")
        let line = "vt record s -o - | vt play - ; vt sessions logs s --format cast | vt play --instant -"
        let began = ContinuousClock.now
        #expect(try await vt.bash(line).text == bytes + bytes)
        #expect(ContinuousClock.now - began > .milliseconds(400))
    }

    @Test func `exits with the status of the error if a recording cannot be played as requested`() async throws {
        try write(lines: 2, every: 0)
        #expect(try await vt.run("play", "\(vt.home)/none").status == .exited(66))
        #expect(try await vt.run("play", TestTree.vt).status == .exited(65))
        #expect(try await vt.run("play", file, "--markers").status == .exited(64))
        #expect(try await vt.run("play", "-", "--loop").status == .exited(64))
        #expect(try await vt.run("play", file, "--speed", "0").status == .exited(64))
        #expect(try await vt.run("play", file, "--from", "marker:x").status == .exited(66))
        #expect(try await vt.run("play", file, "--from", "1", "--to", "0.5").status == .exited(64))
        #expect(
            try await vt.bash("vt play --loop --instant '\(file)' | head -n 3; echo ${PIPESTATUS[0]}").text.hasSuffix(
                "141\n"
            )
        )
    }
}
