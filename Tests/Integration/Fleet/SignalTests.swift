import Foundation
import TestSupport
import Testing

/// Commands that are stopped on servers where they do not announce their processes.
@Suite(.crowded)
struct SignalTests {
    /// Whether vt's library can send signals, as since libssh2 1.11.
    private func sendsSignals(_ vt: Vt) async throws -> Bool {
        let version = try #require(try await vt.check("version", "--json").firstMatch(of: /"libssh2":"1\.(\d+)/))
        return try #require(Int(version.output.1)) >= 11
    }

    private func vt(_ user: String, _ port: UInt16, key: String, sharesConnections: Bool? = nil) async throws -> Vt {
        let vt = try Vt(sharesConnections: sharesConnections)
        try await vt.call(["profile", "add", "p", "\(user)@127.0.0.1:\(port)", "--no-agent", "-i", key]).check()
        return vt
    }

    /// Runs a command that is stopped once it has printed a line, with its process ID; returns the outcome, and whether
    /// the process is running.
    private func stop(_ vt: Vt, _ line: String) async throws -> (outcome: String?, isRunning: Bool) {
        let result = try await vt.run("exec", "p", "--json", "--timeout", "2s", line)
        #expect(result.status == .exited(124), "\(result.errorText)")
        let events = try result.jsonLines()
        let text = try #require(events.compactMap { $0["text"] as? String }.first)
        let process = try #require(pid_t(text.filter(\.isNumber)))
        defer { kill(-process, SIGKILL) }
        return (events.last?["outcome"] as? String, kill(process, 0) == 0)
    }

    @Test(arguments: [true, false], ["", "trap '' TERM; "])
    func `a server of another kind ends a command that is sent signals`(
        _ sharesConnections: Bool,
        _ preparation: String
    ) async throws {
        var options = AsyncSSHServer.Options(steps: [["publickey"]])
        options.signals = "deliver"
        let server = try await AsyncSSHServer(options)
        let key = server.userKeys.path(.ed25519)
        let vt = try await vt(server.user, server.port, key: key, sharesConnections: sharesConnections)
        let (outcome, isRunning) = try await stop(vt, preparation + "echo $$; sleep 1000; sleep 1000")
        if try await sendsSignals(vt) {
            #expect(outcome == "ended")
            #expect(!isRunning)
            #expect(server.log.contains("signal: TERM\n"))
            #expect(server.log.contains("signal: KILL\n") == !preparation.isEmpty)
        } else {
            #expect(outcome == "may-be-running")
        }
        #expect(try await vt.run("exec", "p", "echo on").text == "on\n")
    }

    @Test func `a command may be running if the server ignores signals, or reports no exit status`() async throws {
        for (signals, ending) in [("ignore", "status"), ("deliver", "none")] {
            var options = AsyncSSHServer.Options(steps: [["publickey"]])
            (options.signals, options.ending) = (signals, ending)
            let server = try await AsyncSSHServer(options)
            let vt = try await vt(server.user, server.port, key: server.userKeys.path(.ed25519))
            #expect(try await stop(vt, "echo $$; sleep 1000; true").outcome == "may-be-running")
        }
    }

    @Test(arguments: ["deploy 'x y'", "echo a; exit 4", ""])
    func `a command that the user's key forces receives the command line as it is`(_ line: String) async throws {
        let lab = try await Lab(.init(readsHomeKeys: true))
        let keys = try await KeyRing([.ed25519])
        let forced = #"command="printf %s \"$SSH_ORIGINAL_COMMAND\"; echo err >&2; exit 3" "#
        let directory = "\(lab.server.home)/.ssh"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try (forced + keys.publicLine(.ed25519) + "\n")
            .write(toFile: "\(directory)/authorized_keys", atomically: true, encoding: .utf8)
        let words = ["profile", "add", "f", "\(lab.server.user)@127.0.0.1:\(lab.server.port)", "--no-agent"]
        try await lab.vt.call(words + ["-i", keys.path(.ed25519)]).check()
        for options in [[], ["--timeout", "20s"], ["--fail-fast"]] {
            let result = try await lab.vt.call(["exec", "f"] + options + [line]).run()
            #expect(result.text == line, "\(options)")
            #expect(result.errorText.hasSuffix("err\n"))
            #expect(result.status == .exited(3))
        }
        // Another key of the same user is not restricted.
        #expect(try await lab.vt.run("exec", "p", "--timeout", "20s", "echo in").text == "in\n")
    }

    @Test(arguments: [("sleep 1000", true), ("sleep 1000; true", false)])
    func `a command line for any program is not changed where signals end it`(
        _ line: String,
        _ isUnchanged: Bool
    ) async throws {
        var options = AsyncSSHServer.Options(steps: [["publickey"]])
        (options.signals, options.version) = ("deliver", "OpenSSH_9.2p1")
        let server = try await AsyncSSHServer(options)
        let vt = try await vt(server.user, server.port, key: server.userKeys.path(.ed25519))
        let result = try await vt.run("exec", "p", "--json", "--timeout", "1s", line)
        #expect(try result.jsonLines().last?["outcome"] as? String == "ended", "\(result.text)")
        let hasLine = server.log.contains("command: \(line)\n")
        let canSignal = try await sendsSignals(vt)
        #expect(hasLine == (isUnchanged && canSignal), "\(server.log)")
    }
}
