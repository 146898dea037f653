import Foundation
import TestSupport
import Testing

/// Authentication methods: which are tried, in which order, and what is reported.
@Suite(.crowded)
struct MethodTests {
    private let secret = ["SECRET": "correct horse"]

    private func vt(_ server: AsyncSSHServer, _ options: String...) async throws -> Vt {
        let vt = try Vt(sharesConnections: false)
        let words = ["profile", "add", "p", "\(server.user)@127.0.0.1:\(server.port)", "--password-env", "SECRET"]
        try await vt.call(words + options).check()
        return vt
    }

    @Test(arguments: [
        [["password"], ["publickey"]], [["keyboard-interactive"], ["publickey"]],
        [["publickey"], ["password"], ["publickey"]],
    ])
    func `a key is tried again after another required method`(steps: [[String]]) async throws {
        let server = try await AsyncSSHServer(.init(steps: steps))
        let vt = try await vt(server, "--no-agent", "--identity", server.userKeys.path(.ed25519))
        let result = try await vt.run("exec", "p", "echo in", environment: secret)
        #expect(result.text == "in\n", "\(result.errorText)")
    }

    @Test func `a key of the agent is tried again after a password`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["password"], ["publickey"]]))
        let agent = try await SSHAgent(server.userKeys, [.ecdsa])
        let vt = try await vt(server)
        let environment = secret.merging(["SSH_AUTH_SOCK": agent.socket]) { $1 }
        let result = try await vt.run("exec", "p", "echo in", environment: environment)
        #expect(result.text == "in\n", "\(result.errorText)")
    }

    @Test(arguments: [true, false])
    func `a method is tried only if the server offers it`(hasKey: Bool) async throws {
        let server = try await AsyncSSHServer(.init(steps: [["keyboard-interactive"]]))
        let key = hasKey ? ["--identity", server.userKeys.path(.ed25519)] : []
        let vt = try Vt(sharesConnections: false)
        let address = "\(server.user)@127.0.0.1:\(server.port)"
        try await vt.call(["profile", "add", "p", address, "--no-agent", "--password-env", "SECRET"] + key).check()
        let result = try await vt.run("exec", "p", "true", environment: ["SECRET": "wrong"])
        #expect(!result.errorText.contains("tried password"), "\(result.errorText)")
        #expect(!result.errorText.contains(", password"))
        #expect(result.errorText.contains("keyboard-interactive"))
    }

    @Test func `a second question is reported`() async throws {
        var options = AsyncSSHServer.Options(steps: [["keyboard-interactive"]])
        options.secondQuestion = "Verification code: "
        let server = try await AsyncSSHServer(options)
        let vt = try await vt(server, "--no-agent")
        let result = try await vt.run("--json", "exec", "p", "true", environment: secret)
        let error = try result.jsonError()
        let tried = "keyboard-interactive, where it also asked 'Verification code: '"
        #expect(error["message"] as? String == "'p' rejected user 'tester' (tried \(tried))")
        let hint = error["hint"] as? String
        #expect(hint == "questions other than the one for the password are asked only by 'vt ssh'")
    }

    @Test func `PasswordAuthentication=no leaves keyboard-interactive enabled`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["keyboard-interactive"]]))
        let vt = try await vt(server, "--no-agent")
        let words = ["ssh", "-o", "PasswordAuthentication=no", "p", "echo in"]
        #expect(try await vt.call(words, environment: secret).run().text == "in\n")
        let none = ["ssh", "-o", "KbdInteractiveAuthentication=no", "p", "echo in"]
        #expect(try await vt.call(none, environment: secret).run().status == .exited(255))
    }

    // MARK: - Banners

    @Test(arguments: [10, 1000, 30_000])
    func `vt ssh shows the banner as ssh does`(size: Int) async throws {
        let scratch = try ScratchDirectory()
        let line = String(repeating: "a", count: 49) + "\n"
        let text = String(repeating: line, count: max(1, size / 50))
        let lab = try await Lab.met(.init(lines: ["Banner \(try scratch.write(text, to: "banner"))"]))
        try lab.configure(lab.box())
        for options in [[], ["-o", "LogLevel=ERROR"], ["-q"], ["-o", "LogLevel=VERBOSE"]] {
            let isSilent = options.contains("-q") || options.contains("LogLevel=ERROR")
            let result = try await lab.vt.call(["ssh", "-S", "none"] + options + ["box", "echo in"]).run()
            #expect(result.text == "in\n")
            #expect(result.errorText == (isSilent ? "" : text))
        }
        #expect(try await lab.vt.run("exec", "p", "true").errors.isEmpty)
    }

    @Test func `a banner that is too large for the library is named, and shown otherwise`() async throws {
        let scratch = try ScratchDirectory()
        let text = String(repeating: String(repeating: "a", count: 49) + "\n", count: 2000)
        let lab = try await Lab(.init(lines: ["Banner \(try scratch.write(text, to: "banner"))"]))
        try lab.configure(lab.box("StrictHostKeyChecking no"))
        let result = try await lab.vt.call(["ssh", "-S", "none", "box", "echo in"]).run()
        if result.status == .exited(0) {
            #expect(result.errorText.contains(text))
        } else {
            #expect(result.errorText.contains("sent a packet that is too large, such as a banner"))
        }
    }

    @Test func `the banner comes before the question, without control sequences`() async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.banner = "one\r\ntwo \u{1b}[31mred\n"
        let server = try await AsyncSSHServer(options)
        let vt = try Vt()
        let script = "#!/bin/sh\necho asked >&2\necho 'correct horse'\n"
        let askpass = try vt.writeElsewhere(script, to: "askpass", mode: 0o755)
        let words = ["ssh", "-p", "\(server.port)", "\(server.user)@127.0.0.1", "echo in"]
        let variables = ["SSH_ASKPASS": askpass, "SSH_ASKPASS_REQUIRE": "force"]
        let result = try await vt.call(words, environment: variables).run()
        #expect(result.text == "in\n", "\(result.errorText)")
        #expect(result.errorText.hasSuffix("one\ntwo \\x1b[31mred\nasked\n"), "\(result.errorText)")
    }

    // MARK: - Keys

    @Test func `a certificate in the file of the public key is used`() async throws {
        let keys = try await KeyRing([.ed25519])
        let authority = try await KeyRing([.ed25519])
        let user = TestUser.current.name
        let sign = ["-q", "-s", authority.path(.ed25519), "-I", "id", "-n", user, keys.path(.ed25519) + ".pub"]
        try await ProgramCall("ssh-keygen", sign).check()
        let file = keys.path(.ed25519)
        try FileManager.default.removeItem(atPath: "\(file).pub")
        try FileManager.default.moveItem(atPath: "\(file)-cert.pub", toPath: "\(file).pub")
        let lab = try await Lab.met(.init(lines: ["TrustedUserCAKeys \(authority.path(.ed25519)).pub"]))
        let words = ["ssh", "-F", "none", "-p", "\(lab.server.port)", "-i", keys.path(.ed25519)]
        let result = try await lab.vt.call(words + ["\(user)@127.0.0.1", "echo in"]).run()
        #expect(result.text == "in\n", "\(result.errorText)")
    }

    @Test(arguments: [KeyRing.Kind.ed25519, .rsa, .ecdsa], ["text", "mark", "PEM"])
    func `text before a key is skipped`(kind: KeyRing.Kind, form: String) async throws {
        let lab = try await Lab.met()
        let key = try lab.vt.writeElsewhere("", to: "key")
        let source = lab.server.userKeys.path(kind)
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: source)))
        if form == "PEM", kind != .ed25519 {
            try Data(bytes).write(to: URL(fileURLWithPath: key))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try await ProgramCall("ssh-keygen", ["-q", "-p", "-m", "PEM", "-N", "", "-f", key]).check()
            bytes = Array(try Data(contentsOf: URL(fileURLWithPath: key)))
        }
        let text = "Bag Attributes\n    friendlyName: key\nKey Attributes: <No Attributes>\n"
        let prefix: [UInt8] = form == "mark" ? [0xEF, 0xBB, 0xBF] : Array(text.utf8)
        try Data(prefix + bytes).write(to: URL(fileURLWithPath: key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        try await lab.vt.check("profile", "edit", "p", "--identity", key)
        #expect(try await lab.exec("echo in").text == "in\n")
    }

    @Test(arguments: ["aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"])
    func `an unsupported cipher of a key is named`(cipher: String) async throws {
        let lab = try await Lab()
        let key = try lab.vt.writeElsewhere("", to: "key")
        try FileManager.default.removeItem(atPath: key)
        let words = ["-q", "-t", "ed25519", "-Z", cipher, "-a", "1", "-N", "secret", "-f", key]
        try await ProgramCall("ssh-keygen", words).check()
        try await lab.vt.check("profile", "edit", "p", "--identity", key, "--passphrase-env", "PHRASE")
        let result = try await lab.vt.run("--json", "exec", "p", "true", environment: ["PHRASE": "secret"])
        let error = try result.jsonError()
        #expect(
            error["message"] as? String
                == "cannot decrypt private key '\(key)': vt does not support the cipher '\(cipher)'"
        )
        #expect((error["hint"] as? String)?.contains("ssh-keygen -p -Z aes256-ctr -f") == true)
    }

    // MARK: - Agents

    @Test func `an agent uses a key that is constrained to the server, and only for it`() async throws {
        let lab = try await Lab.met()
        let other = try await OpenSSHServer()
        let agent = try await SSHAgent(lab.server.userKeys, [])
        let scratch = try ScratchDirectory()
        let known = try scratch.write(try lab.server.knownHostsLine(), to: "known")
        let name = "[127.0.0.1]:\(lab.server.port)"
        let environment = ["SSH_AUTH_SOCK": agent.socket]
        for kind in [KeyRing.Kind.ed25519, .ecdsa] {
            let words = ["-q", "-H", known, "-h", name, lab.server.userKeys.path(kind)]
            try await ProgramCall("ssh-add", words, environment: environment).check()
        }
        let call = { (port: UInt16) in
            let words = ["ssh", "-F", "none", "-S", "none", "-p", "\(port)", "-o", "StrictHostKeyChecking=accept-new"]
            return lab.vt.call(words + ["\(lab.server.user)@127.0.0.1", "echo in"], environment: environment)
        }
        let result = try await call(lab.server.port).run()
        #expect(result.text == "in\n", "\(result.errorText)")
        let address = "\(lab.server.user)@127.0.0.1:\(other.port)"
        let denied = try await lab.vt.run("--json", "exec", address, "true", environment: environment).jsonError()
        let message = denied["message"] as? String
        #expect(message?.contains("the SSH agent refused to sign with key") == true, "\(message ?? "")")
        #expect((denied["hint"] as? String)?.contains("ssh-add -h") == true)
    }
}
