import Foundation
import TestSupport
import Testing

/// Authentication with RSA keys; vt creates the signatures itself, because libssh2 1.10 supports only SHA-1 signatures.
@Suite(.crowded)
struct RSAKeyTests {
    /// The format of a key file.
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Options of `ssh-keygen -p`.
        var options: [String]
        var isEncrypted = false
    }

    static let forms = [
        Form(testDescription: "OpenSSH", options: []),
        Form(testDescription: "PEM", options: ["-m", "PEM"]),
        Form(testDescription: "PKCS #8", options: ["-m", "PKCS8"]),
        Form(testDescription: "PEM, encrypted", options: ["-m", "PEM"], isEncrypted: true),
        Form(testDescription: "PKCS #8, encrypted", options: ["-m", "PKCS8"], isEncrypted: true),
    ]

    private let passphrase = ["PHRASE": KeyRing.passphrase]

    /// Writes the RSA key of `KeyRing.user()` to a file in this format, and returns its path.
    private func file(_ form: Form, for vt: Vt) async throws -> String {
        let source = try String(contentsOfFile: try await KeyRing.user().path(.rsa), encoding: .utf8)
        let path = try vt.writeElsewhere(source, to: "key")
        let new = form.isEncrypted ? KeyRing.passphrase : ""
        try await ProgramCall("ssh-keygen", ["-q", "-p", "-f", path, "-P", "", "-N", new] + form.options).check()
        return path
    }

    private func addProfile(_ vt: Vt, _ user: String, _ port: UInt16, _ options: [String]) async throws {
        try await vt.call(["profile", "add", "k", "\(user)@127.0.0.1:\(port)"] + options).check()
    }

    @Test(arguments: forms)
    func `authenticates with a key file in any supported format`(_ form: Form) async throws {
        let lab = try await Lab(sharesConnections: false)
        let options = ["--no-agent", "--passphrase-env", "PHRASE", "--identity", try await file(form, for: lab.vt)]
        try await addProfile(lab.vt, lab.server.user, lab.server.port, options)
        let result = try await lab.vt.run("exec", "k", "echo in", environment: passphrase)
        #expect(result.text == "in\n", "\(result.errorText)")
        #expect(lab.server.log.contains("RSA SHA256:"))
        guard form.isEncrypted else { return }
        let wrong = try await lab.vt.run("--json", "exec", "k", "true", environment: ["PHRASE": "wrong"])
        #expect(try wrong.jsonError()["code"] as? String == "auth.denied")
        #expect(wrong.errorText.contains("wrong passphrase"))
    }

    /// Only a static libssh2 gives access to the key derivation of this format.
    @Test(arguments: ["aes256-ctr", "aes128-ctr", "aes192-cbc", "3des-cbc"])
    func `an encrypted file in OpenSSH's format authenticates, or produces two hints`(_ cipher: String) async throws {
        let lab = try await Lab(sharesConnections: false)
        let form = Form(testDescription: "", options: ["-Z", cipher, "-a", "3"], isEncrypted: true)
        let path = try await file(form, for: lab.vt)
        let options = ["--no-agent", "--passphrase-env", "PHRASE", "--identity", path]
        try await addProfile(lab.vt, lab.server.user, lab.server.port, options)
        let result = try await lab.vt.run("--json", "exec", "k", "true", environment: passphrase)
        if try await TestTree.vtIsStatic {
            #expect(result.status == .exited(0), "\(result.errorText)")
            #expect(lab.server.log.contains("RSA SHA256:"))
            let wrong = try await lab.vt.run("--json", "exec", "k", "true", environment: ["PHRASE": "wrong"])
            #expect(wrong.errorText.contains("wrong passphrase"))
            return
        }
        let error = try result.jsonError()
        #expect(result.status == .exited(255))
        #expect(error["code"] as? String == "auth.denied")
        let hint = "add it to an agent: ssh-add \(path); or convert it to PEM: ssh-keygen -p -m PEM -f \(path)"
        #expect(error["hint"] as? String == hint)
    }

    @Test func `authenticates with an agent's RSA key, even if vt cannot decrypt its file`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let agent = try await SSHAgent(lab.server.userKeys, [.rsa])
        let path = try await file(Form(testDescription: "", options: [], isEncrypted: true), for: lab.vt)
        for options in [[], ["--replace", "--identity", path]] {
            try await addProfile(lab.vt, lab.server.user, lab.server.port, options)
            let result = try await lab.vt.run("exec", "k", "echo in", environment: ["SSH_AUTH_SOCK": agent.socket])
            #expect(result.text == "in\n", "\(result.errorText)")
        }
    }

    @Test func `reports an agent that signs with SHA-1`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let agent = try await UnhelpfulAgent(.sha1, publicKeys: [lab.server.userKeys.path(.rsa) + ".pub"])
        try await addProfile(lab.vt, lab.server.user, lab.server.port, [])
        let result = try await lab.vt.run("exec", "k", "true", environment: ["SSH_AUTH_SOCK": agent.socket])
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("signed with 'ssh-rsa' instead of 'rsa-sha2-256'"))
    }

    @Test func `Dropbear accepts an RSA key`() async throws {
        let server = try await DropbearServer()
        let vt = try Vt(sharesConnections: false)
        try await addProfile(vt, server.user, server.port, ["--no-agent", "--identity", server.userKeys.path(.rsa)])
        let result = try await vt.run("exec", "k", "echo in")
        #expect(result.text == "in\n", "\(result.errorText)")
    }

    @Test func `asyncssh accepts an RSA key`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"]]))
        let vt = try Vt(sharesConnections: false)
        try await addProfile(vt, server.user, server.port, ["--no-agent", "--identity", server.userKeys.path(.rsa)])
        let result = try await vt.run("exec", "k", "echo in")
        #expect(result.text == "in\n", "\(result.errorText)")
    }

    @Test func `paramiko accepts an RSA key`() async throws {
        let server = try await ParamikoServer()
        let vt = try Vt(sharesConnections: false)
        try await addProfile(vt, server.user, server.port, ["--no-agent", "--identity", server.userKeys.path(.rsa)])
        let result = try await vt.run("exec", "k", "echo in")
        #expect(result.text == "in\n", "\(result.errorText)")
    }
}
