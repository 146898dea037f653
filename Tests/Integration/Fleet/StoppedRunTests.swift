import Foundation
import TestSupport
import Testing

/// Runs that end commands on servers, and what is known about these commands afterward.
@Suite(.crowded)
struct StoppedRunTests {
    /// A server's log, to which each instance of the command writes when it starts and, after 1000 seconds, ends.
    private static func command(_ log: String) -> String {
        "echo start >>\(log); echo up; sleep 1000; echo end >>\(log)"
    }

    private func log(_ lab: Lab) throws -> String {
        try String(contentsOfFile: "\(lab.server.home)/log", encoding: .utf8)
    }

    /// A lab with the profiles `a` and `b` for its server, and a server of their own for `c`.
    private func lab(_ options: OpenSSHServer.Options = .init(), sharesConnections: Bool? = nil) async throws -> Lab {
        let lab = try await Lab(options, sharesConnections: sharesConnections)
        for name in ["a", "b"] { try await lab.addProfile(name) }
        return lab
    }

    private func outcomes(_ result: ProgramResult) throws -> [String] {
        try result.jsonLines().filter { !["stdout", "stderr"].contains($0["event"] as? String) }
            .map { "\($0["target"] ?? "") \($0["event"] ?? "") \($0["outcome"] ?? "-")" }.sorted()
    }

    /// Whether a sleep that the server has started is running.
    private func sleeps(_ lab: Lab) -> Bool { lab.server.commands.contains { $0.hasPrefix("sleep 1000") } }

    @Test(
        arguments: [true, false],
        [["--fail-fast"], ["--max-failures", "1"], ["--max-failures", "30%"], ["--timeout", "2s"]]
    )
    func `commands that are stopped have ended, and a retry runs each of them once more`(
        _ sharesConnections: Bool,
        _ options: [String]
    ) async throws {
        let lab = try await lab(sharesConnections: sharesConnections)
        try await lab.meet()
        let file = "\(lab.vt.home)/failed"
        let words = ["exec", "--json", "--retry-failed", file] + options + ["a,local,b"]
        // On this machine, the command fails once it runs on both servers.
        let line =
            "if [ -n \"$SSH_CONNECTION\" ]; then \(Self.command("\(lab.server.home)/log")); fi; "
            + "until [ \"$(grep -c start \(lab.server.home)/log)\" = 2 ]; do sleep 0.02; done; exit 1"
        let result = try await lab.vt.call(words + [line]).run()
        #expect(result.status == .exited(1), "\(result.errorText)")
        let kind = options[0] == "--timeout" ? "error" : "aborted"
        #expect(try outcomes(result) == ["a \(kind) ended", "b \(kind) ended", "local exit -"])
        #expect(!sleeps(lab))
        #expect(try log(lab) == "start\nstart\n")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "a\nlocal\nb\n")
    }

    @Test func `processes that ignore TERM, or have left the process group, are killed`() async throws {
        let lab = try await lab()
        let line =
            "trap '' TERM; (trap '' TERM; sleep 1000)& (trap - TERM; setsid sleep 1000)& echo up; sleep 1000; sleep 1000"
        let result = try await lab.vt.run("exec", "a", "--json", "--timeout", "1s", line)
        #expect(result.status == .exited(124))
        #expect(try outcomes(result) == ["a error ended"])
        #expect(!sleeps(lab))
    }

    @Test(arguments: [["--pty"], ["--cwd", "/"], ["--env", "A=b"], ["--no-stdin"]])
    func `a command ends at its timeout however it is started`(_ options: [String]) async throws {
        let lab = try await lab()
        let words = ["exec", "a", "--timeout", "1s"] + options
        let result = try await lab.vt.call(words + ["printf %s- \"$A\"; sleep 1000; true"]).run()
        #expect(result.status == .exited(124))
        #expect(result.text == (options == ["--env", "A=b"] ? "b-" : "-"))
        #expect(!result.errorText.contains("might still be running"), "\(result.errorText)")
        #expect(!sleeps(lab))
        let quick = try await lab.vt.call(words + ["--", "sh", "-c", "printf '%s' \"$1\"; exit 3", "sh", "a\nb'"]).run()
        #expect(quick.status == .exited(3))
        #expect(quick.text.replacing("\r\n", with: "\n") == "a\nb'")
    }

