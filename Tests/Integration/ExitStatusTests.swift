import Foundation
import TestSupport
import Testing

@Suite(.crowded, .sharing)
struct ExitStatusTests {
    @Test(arguments: [0, 1, 42, 127, 254, 255])
    func `vt exits with the program's status`(_ status: Int32) async throws {
        let lab = try await Lab()
        let result = try await lab.exec("exit \(status)")
        #expect(result.status == .exited(status))
        #expect(result.output.isEmpty)
    }

    @Test(arguments: ["TERM": 143, "KILL": 137, "HUP": 129] as [String: Int32])
    func `a signal is reported as 128 plus its number`(_ signal: String, _ status: Int32) async throws {
        let lab = try await Lab()
        #expect(try await lab.exec("kill -\(signal) $$").status == .exited(status))
    }

    @Test func `receives the exit status of a command that closed its streams early`() async throws {
        let lab = try await Lab()
        #expect(try await lab.exec("exec >&- 2>&-; sleep 0.2; exit 5").status == .exited(5))
    }

    @Test func `a command that does not exist results in the shell's exit status 127`() async throws {
        let lab = try await Lab()
        #expect(try await lab.exec("no-such-command-here").status == .exited(127))
    }

    @Test(arguments: [[:], ["VT_SHARE": "60s"]])
    func `a channel closed without an exit status is a failure, also on a shared connection`(
        _ sharing: [String: String]
    ) async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.ending = "none"
        let (silent, plain) = try await (AsyncSSHServer(options), AsyncSSHServer(.init(steps: [["password"]])))
        let vt = try Vt(sharesConnections: false)
        for (name, server) in ["silent": silent, "plain": plain] {
            let words = ["profile", "add", name, "\(server.user)@127.0.0.1:\(server.port)", "--no-agent"]
            try await vt.call(words + ["--password-env", "PASSWORD"]).check()
        }
        let environment = sharing.merging(["PASSWORD": "correct horse"]) { $1 }
        let result = try await vt.run("exec", "silent", "echo out", environment: environment)
        #expect(result.status == .exited(255))
        #expect(result.text == "out\n")
        #expect(result.errorText.contains("without an exit status; the program might still be running"))
        #expect(result.errorText.hasSuffix("(host.unreachable)\n"))

        let json = try await vt.run("exec", "--json", "silent", "true", environment: environment)
        #expect(json.status == .exited(255))
        #expect(json.text.contains(#","error":{"code":"host.unreachable","exit":255,"#))
        #expect(json.text.contains(#","event":"exit","exit":{"unknown":true},"outcome":"may-be-running","#))
        let fleet = try await vt.run("exec", "silent,plain", "echo out", environment: environment)
        #expect(fleet.status == .exited(1))
        #expect(fleet.errorText.contains("1 of 2 targets failed"))
        let ssh = try await vt.run("ssh", "silent", "true", environment: environment)
        #expect(ssh.status == .exited(255))
        #expect(ssh.errorText.contains("without an exit status"))
    }

    /// sshd closes the channels of programs that are silent for some time (ChannelTimeout in sshd_config(5)).
    @Test func `a command that the server abandons does not succeed`() async throws {
        let lab = try await Lab(.init(lines: ["ChannelTimeout session:*=1s"]))
        let result = try await lab.exec("sleep 60")
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("without an exit status"))
    }
}
