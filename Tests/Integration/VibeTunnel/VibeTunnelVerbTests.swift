import Foundation
import TestSupport
import Testing

/// The session commands with servers of all eras.
struct VibeTunnelVerbTests {
    typealias Era = VibeTunnelDouble.Era

    @Test(arguments: Era.allCases)
    func `sessions are created, listed, shown, renamed, killed and removed`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        #expect(try await lab.run("sessions", "list", "mac", "--ids").text == "")
        let id = try await lab.create("work", "echo ready; exec sleep 1000")
        let session = try #require(lab.server.sessions.first)
        #expect(session.id == id && session.name == "work")
        let list = try await lab.run("sessions", "list", "mac")
        #expect(list.text.contains("work") && list.text.contains("running"))
        let shown = try await lab.run("sessions", "show", "mac:work", "--json").json()
        #expect(shown["id"] as? String == id && shown["profile"] as? String == "mac")
        #expect((shown["vibetunnel"] as? [String: any Sendable])?["workingDir"] as? String == "/tmp")
        for name in ["output_bytes", "first_offset", "log_max", "term", "host", "version"] {
            #expect(shown[name] == nil, "\(name)")
        }
        #expect(shown["active_at"] != nil)
        let text = try await lab.run("sessions", "show", "mac:work").text
        #expect(!["output", "log ", "term"].contains { text.contains("\n\($0)") }, "\(text)")
        #expect(try await lab.run("sessions", "create", "mac:work", "--", "true").exit == 73)
        let renamed = try await lab.run("sessions", "rename", "mac:\(id)", "new")
        // The Go server cannot rename.
        #expect(renamed.exit == (era == .go ? 66 : 0), "\(renamed.errorText)")
        let name = era == .go ? "work" : "new"
        #expect(try await lab.run("sessions", "cleanup", "mac:\(name)").exit == 75)
        #expect(try await lab.run("sessions", "kill", "mac:\(name)").exit == 0)
        #expect(session.hasEnded)
        #expect(try await lab.run("sessions", "kill", "mac:\(name)").errorText.contains("has already ended"))
        #expect(try await lab.run("sessions", "cleanup", "mac:\(name)").exit == 0)
        #expect(lab.server.sessions.isEmpty)
    }

    @Test(arguments: [Era.legacy, .v3])
    func `a session is not renamed to a name that is in use`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let sessions = [lab.server.add("a"), lab.server.add("b")]
        let result = try await lab.run("sessions", "rename", "mac:a", "b", "--json")
        #expect(result.exit == 73 && result.text == "", "\(result.text)\(result.errorText)")
        #expect(sessions.map(\.name) == ["a", "b"])
        #expect(try await lab.run("sessions", "rename", "mac:a", "a").exit == 0)
        // Another client was faster.
        lab.server.change { $0.nameSuffix = " (2)" }
        let late = try await lab.run("sessions", "rename", "mac:a", "c")
        #expect(late.exit == 73 && late.errorText.contains("'c (2)'"), "\(late.errorText)")
    }

    @Test func `only sessions that are known to be idle are reaped`() async throws {
        let lab = try await VibeTunnelLab(.v3)
        let start = Date(timeIntervalSinceNow: -7200)
        let (idle, busy) = (lab.server.add("idle", startedAt: start), lab.server.add("busy", startedAt: start))
        busy.emit("x")
        let reap = ["sessions", "reap", "mac", "--idle", "1h", "--action", "kill"]
        let result = try await lab.vt.call(reap).run()
        #expect(result.exit == 0 && result.text == "\(idle.id)\n", "\(result.text)\(result.errorText)")
        #expect(idle.hasEnded && !busy.hasEnded)
        lab.server.change { $0.hasNoActivity = true }
        for words in [
            reap, reap + ["--dry-run"], ["sessions", "reap", "mac", "--max-active", "0", "--action", "freeze"],
        ] {
            let refused = try await lab.vt.call(words).run()
            #expect(refused.exit == 64 && refused.text == "", "\(words): \(refused.exit) \(refused.text)")
            #expect(refused.errorText.contains("does not report its last activity"), "\(refused.errorText)")
        }
        #expect(!busy.hasEnded)
    }

    @Test(arguments: Era.allCases)
    func `a wait returns the status of the program`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let ends: [(String, Int32)] = [("exit 0", 0), ("echo x; exit 3", 3), ("no-such-program", 127)]
        for (line, status) in ends {
            let id = try await lab.create("s\(status)", "sleep 0.1; \(line)")
            let result = try await lab.run("sessions", "wait", "mac:\(id)", "--exit")
            #expect(result.exit == status, "\(line): \(result.errorText)")
            #expect(try await lab.run("sessions", "wait", "mac:\(id)", "--exit").exit == status)
        }
        let signals: [(String, Int32)] = [("TERM", 143), ("KILL", 137)]
        for (signal, status) in signals {
            let id = try await lab.create(signal, "sleep 0.1; kill -\(signal) $$")
            let result = try await lab.run("sessions", "wait", "mac:\(id)", "--exit")
            // The Go server reports -1 for a program that was killed.
            #expect(result.exit == (era == .go ? 255 : status), "\(signal): \(result.errorText)")
            if era == .go { #expect(result.errorText.contains("was lost")) }
        }
    }

    @Test(arguments: Era.allCases)
    func `output is printed, followed, searched and shown`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let session = lab.server.add("log")
        for line in 1...30 { session.emit("line \(line) é\r\n") }
        let all = (1...30).map { "line \($0) é\r\n" }.joined()
        #expect(try await lab.run("sessions", "logs", "mac:log").text == all)
        #expect(try await lab.run("sessions", "logs", "mac:log", "--tail", "2").text == "line 29 é\r\nline 30 é\r\n")
        #expect(try await lab.run("sessions", "logs", "mac:log", "--plain").text.hasPrefix("line 1 é\nline 2 é\n"))
        let screen = try await lab.run("sessions", "screen", "mac:log")
        #expect(screen.text.contains("line 30 é") && !screen.text.contains("line 7 é"))
        let match = try await lab.run("sessions", "wait", "mac:log", "--match", "line 1[0-9]", "--json")
        #expect(try match.json()["match"] as? String == "line 10")
        #expect(try await lab.run("sessions", "wait", "mac:log", "--idle", "100ms").exit == 0)
        let shown = try await lab.run(
            "sessions",
            "wait",
            "mac:log",
            "--screen",
            "line 30 é",
            "--settle",
            "100ms",
            "--json"
        )
        #expect(try shown.json()["column"] as? Int == 0, "\(shown.errorText)")
        #expect(try await lab.run("sessions", "wait", "mac:log", "--no-screen", "line 7 é").exit == 0)
        let late = try await lab.run("sessions", "wait", "mac:log", "--match", "never", "--timeout", "1s")
        #expect(late.exit == 124)
        let follower = try lab.vt.start("sessions", "logs", "mac:log", "--follow")
        _ = try await follower.output.read(until: "line 30")
        session.emit("last\r\n")
        session.end(0)
        #expect(try await follower.wait(deadline: .seconds(30)) == .exited(0))
    }

    @Test(arguments: Era.allCases)
    func `input is typed, and an ended session takes none`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let session = lab.server.add("shell")
        let sent = try await lab.run("sessions", "send", "mac:shell", "make tést", "--enter", "--key", "Up")
        #expect(sent.exit == 0 && sent.text == "", "\(sent.errorText)")
        #expect(session.input == "make tést\r\u{1B}[A")
        #expect(try await lab.vt.run("sessions", "send", "mac:shell", "--stdin", input: [0xFF]).exit == 64)
        #expect(try await lab.run("sessions", "send", "mac:shell", "x", "--wait", "prompt").exit == 255)
        #expect(try await lab.run("sessions", "resize", "mac:shell", "100x30").exit == 0)
        session.end(0)
        #expect(try await lab.run("sessions", "send", "mac:shell", "x").exit == 1)
    }

    @Test(arguments: Era.allCases)
    func `a session is recorded`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let session = lab.server.add("tests")
        session.emit("one\r\n")
        let file = try lab.vt.writeElsewhere("", to: "tests.cast")
        #expect(try await lab.run("record", "mac:tests", "--output", file, "--force").exit == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("one\\r\\n"))
        let recorder = try lab.vt.start("record", "mac:tests", "--follow", "--output", file, "--force")
        #expect(await eventually { session.streamCount == 2 })
        session.emit("two\r\n")
        session.end(3)
        #expect(try await recorder.wait(deadline: .seconds(30)) == .exited(0))
        let recording = try String(contentsOfFile: file, encoding: .utf8)
        #expect(recording.contains("one\\r\\n") && recording.contains("two\\r\\n") && recording.contains(#""x", "3""#))
    }

    @Test(arguments: Era.allCases)
    func `a terminal attaches, types and detaches`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let session = lab.server.add("shell")
        session.emit("hello\r\n$ ")
        let window = try await TerminalWindow(columns: 80, rows: 24, environment: lab.vt.environment)
        try await window.enter("vt attach mac:shell")
        try await window.wait(for: "hello")
        try await window.type("ls")
        #expect(await eventually { session.input == "ls" })
        session.emit("ls")
        try await window.wait(for: "$ ls")
        try await window.press("C-]")
        try await window.wait(for: "detached")
        #expect(!session.hasEnded)
    }

    @Test func `what needs stable offsets or a shell is refused`() async throws {
        let lab = try await VibeTunnelLab(.v3)
        _ = lab.server.add("s")
        for words in [
            ["sessions", "logs", "mac:s", "--from", "7"], ["sessions", "logs", "mac:s", "--since", "1m"],
            ["sessions", "screen", "mac:s", "--at", "7"], ["sessions", "wait", "mac:s", "--match", "x", "--from", "0"],
            ["sessions", "mark", "mac:s"], ["sessions", "ask", "mac:s", "x"], ["sessions", "ask", "mac:s", "--done"],
            ["sessions", "exec", "mac:s", "true"], ["exec", "mac", "--", "true"],
            ["copy", "mac:/etc/passwd", "/dev/null"], ["sessions", "create", "mac:t", "--env", "A=b", "--", "true"],
        ] {
            let result = try await lab.vt.call(words).run()
            #expect(result.exit == 64 || result.exit == 255, "\(words): \(result.exit) \(result.errorText)")
            #expect(result.errorText.contains("VibeTunnel"), "\(words): \(result.errorText)")
        }
    }

    @Test func `a name that several sessions have is ambiguous`() async throws {
        let lab = try await VibeTunnelLab(.legacy)
        let ids = [lab.server.add("same").id, lab.server.add("same").id]
        let result = try await lab.run("sessions", "show", "mac:same")
        #expect(result.exit == 64 && ids.allSatisfy(result.errorText.contains))
        #expect(try await lab.run("sessions", "show", "mac:\(ids[1])").exit == 0)
        let missing = try await lab.run("sessions", "show", "mac:sam")
        #expect(missing.exit == 66 && missing.errorText.contains("'mac:same'"), "\(missing.errorText)")
    }

    @Test(arguments: Era.allCases)
    func `the connection is tested`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let result = try await lab.run("profile", "test", "mac")
        #expect(result.exit == 0 && result.text.contains("0 sessions"), "\(result.text)\(result.errorText)")
        lab.server.stop()
        #expect(try await lab.run("profile", "test", "mac").exit == 69)
        let all = try await lab.run("sessions", "list", "--all-profiles")
        #expect(all.text.contains("host.unreachable"))
    }
}