    @Test func `a script ends at its timeout`() async throws {
        let lab = try await lab()
        let script = try lab.vt.writeElsewhere(
            "#!/bin/bash\ntrap 'echo bye; exit 5' TERM\necho up\nsleep 1000 & wait\n",
            to: "x"
        )
        let result = try await lab.vt.run("exec", "a", "--timeout", "1s", "--script", script)
        #expect(result.status == .exited(124))
        #expect(result.text == "up\nbye\n")
        #expect(!sleeps(lab))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted run that can stop commands ends them`(_ signal: Int32) async throws {
        let lab = try await lab()
        let file = "\(lab.vt.home)/failed"
        let words = ["exec", "--retry-failed", file, "--fail-fast", "a,b", "echo up; sleep 1000; true"]
        let running = try lab.vt.call(words).start()
        running.input.close()
        #expect(await eventually { lab.server.commands.count { $0.hasPrefix("sleep 1000") } == 2 })
        running.signal(signal)
        #expect(try await running.wait(deadline: .seconds(20)) == .signalled(signal))
        #expect(!sleeps(lab))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "a\nb\n")
    }

    @Test(arguments: ["--json", "--gather --json", "--gather"])
    func `an interrupted run reports every target`(_ options: String) async throws {
        let lab = try await lab()
        // The output of the first command is longer than what vt queues.
        let line = "mkdir $1/one && yes | head -c 3000000 || { mkdir $1/two; sleep 1000; }"
        let script = """
            cd; vt exec \(options) --parallel 1 a,b,local "\(line)" >out 2>log & run=$!
            until [ -d $1/two ]; do kill -0 $run; sleep 0.02; done; kill -TERM $run; wait $run || echo $? >&2; cat out
            """
        let result = try await lab.vt.bash(script, lab.server.home)
        #expect(result.errorText == "143\n")
        #expect(result.output.count > 3_000_000)
        switch options {
        case "--json":
            #expect(try outcomes(result) == ["a exit -", "b aborted may-be-running", "local skipped -"])
        case "--gather --json":
            let results = try result.jsonLines().map { "\($0["target"] ?? "") \($0["outcome"] ?? "")" }
            #expect(results == ["a exit", "b may-be-running", "local skipped"])
        default:
            #expect(result.text.contains("--- a (1)\ny\n"))
            #expect(result.text.contains("--- b (1): aborted, may still be running\n"))
            #expect(result.text.contains("--- local (1): not run\n"))
        }
    }

    @Test(arguments: ["/bin/bash", "/bin/dash", "/bin/zsh", "/usr/bin/fish", "/bin/tcsh"])
    func `a command can be stopped whatever the login shell is`(_ shell: String) async throws {
        let lab = try await Lab(.init(loginShells: [shell]))
        try await lab.addProfile("s", port: lab.server.shellPorts[shell])
        let result = try await lab.vt.run("exec", "s", "--timeout", "1s", "echo up; sleep 1000; true")
        #expect(result.status == .exited(124), "\(result.errorText)")
        #expect(result.text == "up\n")
        #expect(!result.errorText.contains("might still be running"), "\(result.errorText)")
        #expect(!sleeps(lab))
        let words = [
            "exec", "s", "--timeout", "20s", "--", "sh", "-c", "cat; printf '%s|' \"$@\"; kill -USR1 $$", "-", "it's",
            "!",
        ]
        let signalled = try await lab.vt.call(words).run(input: Array("in".utf8))
        #expect(signalled.text == "init's|!|")
        #expect(signalled.status == .exited(128 + 10))
    }

    @Test func `a command on Dropbear, which starts no process group, can be stopped`() async throws {
        let server = try await DropbearServer()
        let vt = try Vt()
        let key = server.userKeys.path(.ed25519)
        try await vt.check("profile", "add", "d", "\(server.user)@127.0.0.1:\(server.port)", "-i", key, "--no-agent")
        let line = "echo $$; (trap '' TERM; sleep 1000)& sleep 1000; true"
        let running = try vt.call(["exec", "--json", "d", "--timeout", "2s", line]).start()
        running.input.close()
        #expect(try await running.wait() == .exited(124))
        let events = String(decoding: await running.output.readToEnd(), as: UTF8.self)
        #expect(events.contains(#""outcome":"ended""#), "\(events)")
        let process = try #require(events.firstMatch(of: /"text":"([0-9]+)/)).1
        #expect(kill(try #require(pid_t(process)), 0) != 0)
        // The connection is still usable.
        #expect(try await vt.run("exec", "d", "echo on").text == "on\n")
    }

