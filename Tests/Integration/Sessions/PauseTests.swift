import Foundation
import TestSupport
import Testing

/// `vt sessions pause` and `resume`.
@Suite(.crowded)
struct PauseTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    static let shells = [["bash"], ["bash", "-l"], ["zsh"], ["zsh", "-l"], ["fish"]]

    /// Creates the session `s` with a shell at its prompt.
    private func start(_ shell: [String]) async throws {
        try await vt.call(["sessions", "create", "s", "--cwd", vt.home, "--"] + shell).check()
        try await vt.check("sessions", "exec", "s", "true")
    }

    private func session() async throws -> [String: Any] {
        try await vt.run("sessions", "show", "s", "--json").json()
    }

    private func state() async throws -> String? {
        try await session()["state"] as? String
    }

    /// The exported variables of the shell, except those that belong to one process.
    private func environment() async throws -> Set<[UInt8]> {
        let path = "\(vt.home)/environment"
        try await vt.check("sessions", "exec", "s", "--wait", "20s", "env -0 >\(path)")
        let own = ["_=", "SHLVL=", "OLDPWD=", "COLUMNS=", "LINES="]
        let words = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0).map { Array($0) }
        return Set(words.filter { word in !own.contains { word.starts(with: $0.utf8) } })
    }

    /// Exports variables that the shell's own files set, too, and others.
    private func prepare(_ shell: [String]) async throws {
        let isFish = shell[0] == "fish"
        let files =
            isFish
            ? [".config/fish/config.fish": "set -gx FROM_FILE file; set -gx GONE x; set -gx PATH /from/file $PATH"]
            : [".bashrc", ".bash_profile", ".zshrc"].reduce(into: [:]) { files, name in
                files[name] = "export FROM_FILE=file GONE=x PATH=/from/file:$PATH\n"
            }
        for (name, text) in files {
            let url = URL(fileURLWithPath: "\(vt.home)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url)
        }
        try await start(shell)
        let line =
            isFish
            ? "set -gx FROM_FILE 'sh\\ell!'; set -e GONE; set -gx PATH /venv/bin $PATH; set -gx id 1; set -gx file 'a b'; "
                + "set -gx SECRET \"it's \\\\ \\n;\"\\n\"line two\"\\n; set -gx BYTES a\\xffb; set -gx EMPTY ''; "
                + "mkdir -p ~/'a dir'\\n'b'; cd ~/'a dir'\\n'b'"
            : "export FROM_FILE='sh\\ell!'; unset GONE; export PATH=/venv/bin:$PATH id=1 file='a b'; "
                + "export SECRET=$'it\\'s \\\\ \\\\n;\\nline two\\n' BYTES=$'a\\xffb' EMPTY=; "
                + "mkdir -p ~/$'a dir\\nb'; cd ~/$'a dir\\nb'"
        try await vt.call(["sessions", "exec", "s", "--", line]).check()
    }

    @Test(arguments: [["bash"], ["zsh"], ["fish"]])
    func `a resumed shell has its umask and limits, whatever its files set`(_ shell: [String]) async throws {
        for name in [".bashrc", ".zshrc", ".config/fish/config.fish"] {
            let url = URL(fileURLWithPath: "\(vt.home)/\(name)")
            let directory = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try Data("umask 022; ulimit -S -n 100\n".utf8).write(to: url)
        }
        try await start(shell)
        // zsh remembers the limits that its own files set, but programs get those of the process.
        func state() async throws -> String {
            try await vt.check(
                "sessions",
                "exec",
                "s",
                "--wait",
                "20s",
                "umask; sh -c 'ulimit -c; ulimit -S -n; ulimit -H -n'"
            )
        }
        try await vt.check("sessions", "exec", "s", "umask 027; ulimit -c 0; ulimit -H -n 300; ulimit -S -n 200")
        let before = try await state()
        #expect(before.split(whereSeparator: \.isWhitespace).suffix(3) == ["0", "200", "300"])
        #expect(before.contains("27"))
        try await vt.check("sessions", "pause", "s")
        try await vt.check("sessions", "resume", "s")
        let after = try await state()
        #expect(after == before)
    }

    @Test(arguments: shells)
    func `the directory and the exported variables are as before, and the log continues`(_ shell: [String]) async throws
    {
        try await prepare(shell)
        let before = try await environment()
        #expect(before.contains(Array("FROM_FILE=sh\\ell!".utf8)))
        #expect(before.contains(Array("BYTES=a".utf8) + [0xFF] + Array("b".utf8)))
        #expect(before.contains { $0.starts(with: "SECRET=it's ".utf8) && $0.contains(0x0A) })
        let id = try await session()["id"] as? String
        let directory = try await vt.directory(of: "s")
        let client = try vt.start("attach", "s")
        #expect(try await eventually { try await session()["clients"] as? Int == 1 })
        var end = try await session()["output_bytes"] as? Int ?? 0
        for round in 0..<testRounds(2) {
            try await vt.check("sessions", "pause", "s")
            let paused = try await session()
            #expect(paused["state"] as? String == "paused")
            #expect(paused["pid"] == nil)
            let mode = try FileManager.default.attributesOfItem(atPath: "\(directory)/paused")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(!FileManager.default.fileExists(atPath: "\(directory)/environment"))
            try await vt.check("sessions", "resume", "s")
            for name in ["paused", "environment", "environment.load"] {
                #expect(!FileManager.default.fileExists(atPath: "\(directory)/\(name)"))
            }
            let after = try await environment()
            let lost = before.subtracting(after), new = after.subtracting(before)
            #expect(lost.isEmpty && new.isEmpty, "round \(round): \(Self.text(lost)) \(Self.text(new))")
            let resumed = try await session()
            #expect(resumed["id"] as? String == id)
            let last = resumed["output_bytes"] as? Int ?? 0
            #expect(last > end)
            end = last
            guard lost.isEmpty && new.isEmpty else { break }
        }
        #expect(try await vt.run("sessions", "exec", "s", "echo last; exit 3").exit == 3)
        // In many rounds, it prints more than a pipe holds.
        let screen = String(decoding: await client.output.readToEnd(), as: UTF8.self)
        #expect(screen.contains("last"))
        #expect(try await client.wait() == .exited(3))
        let cast = try await vt.check("record", "s", "-o", "-")
        #expect(cast.contains("\"m\", \"paused\"") && cast.contains("\"m\", \"resumed\""))
    }

    private static func text(_ words: Set<[UInt8]>) -> String {
        words.map { String(decoding: $0, as: UTF8.self).debugDescription }.sorted().joined(separator: " ")
    }

    @Test(arguments: [["bash"], ["zsh"], ["fish"]])
    func `a running command is ended only with --force`(_ shell: [String]) async throws {
        try await start(shell)
        let cd = try await vt.run("sessions", "exec", "s", "cd /usr")
        #expect(cd.exit == 0)
        let line = "sh -c 'trap \"\" INT HUP TERM; echo up; while :; do sleep 1000; done'"
        try await vt.check("sessions", "send", "s", line, "--enter", "--wait", "match=^up")
        let busy = try await vt.run("sessions", "pause", "s")
        #expect(busy.exit == 75)
        #expect(busy.errorText.contains("--force"), "\(busy.errorText)")
        #expect(try await state() == "running")
        try await vt.check("sessions", "pause", "s", "--force")
        #expect(try await state() == "paused")
        #expect(vt.processes.filter { ProcessTable.command($0).contains("sleep") }.isEmpty)
        try await vt.check("sessions", "resume", "s")
        #expect(try await vt.check("sessions", "exec", "s", "pwd") == "/usr\n")
    }

    @Test func `pausing and resuming twice changes nothing, and other programs are refused`() async throws {
        try await start(["bash"])
        let screen = try await vt.check("sessions", "list", "--state", "running", "--ids")
        #expect(screen == "s\n")
        for _ in 0..<2 { try await vt.check("sessions", "pause", "s") }
        #expect(try await vt.check("sessions", "list", "--state", "paused", "--ids") == "s\n")
        #expect(try await vt.run("sessions", "freeze", "s").exit == 75)
        #expect(try await vt.run("sessions", "send", "s", "x").exit == 75)
        #expect(try await vt.run("sessions", "exec", "s", "x").exit == 255)
        #expect(try await vt.run("sessions", "cleanup", "s").exit == 75)
        try await vt.check("sessions", "resize", "s", "100x30")
        let line = try vt.start("sessions", "exec", "s", "--wait", "60s", "stty size")
        try await vt.check("sessions", "screen", "s")
        for _ in 0..<2 { try await vt.check("sessions", "resume", "s") }
        #expect(try await line.wait() == .exited(0))
        #expect(await line.output.readToEnd() == Array("30 100\n".utf8))
        for (name, words) in [("d", ["dash"]), ("c", ["cat"])] {
            try await vt.call(["sessions", "create", name, "--"] + words).check()
            let refused = try await vt.run("sessions", "pause", name, "--force")
            #expect(refused.exit == 1)
            #expect(refused.errorText.contains("is not bash, zsh or fish"), "\(refused.errorText)")
        }
    }

    @Test(arguments: [["bash"], ["zsh"], ["fish"]])
    func `a shell that is asked several times saves its environment once`(_ shell: [String]) async throws {
        try await start(shell)
        // A shell that is stopped before its prompt does not show one in time, and the pause ends with 75.
        try await vt.check("sessions", "wait", "s", "--prompt", "--timeout", "1m")
        let program = pid_t(try #require(try await session()["pid"] as? Int))
        try await vt.check("sessions", "kill", "s", "--signal", "STOP")
        let pause = try vt.start("sessions", "pause", "s")
        // Long enough for the key to be sent three times, and in another process, because this one is busy.
        try await ProgramCall("/bin/sh", ["-c", "sleep 2.1; kill -s CONT -- -\(program)"]).check()
        let exit = try await pause.wait()
        let errors = String(decoding: await pause.errors.readToEnd(), as: UTF8.self)
        #expect(exit == .exited(0), "\(errors)")
        let path = "\(try await vt.directory(of: "s"))/environment"
        #expect(!FileManager.default.fileExists(atPath: path))
        try await vt.check("sessions", "resume", "s")
        #expect(try await vt.check("sessions", "exec", "s", "echo on") == "on\n")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a paused session can be killed`() async throws {
        try await start(["bash"])
        let directory = try await vt.directory(of: "s")
        try await vt.check("sessions", "pause", "s")
        try await vt.check("sessions", "kill", "s")
        #expect(try await state() == "exited")
        #expect(!FileManager.default.fileExists(atPath: "\(directory)/paused"))
        #expect(await eventually { vt.processes.isEmpty })
    }

    @Test func `a session whose holder was killed while it was paused is resumed with a new one`() async throws {
        try await start(["zsh"])
        try await vt.check("sessions", "exec", "s", "cd /usr; export A=1; echo first")
        try await vt.check("sessions", "pause", "s")
        let end = try await session()["output_bytes"] as? Int ?? 0
        kill(try await vt.holder(of: "s"), SIGKILL)
        #expect(await eventually { vt.processes.isEmpty })
        #expect(try await state() == "paused")
        try await vt.check("sessions", "pause", "s")
        #expect(try await vt.run("sessions", "send", "s", "x").errorText.hasPrefix("vt: 's' is paused\n"))
        try await vt.check("sessions", "resume", "s")
        #expect(try await vt.check("sessions", "exec", "s", "echo $A; pwd") == "1\n/usr\n")
        #expect(try await session()["output_bytes"] as? Int ?? 0 > end)
        #expect(try await vt.check("sessions", "logs", "s", "--plain").contains("first\n"))
        let turn = (try await session()["shell"] as? [String: Any])?["turn"] as? Int
        #expect(turn == 3)
        // And killed without one.
        try await vt.check("sessions", "pause", "s")
        kill(try await vt.holder(of: "s"), SIGKILL)
        #expect(await eventually { vt.processes.isEmpty })
        try await vt.check("sessions", "kill", "s")
        #expect(try await state() == "lost")
        #expect(try await vt.run("sessions", "resume", "s").exit == 1)
    }

    @Test func `a command that was running when its holder crashed during a pause is not running later`() async throws {
        let words = ["sessions", "create", "s", "--cwd", vt.home, "--", "bash"]
        try await vt.call(words, environment: ["VT_FAULT": "pause:ended"]).check()
        try await vt.check("sessions", "exec", "s", "true")
        // The shell does not end this command, whatever happens to its processes.
        let line = "trap '' INT; echo up; while :; do sleep 1000; done"
        try await vt.check("sessions", "send", "s", line, "--enter", "--wait", "match=^up")
        #expect(try await vt.run("sessions", "pause", "s", "--force").exit != 0)
        #expect(try await eventually { try await state() == "paused" })
        let history = ["sessions", "history", "s", "--fields", "turn,state"]
        #expect(try await vt.call(history).check() == "1\tended\n2\tunknown\n")
        try await vt.check("sessions", "resume", "s")
        #expect(try await vt.call(history).check() == "1\tended\n2\tunknown\n")
        try await vt.check("sessions", "exec", "s", "true")
        #expect(try await vt.call(history).check() == "1\tended\n2\tunknown\n3\tended\n")
    }

    @Test func `a session whose directory is gone remains paused`() async throws {
        try await start(["bash"])
        try await vt.check("sessions", "exec", "s", "mkdir ~/gone; cd ~/gone; rmdir ~/gone")
        try await vt.check("sessions", "pause", "s")
        let failed = try await vt.run("sessions", "resume", "s")
        #expect(failed.exit != 0)
        #expect(try await state() == "paused")
        try FileManager.default.createDirectory(atPath: "\(vt.home)/gone", withIntermediateDirectories: true)
        try await vt.check("sessions", "resume", "s")
        #expect(try await vt.check("sessions", "exec", "s", "pwd") == "\(vt.home)/gone\n")
    }

    static let pauseFaults = [
        "pause:asked", "pause:saved", "pause:noted", "pause:ended", "pause:done", "resume:begun", "resume:started",
        "resume:restored", "resume:done",
    ]

    @Test(arguments: pauseFaults)
    func `after a crash at any step, the same verb finishes`(_ fault: String) async throws {
        let words = ["sessions", "create", "s", "--cwd", vt.home, "--", "bash"]
        try await vt.call(words, environment: ["VT_FAULT": fault]).check()
        try await vt.check("sessions", "exec", "s", "cd /usr; export A=1; (trap '' HUP TERM; exec sleep 1000) &")
        let pause = try await vt.run("sessions", "pause", "s")
        if fault.hasPrefix("pause") {
            #expect(pause.exit != 0)
        } else {
            #expect(pause.exit == 0)
            #expect(try await vt.run("sessions", "resume", "s").exit != 0)
        }
        // Before it is on disk, the session is lost, as after any other crash.
        let isLost = fault == "pause:asked" || fault == "resume:done"
        #expect(try await eventually { try await state() == (isLost ? "lost" : "paused") })
        if isLost {
            try await vt.check("sessions", "kill", "s", "--grace", "100ms")
            #expect(await eventually { vt.processes.isEmpty })
            return
        }
        if fault.hasPrefix("pause") {
            try await vt.check("sessions", "pause", "s")
            #expect(await eventually { vt.processes.isEmpty })
        }
        try await vt.check("sessions", "resume", "s")
        #expect(try await vt.check("sessions", "exec", "s", "--wait", "20s", "echo $A; pwd") == "1\n/usr\n")
        #expect(vt.processes.filter { ProcessTable.command($0).contains("sleep") }.isEmpty)
    }
}
