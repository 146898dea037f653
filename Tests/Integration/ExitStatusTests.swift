import Foundation
import TestSupport
import Testing

@Suite(.crowded)
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

    @Test func `a channel closed without an exit status is a failure if libssh2 detects it`() async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.ending = "none"
        let server = try await AsyncSSHServer(options)
        let vt = try Vt()
        try await vt.call(
            [
                "profile", "add", "p", "\(server.user)@127.0.0.1:\(server.port)", "--no-agent", "--password-env",
                "PASSWORD",
            ]
        ).check()
        let result = try await vt.run("exec", "p", "exit 7", environment: ["PASSWORD": "correct horse"])
        // libssh2 1.10 reports a missing status as 0; only 1.11 and later distinguish it from a status of 0.
        #expect([.exited(0), .exited(255)].contains(result.status))
    }
}