    @Test func `a command that may still be running is not retried`() async throws {
        // The forced command prints no announcement.
        let lab = try await lab(.init(lines: ["ForceCommand echo up; sleep 1000"]))
        let file = "\(lab.vt.home)/failed"
        let words = ["exec", "--retry-failed", file, "--timeout", "2s", "a,local", "[ -z \"$SSH_CONNECTION\" ]"]
        let result = try await lab.vt.call(["--json"] + words).run()
        #expect(result.status == .exited(1))
        #expect(try outcomes(result) == ["a error may-be-running", "local exit -"])
        #expect(result.errorText.contains("the command may still be running on 1 target, which '\(file)' lists"))
        #expect(result.errorText.hasSuffix(" of 2 targets failed\n"), "\(result.errorText)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "# may still be running: a\n")
        let again = try await lab.vt.call(words).run()
        #expect(again.status == .exited(255))
        #expect(again.errorText.contains("'\(file)' lists no targets to retry"), "\(again.errorText)")
        try "# may still be running: a\nlocal\n".write(toFile: file, atomically: true, encoding: .utf8)
        let partial = try await lab.vt.call(words).run()
        #expect(partial.status == .exited(1))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "# may still be running: a\n")
    }

    @Test func `the state of a stopped command is in all documents`() async throws {
        let lab = try await lab(.init(lines: ["ForceCommand echo up; sleep 1000"]))
        let directory = "\(lab.vt.home)/out"
        try FileManager.default.createDirectory(atPath: "\(directory)/parts", withIntermediateDirectories: true)
        let words = ["exec", "--timeout", "1s", "a,local", "[ -z \"$SSH_CONNECTION\" ] || sleep 1000"]
        let files = try await lab.vt.call(["exec", "--output-dir", directory] + words.dropFirst()).run()
        #expect(files.status == .exited(1))
        let text = try #require(FileManager.default.contents(atPath: "\(directory)/status.json"))
        let status = try #require(try JSONSerialization.jsonObject(with: text) as? [[String: any Sendable]])
        #expect(status.map { $0["outcome"] as? String } == ["may-be-running", "exit"])
        #expect(files.errorText.contains("a: 'a' did not finish within 1s (timed-out, may still be running)"))
        for options in [["--json", "--shard", "1/1"], ["--json", "--gather", "--shard", "1/1"]] {
            let part = try await lab.vt.call(["exec"] + options + words.dropFirst()).run()
            try Data(part.output).write(to: URL(fileURLWithPath: "\(directory)/parts/1.json"))
            let merged = try await lab.vt.run("exec", "--merge", "\(directory)/parts")
            #expect(merged.status == .exited(1))
            #expect(merged.errorText.contains("(timed-out, may still be running)"), "\(merged.errorText)")
        }
    }

    // MARK: - Tolerated failures

    @Test func `--stop-on-failure starts nothing more, and lets running commands finish`() async throws {
        let lab = try await lab()
        try await lab.addProfile("c")
        let log = "\(lab.server.home)/log"
        // The first target to run fails, once the second one runs.
        let line =
            "mkdir \(log).d 2>/dev/null && { until [ -e \(log) ]; do sleep 0.02; done; exit 1; }; "
            + "echo x >>\(log); sleep 0.5; echo done >>\(log)"
        let words = ["exec", "--json", "--stop-on-failure", "--parallel", "2", "a,b,c", line]
        let result = try await lab.vt.call(words).run()
        #expect(result.status == .exited(1))
        let events = try result.jsonLines().map { "\($0["event"] ?? "")" }.sorted()
        #expect(events == ["exit", "exit", "skipped"])
        #expect(try self.log(lab) == "x\ndone\n")
    }

    @Test(
        arguments: [
            (["--max-failures", "2"], 2), (["--max-failures", "40%"], 2), (["--max-failures", "1"], 1),
            (["--max-failures", "3", "--stop-on-failure"], 3), (["--fail-fast"], 1), ([], 5),
        ]
    )
    func `a run stops when the maximum number of targets has failed`(_ options: [String], _ count: Int) async throws {
        let lab = try await Lab()
        for name in ["t1", "t2", "t3", "t4"] { try await lab.addProfile(name) }
        let words = ["exec", "--json", "--parallel", "1"] + options + ["p,t1,t2,t3,t4", "exit 1"]
        let result = try await lab.vt.call(words).run()
        let kinds = try result.jsonLines().map { "\($0["event"] ?? "")" }
        #expect(kinds == Array(repeating: "exit", count: count) + Array(repeating: "skipped", count: 5 - count))
    }

    @Test func `--fail-fast cannot be combined with the options that tolerate failures`() async throws {
        let vt = try Vt()
        for words in [["--stop-on-failure"], ["--max-failures", "2"]] {
            #expect(
                try await vt.call(["exec", "--fail-fast", "local"] + words + ["true"]).run().status == .exited(255)
            )
        }
        #expect(try await vt.run("exec", "--max-failures", "0", "local", "true").status == .exited(255))
    }
}
