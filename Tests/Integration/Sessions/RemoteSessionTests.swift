import Foundation
import TestSupport
import Testing

/// `vt sessions` on a server, using the vt in the remote home directory.
@Suite(.crowded, .sharing)
struct RemoteSessionTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await .withVt()
    }

    private func list(_ words: String...) async throws -> [[String: Any]] {
        let text = try await vt.call(["sessions", "list", "--json"] + words).check()
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    /// The processes of vt that perform calls on the server.
    private func relays() -> [String] {
        lab.server.commands.filter { $0.hasSuffix("/vt relay") }
    }

    @Test func `attaches to a session on a server, which is created, and records a shell there`() async throws {
        let window = try await TerminalWindow(columns: 90, rows: 31, environment: vt.environment)
        let words = "attach --create --pass-env 'A*' p:s -- sh -c 'stty size; echo $A$HOME; cat'"
        try await window.enter("clear; export A=b; vt \(words); echo status=$?")
        try await window.wait(for: "31 90\nb\(lab.server.home)\n")
        try await window.press("C-d")
        try await window.wait(for: "status=0")
        try await window.enter("clear; vt record --profile p -o ~/a.cast; echo status=$?")
        try await window.wait { !$0.contains("record") }
        try await window.enter("stty size; exit 6")
        try await window.wait(for: "status=6")
        let recording = try String(contentsOfFile: "\(vt.home)/a.cast", encoding: .utf8)
        #expect(recording.contains("31 90") && recording.hasSuffix(#", "x", "6"]"# + "\n"))
    }

    @Test func `without a terminal, shows all output of a session that it creates, and the end of one that ended`()
        async throws
    {
        let result = try await vt.run("attach", "--create", "p:s", "--", "sh", "-c", "echo all; exit 5")
        #expect(result.status == .exited(5))
        #expect(result.text == "all\r\n")
        let ended = try await vt.run("attach", "p:s")
        #expect(ended.status == .exited(5))
        #expect(ended.text == "all\n")
    }

    @Test(arguments: ["kill -SEGV $$", "kill -KILL $PPID"])
    func `a server whose vt dies, or which drops the connection then, is an error at once`(_ death: String) async throws
    {
        try await vt.create("p:s", "sleep 1000")
        let path = "\(lab.server.home)/.local/bin/vt"
        try FileManager.default.removeItem(atPath: path)
        try ScratchDirectory.writeProgram("#!/bin/sh\necho x >>~/started\n\(death)\n", to: path)
        let calls = [["wait", "p:s", "--exit"], ["logs", "p:s"], ["logs", "-f", "p:s"], ["exec", "p:s", "true"]]
        for words in calls {
            let result = try await vt.call(["sessions"] + words).run()
            #expect(result.exit != 0 && result.exit != 124 && result.errorText != "", "\(words)")
        }
        let started = try String(contentsOfFile: "\(lab.server.home)/started", encoding: .utf8)
        #expect(started == String(repeating: "x\n", count: calls.count))
    }

    @Test func `runs lines in a shell on a server`() async throws {
        try await vt.check("sessions", "create", "p:s", "--", "bash")
        let first = try await vt.run("sessions", "exec", "p:s", "cd /usr; echo $HOME; (exit 5)")
        #expect((first.text, first.exit) == ("\(lab.server.home)\n", 5), "\(first.errorText)")
        let second = try await vt.run("sessions", "exec", "p:s", "--stdin", "cat; pwd", input: Array("in\n".utf8))
        #expect(second.text == "in\n/usr\n", "\(second.errorText)")
    }

    @Test func `creates, lists, reads, waits for and removes a session on a server`() async throws {
        let result = try await vt.call(
            ["sessions", "create", "p:build", "--env", "A=x y", "--tag", "ci", "--", "sh", "-c"]
                + ["printf '<%s>' \"$A\" \"$@\"; sleep 0.3; exit 3", "sh", "a b", "'$HOME'"]
        ).run()
        let id = String(result.text.dropLast())
        #expect(id.count == 12, "\(result.errorText)")
        #expect(try await vt.run("sessions", "wait", "p:build", "--exit").status == .exited(3))
        #expect(try await vt.check("sessions", "logs", "p:build") == "<x y><a b><'$HOME'>")
        let session = try await vt.run("sessions", "show", "p:\(id)", "--json").json()
        #expect(session["profile"] as? String == "p")
        #expect(session["exit"] as? [String: Int] == ["code": 3])
        #expect(session["environment_names"] as? [String] == ["A"])
        #expect(try await list().isEmpty)
        #expect(try await list("p").compactMap { $0["name"] as? String } == ["build"])
        #expect(try await vt.check("complete", "sessions", "p:b") == "p:build\n")
        #expect(try await vt.check("sessions", "cleanup", "p", "--state", "lost") == "")
        #expect(try await vt.check("sessions", "cleanup", "p", "--all", "--dry-run") == "\(id)\n")
        #expect(
            try await vt.check("sessions", "wait", "p:build", "--match", "<X Y>", "-i")
                == "5 <x y><a b><'$HOME'>\n"
        )
        #expect(try await vt.check("sessions", "cleanup", "p:build") == "\(id)\n")
        #expect(try await vt.run("sessions", "show", "p:build").status == .exited(66))
    }

    @Test func `renders the screen of a remote session locally, while it runs and afterward`() async throws {
        let script = "printf '1\\r\\n2\\r\\n\\033[31m漢字'; read line; printf '\\rover'"
        try await vt.create("p:show", script, ["--size", "30x2"])
        let words = ["sessions", "wait", "p:show", "--match", "漢字", "--from", "0"]
        try await vt.call(words).check()
        #expect(try await vt.check("sessions", "screen", "p:show") == "2\n漢字\n")
        #expect(try await vt.check("sessions", "screen", "p:show", "--scrollback", "5") == "1\n2\n漢字\n")
        #expect(try await vt.check("sessions", "screen", "p:show", "--at", "1", "--size", "5x5") == "1\n")
        let screen = try await vt.run("sessions", "screen", "p:show", "--json").json()
        #expect(screen["profile"] as? String == "p")
        #expect(screen["size"] as? [String: Int] == ["columns": 30, "rows": 2])
        let far = try await vt.check("sessions", "screen", "p:show", "--format", "svg", "--theme", "dracula")
        #expect(far.contains("#282a36") && far.contains(">漢<"))
        try await vt.check("sessions", "send", "p:show", "--enter")
        #expect(try await vt.run("sessions", "wait", "p:show", "--exit").status == .exited(0))
        #expect(try await vt.check("sessions", "screen", "p:show", "--format", "ansi").contains("over"))
        let late = try await vt.run("sessions", "screen", "p:show", "--at", "4000")
        #expect(late.status == .exited(65))
    }

    @Test(arguments: ["order", "p:order"])
    func `words, keys and Enter are sent in the order given`(session: String) async throws {
        let program = "stty raw -echo; echo ready; dd bs=1 count=14 status=none | od -An -w14 -tx1"
        try await vt.call(["sessions", "create", session, "--", "sh", "-c", program]).check()
        try await vt.check("sessions", "wait", session, "--match", "ready", "--from", "0")
        let words = ["--key", "Escape", "a", "b", "--enter", "--key", "C-a", "--stdin", "d", "--key", "Up", "--enter"]
        let sent = try await vt.call(["sessions", "send", session] + words + ["e", "f"]).run(input: Array("in".utf8))
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        try await vt.check("sessions", "wait", session, "--exit")
        let screen = try await vt.check("sessions", "screen", session)
        #expect(screen.contains("1b 61 20 62 0d 01 69 6e 64 1b 5b 41 0d 65"), "\(screen)")
    }

    @Test func `text and prompts of a remote session equal those on the server`() async throws {
        let script = """
            printf 'a\\tb\\n1%%\\r22%%\\n'; printf '\\033]133;D;4\\007\\033]133;A\\007> \\033]133;B\\007'; exec cat
            """
        try await vt.create("p:text", script, ["--size", "40x10"])
        let prompt = try await vt.run("sessions", "wait", "p:text", "--prompt", "--json", "--timeout", "30s").json()
        #expect(prompt["command_exit"] as? Int == 4)
        let found = try await vt.run("sessions", "wait", "p:text", "--match", "^22%$", "--from", "0", "--json").json()
        #expect(found["row"] as? Int == 1)
        let text = try await vt.check("sessions", "logs", "p:text", "--plain")
        #expect(text == "a       b\n22%\n> ")
        let there = try await vt.check("exec", "p", "\(lab.server.home)/.local/bin/vt sessions logs text --plain")
        #expect(there == text)
        try await vt.check("sessions", "kill", "p:text")
    }

    @Test func `reports an unreachable server`() async throws {
        try await lab.addProfile("down", port: try LoopbackPort.free())
        try await vt.create("p:far", "exec sleep 1000")
        try await vt.create("near", "exec sleep 1000")
        let listed = try await list("--all-profiles")
        let names = listed.map { "\($0["profile"] ?? "local"):\($0["name"] ?? "-")" }
        #expect(names == ["local:near", "down:-", "p:far"])
        #expect((listed[1]["error"] as? [String: Any])?["code"] as? String == "host.unreachable")
        #expect(try await vt.run("sessions", "list", "down").status == .exited(69))
        let table = try await vt.check("sessions", "list", "p", "down")
        #expect(
            table.split(separator: "\n").map { $0.split(separator: " ").prefix(2) } == [
                ["PROFILE", "NAME"], ["p", "far"], ["down", "-"],
            ]
        )
        try await vt.check("sessions", "kill", "p:far", "near")
    }

    @Test func `a server that never responds times out`() async throws {
        let hole = try BlackHole()
        try await lab.addProfile("hole", port: hole.port)
        let listed = try await list("p", "hole", "--timeout", "3s")
        #expect(listed.count == 1)
        #expect((listed[0]["error"] as? [String: Any])?["code"] as? String == "timed-out")
    }

    @Test func `arbitrary bytes of input arrive, and wait finds the output that follows`() async throws {
        let bytes = noise(300_000)
        try await vt.create(
            "p:raw",
            "stty raw -echo; echo ready; head -c \(bytes.count) >\(vt.home)/got; echo done; cat"
        )
        let ready = try await vt.run("sessions", "wait", "p:raw", "--match", "rea.y", "--from", "0", "--json").json()
        #expect(ready["match"] as? String == "ready")
        let sent = try await vt.run("sessions", "send", "p:raw", "--stdin", input: bytes)
        let offset = String(sent.text.dropLast())
        #expect(offset == "6", "\(sent.errorText)")
        _ = try await vt.check("sessions", "wait", "p:raw", "--match", "^done", "--from", offset, "--timeout", "20s")
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(vt.home)/got")) == Data(bytes))
        let late = try await vt.run("sessions", "wait", "p:raw", "--match", "never", "--timeout", "300ms")
        #expect(late.status == .exited(124))
        try await vt.check("sessions", "resize", "p:raw", "100x30")
        try await vt.check("sessions", "rename", "p:raw", "other")
        let session = try await vt.run("sessions", "show", "p:other", "--json").json()
        #expect(session["size"] as? [String: Int] == ["columns": 100, "rows": 30])
        #expect(try await vt.run("sessions", "kill", "p:other").status == .exited(0))
        #expect(try await vt.run("sessions", "wait", "p:other", "--exit").status != .exited(0))
    }

    @Test func `errors of the remote vt are reported like local errors`() async throws {
        let missing = try await vt.run("--json", "sessions", "create", "p:x", "--", "/no/such")
        #expect(missing.status == .exited(66))
        #expect(try missing.jsonError()["message"] as? String == "p: cannot run '/no/such': no such file or directory")
        #expect(try await vt.run("sessions", "logs", "p:gone").status == .exited(66))
        #expect(try await vt.run("sessions", "logs", "nobody:gone").status == .exited(66))
        try FileManager.default.removeItem(atPath: "\(lab.server.home)/.local/bin/vt")
        let absent = try await vt.run("--json", "sessions", "list", "p")
        if absent.status == .exited(66) {
            #expect(try absent.jsonError()["hint"] as? String == "to install it, use 'vt install p'")
        } else {
            // Another vt might be in the server's PATH.
            #expect(absent.status == .exited(0))
        }
    }

    @Test func `ignores output of the login shell`() async throws {
        // bash(1) reads this file if it is started by sshd.
        try "echo Welcome; printf '{\"id\":1}'".write(
            toFile: "\(lab.server.home)/.bashrc",
            atomically: true,
            encoding: .utf8
        )
        try await vt.create("p:noisy", "echo out; exit 3")
        #expect(try await vt.run("sessions", "wait", "p:noisy", "--exit").status == .exited(3))
        #expect(try await vt.check("sessions", "logs", "p:noisy", "-f") == "out\r\n")
    }

    @Test func `following output survives repeated disconnections`() async throws {
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("cut", port: relay.port)
        try await lab.meet("cut")
        try await vt.create(
            "p:count",
            "i=0; while [ $i -lt 4000 ]; do i=$((i+1)); echo line $i; sleep 0.001; done; exit 9"
        )
        let follow = try vt.start("sessions", "logs", "cut:count", "-f", "--exit-status")
        let wait = try vt.start("sessions", "wait", "cut:count", "--exit")
        // vt does not reconnect before it has been connected once.
        #expect(await eventually { relays().count == 2 })
        async let output = follow.output.readToEnd()
        for _ in 0..<6 {
            let seen = relay.bytesToClient
            #expect(await eventually { relay.bytesToClient > seen + 4000 || !follow.isRunning })
            relay.cut()
        }
        #expect(try await follow.wait() == .exited(9))
        #expect(try await wait.wait() == .exited(9))
        #expect(await output == (1...4000).flatMap { Array("line \($0)\r\n".utf8) })
        #expect(relay.connectionCount > 3)
    }

    @Test func `a sessions wait that is killed leaves no process on the server`() async throws {
        try await vt.create("p:long", "exec sleep 1000")
        let wait = try vt.start("sessions", "wait", "p:long", "--exit")
        #expect(await eventually { !relays().isEmpty })
        wait.kill()
        #expect(await eventually { relays().isEmpty })
        try await vt.check("sessions", "kill", "p:long")
    }
}
