import Foundation
import TestSupport
import Testing

/// Tests the other servers, the agent and the relay with the real `ssh` and `ssh-add`.
struct OtherServersTests {
    /// Returns a call to `ssh` for a server of another kind, with the test's options and none of the user's settings.
    private func ssh(_ user: String, _ port: UInt16, _ options: [String], _ command: String) -> ProgramCall {
        let fixed = [
            "IdentitiesOnly=yes", "LogLevel=ERROR", "UserKnownHostsFile=/dev/null", "StrictHostKeyChecking=no",
        ]
        let set = (options + fixed).flatMap { ["-o", $0] }
        return ProgramCall("ssh", ["-F", "none", "-p", "\(port)"] + set + ["\(user)@127.0.0.1", command])
    }

    /// Returns variables that make `ssh` run a program that prints `answer` when a password is required.
    private func asking(_ answer: String, in scratch: ScratchDirectory) throws -> [String: String] {
        let program = try scratch.write("#!/bin/sh\necho '\(answer)'\n", to: "ask", mode: 0o700)
        return ["SSH_ASKPASS": program, "SSH_ASKPASS_REQUIRE": "force"]
    }

    @Test func `Dropbear accepts a key, and its commands have the fixture's home`() async throws {
        let server = try await DropbearServer()
        let call = ssh(server.user, server.port, ["IdentityFile=\(server.userKeys.path(.ed25519))"], "cd; pwd; exit 3")
        let result = try await call.run()
        #expect(result.text == "\(server.home)\n", "\(result.errorText)")
        #expect(result.status == .exited(3))
    }

    @Test func `Dropbear checks a password`() async throws {
        let server = try await DropbearServer()
        let scratch = try ScratchDirectory()
        var call = ssh(server.user, server.port, ["PubkeyAuthentication=no"], "echo in")
        call.environment.merge(try asking(server.password, in: scratch)) { $1 }
        #expect(try await call.check() == "in\n")
        call.environment.merge(try asking("wrong", in: scratch)) { $1 }
        #expect(try await call.run().status == .exited(255))
    }

    @Test(arguments: ["password", "keyboard-interactive"])
    func `asyncssh checks a password with either method`(_ method: String) async throws {
        let server = try await AsyncSSHServer(.init(steps: [[method]]))
        let scratch = try ScratchDirectory()
        var call = ssh(server.user, server.port, ["NumberOfPasswordPrompts=1"], "cat; echo err >&2; exit 4")
        call.environment.merge(try asking("correct horse", in: scratch)) { $1 }
        let result = try await call.run(input: Array("in".utf8))
        #expect(result.text == "in")
        #expect(result.errorText == "err\n")
        #expect(result.status == .exited(4))
        call.environment.merge(try asking("wrong", in: scratch)) { $1 }
        #expect(try await call.run().status == .exited(255))
    }

    @Test func `asyncssh requires both a key and a response`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"], ["keyboard-interactive"]]))
        let scratch = try ScratchDirectory()
        let key = "IdentityFile=\(server.userKeys.path(.ed25519))"
        var call = ssh(server.user, server.port, [key, "NumberOfPasswordPrompts=1"], "echo in")
        #expect(try await call.run().status == .exited(255))
        call.environment.merge(try asking("correct horse", in: scratch)) { $1 }
        #expect(try await call.check() == "in\n")
    }

    @Test func `an agent lists its keys`() async throws {
        let server = try await OpenSSHServer()
        let agent = try await SSHAgent(server.userKeys, [.rsa, .ed25519])
        let listing = try await ProgramCall("ssh-add", ["-l"], environment: ["SSH_AUTH_SOCK": agent.socket]).check()
        #expect(listing.split(separator: "\n").count == 2)
    }

    @Test func `a relay counts bytes, and stalls and closes connections`() async throws {
        let server = try await OpenSSHServer()
        let relay = try Relay(to: server.port)
        let running = try server.ssh(port: relay.port, ["cat"]).start()
        try running.input.write("a")
        #expect(await running.output.read(atLeast: 1) == Array("a".utf8))
        #expect(relay.bytesToServer > 1000)
        #expect(relay.bytesToClient > 1000)
        relay.stall()
        let before = relay.bytesToServer
        try running.input.write("b")
        relay.cut()
        relay.resume()
        #expect(try await running.wait() == .exited(255))
        #expect(relay.bytesToServer >= before)
    }

    @Test func `a faulty server misbehaves for every client`() async throws {
        let server = try FaultServer([.send("220 mail\r\n")])
        for _ in 0..<2 {
            let result = try await ssh("x", server.port, [], "true").run()
            #expect(result.status == .exited(255))
        }
        #expect(server.connectionCount == 2)
    }
}
