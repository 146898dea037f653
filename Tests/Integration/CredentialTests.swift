import Foundation
import TestSupport
import Testing

@Suite(.crowded)
struct CredentialTests {
    @Test(arguments: [KeyRing.Kind.ed25519, .ecdsa, .rsa])
    func `authenticates with a key`(_ kind: KeyRing.Kind) async throws {
        let lab = try await Lab()
        try await lab.addProfile("k", key: kind)
        #expect(try await lab.vt.run("exec", "k", "echo in").text == "in\n")
    }

    @Test(arguments: ["--passphrase-env", "--passphrase-file", "--passphrase-command", "--passphrase-stdin"])
    func `decrypts a key with a passphrase from every source`(_ option: String) async throws {
        let lab = try await Lab()
        let file = try lab.vt.writeElsewhere(KeyRing.passphrase + "\n", to: "passphrase")
        let key = lab.server.userKeys.path(.encrypted)
        var words = ["profile", "add", "k", "\(lab.server.user)@127.0.0.1:\(lab.server.port)", "--no-agent"]
        words += ["--identity", key, option]
        switch option {
        case "--passphrase-env": words.append("PHRASE")
        case "--passphrase-file": words.append(file)
        case "--passphrase-command": words.append("cat '\(file)'")
        default: words += ["--secret-store", "file"]
        }
        try await lab.vt.call(words).check(input: Array((KeyRing.passphrase + "\n").utf8))
        let result = try await lab.vt.run("exec", "k", "echo in", environment: ["PHRASE": KeyRing.passphrase])
        #expect(result.text == "in\n", "\(result.errorText)")
    }

    @Test func `an encrypted key without a passphrase is reported before connecting`() async throws {
        let lab = try await Lab()
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("k", port: relay.port, key: .encrypted)
        let result = try await lab.vt.run("--json", "exec", "k", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "auth.denied")
        #expect(relay.connectionCount == 0)
    }

    @Test func `reports a wrong passphrase`() async throws {
        let lab = try await Lab()
        try await lab.addProfile("k", key: .encrypted, ["--no-agent", "--passphrase-env", "PHRASE"])
        let call = lab.vt.call(["--json", "exec", "k", "true"], environment: ["PHRASE": "wrong"])
        let result = try await call.run()
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "auth.denied")
    }

    @Test func `authenticates with an agent's second key if the server rejects the first`() async throws {
        let lab = try await Lab()
        let stranger = try await KeyRing([.ed25519])
        let agent = try await SSHAgent(lab.server.userKeys, [.ecdsa], after: stranger)
        try await lab.addProfile("a", key: nil, [])
        let result = try await lab.vt.run("exec", "a", "echo in", environment: ["SSH_AUTH_SOCK": agent.socket])
        #expect(result.text == "in\n", "\(result.errorText)")
    }

    @Test func `a profile with --no-agent ignores a running agent`() async throws {
        let lab = try await Lab()
        let agent = try await SSHAgent(lab.server.userKeys, [.ed25519])
        try await lab.addProfile("a", key: nil, ["--no-agent"])
        let result = try await lab.vt.run("exec", "a", "true", environment: ["SSH_AUTH_SOCK": agent.socket])
        #expect(result.status == .exited(255))
    }

    @Test func `an agent that never replies does not block vt indefinitely`() async throws {
        let lab = try await Lab()
        let agent = try await SSHAgent(lab.server.userKeys, [.ed25519])
        agent.signal(SIGSTOP)
        try await lab.addProfile("a", key: nil, [])
        let call = lab.vt.call(
            ["exec", "--connect-timeout", "2s", "a", "true"],
            environment: ["SSH_AUTH_SOCK": agent.socket]
        )
        #expect(try await call.run(deadline: .seconds(30)).status == .exited(255))
    }

    @Test func `reports a key file that does not exist`() async throws {
        let lab = try await Lab()
        let address = "\(lab.server.user)@127.0.0.1:\(lab.server.port)"
        try await lab.vt.check("profile", "add", "k", address, "--identity", "\(lab.vt.home)/none", "--no-agent")
        let result = try await lab.vt.run("--json", "exec", "k", "true")
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("\(lab.vt.home)/none"))
    }

    @Test func `reports a key that the server rejects`() async throws {
        let lab = try await Lab()
        let stranger = try await KeyRing([.ed25519])
        let address = "\(lab.server.user)@127.0.0.1:\(lab.server.port)"
        let key = stranger.path(.ed25519)
        try await lab.vt.check("profile", "add", "k", address, "--identity", key, "--no-agent")
        let result = try await lab.vt.run("--json", "exec", "k", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "auth.denied")
        #expect(try await lab.vt.run("profile", "test", "k").status == .exited(77))
    }
}
