import Foundation
import TestSupport
import Testing

/// Error messages for authentication failures, and for a profile with an unusable identity or known_hosts file.
@Suite(.crowded)
struct DenialTests {
    private func error(_ vt: Vt, environment: [String: String] = [:]) async throws -> (message: String, hint: String?) {
        let result = try await vt.run("--json", "exec", "k", "true", environment: environment)
        #expect(result.status == .exited(255))
        let error = try result.jsonError()
        #expect(error["code"] as? String == "auth.denied")
        return (try #require(error["message"] as? String), error["hint"] as? String)
    }

    private func vt(_ server: AsyncSSHServer, _ options: [String]) async throws -> Vt {
        let vt = try Vt()
        try await vt.call(["profile", "add", "k", "\(server.user)@127.0.0.1:\(server.port)"] + options).check()
        return vt
    }

    @Test func `reports an agent without keys`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"]]))
        let agent = try await SSHAgent(server.userKeys, [])
        let denial = try await error(try await vt(server, []), environment: ["SSH_AUTH_SOCK": agent.socket])
        let reason = "the SSH agent at '\(agent.socket)' has no keys: it is empty or locked"
        #expect(denial.message == "no usable credentials for user 'tester' on 'k': \(reason)")
        #expect(denial.hint == "to add a key: ssh-add FILE; to unlock the agent: ssh-add -X")
    }

    @Test func `reports the key with which an agent refuses to sign`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"]]))
        let agent = try await UnhelpfulAgent(.refuse, publicKeys: [server.userKeys.path(.ed25519) + ".pub"])
        let denial = try await error(try await vt(server, []), environment: ["SSH_AUTH_SOCK": agent.socket])
        let reason = "the SSH agent refused to sign with key 'ed25519'"
        #expect(denial.message == "no usable credentials for user 'tester' on 'k': \(reason)")
    }

    @Test func `reports an agent's key of an unsupported type`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"]]))
        let vt = try await vt(server, [])
        let type = "sk-ssh-ed25519@openssh.com"
        let blob = [0, 0, 0, UInt8(type.utf8.count)] + Array(type.utf8) + [0, 0, 0, 0]
        let file = try vt.writeElsewhere("\(type) \(Data(blob).base64EncodedString()) token\n", to: "sk.pub")
        let agent = try await UnhelpfulAgent(.refuse, publicKeys: [file])
        let denial = try await error(vt, environment: ["SSH_AUTH_SOCK": agent.socket])
        let reason = "key 'token' in the SSH agent has type '\(type)', which vt does not support"
        #expect(denial.message == "no usable credentials for user 'tester' on 'k': \(reason)")
    }

    @Test(arguments: [KeyRing.Kind.ed25519, .encrypted, .rsa])
    func `reports a key after which the server requires or rejects a password`(_ kind: KeyRing.Kind) async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"], ["password"]]))
        let key = server.userKeys.path(kind)
        let options = kind == .encrypted ? ["--passphrase-env", "PHRASE"] : []
        let vt = try await vt(server, ["--no-agent", "--identity", key] + options)
        let denial = try await error(vt, environment: ["PHRASE": KeyRing.passphrase])
        let start = "'k' accepted publickey \(key) for user 'tester'"
        #expect(denial.message == "\(start) and requires another method: password")
        #expect(denial.hint == "provide the password with --password-command, --password-env or --password-file")
        try await vt.check("profile", "edit", "k", "--password-env", "SECRET")
        let wrong = try await error(vt, environment: ["PHRASE": KeyRing.passphrase, "SECRET": "wrong"])
        #expect(wrong.message == "\(start), but rejected password")
        #expect(wrong.hint == nil)
    }

    @Test(arguments: [["password"], ["password", "publickey"]])
    func `a wrong password does not produce a hint to specify a password`(_ methods: [String]) async throws {
        let server = try await AsyncSSHServer(.init(steps: [methods]))
        let vt = try await vt(server, ["--no-agent", "--password-env", "SECRET"])
        let denial = try await error(vt, environment: ["SECRET": "wrong"])
        #expect(denial.message == "'k' rejected user 'tester' (tried password)")
        #expect(denial.hint == (methods.count == 1 ? nil : "specify a private key with --identity"))
    }

    @Test func `reports a public key that is used as an identity`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"]]))
        let key = server.userKeys.path(.ed25519)
        let vt = try await vt(server, ["--no-agent", "--identity", key + ".pub"])
        let result = try await vt.run("--json", "exec", "k", "true")
        let error = try result.jsonError()
        #expect(result.status == .exited(255))
        #expect(
            error["message"] as? String
                == "'\(key).pub' is a public key: specify the private key"
        )
        #expect(error["hint"] as? String == "--identity \(key)")
    }

    @Test func `reports a known_hosts file that does not exist`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"]]))
        let vt = try await vt(server, ["--no-agent", "--identity", server.userKeys.path(.ed25519)])
        try await vt.check("profile", "edit", "k", "--known-hosts", "/missing")
        let result = try await vt.run("--json", "exec", "k", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "not-found")
        #expect(result.errorText.contains("cannot open known_hosts file '/missing'"))
    }
}
