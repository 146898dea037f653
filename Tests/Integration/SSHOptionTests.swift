import Foundation
import TestSupport
import Testing

/// Options of `vt ssh` that determine how to connect and what to run.
@Suite(.crowded)
struct SSHOptionTests {
    /// A lab whose server is the host `box` of the configuration.
    private func lab(_ options: OpenSSHServer.Options = .init(), _ lines: String...) async throws -> Lab {
        let lab = try await Lab.met(options)
        try lab.configure(lab.box() + lines.map { "  \($0)\n" }.joined())
        return lab
    }

    // MARK: - Algorithms

    @Test func `lists of algorithms select those that are used`() async throws {
        let lab = try await lab(.init(lines: ["Ciphers aes256-ctr,aes192-ctr"]))
        let result = try await lab.vt.run("ssh", "-v", "-c", "^aes192*", "-m", "hmac-sha2-512", "box", "true")
        #expect(result.errorText.contains(" aes192-ctr hmac-sha2-512\n"), "\(result.errorText)")
        let none = try await lab.vt.run("ssh", "-o", "Ciphers=-aes192-ctr,aes256-ctr", "box", "true")
        #expect(none.status == .exited(255))
        #expect(none.errorText.contains("no common cipher with 'box'"))
        #expect(none.errorText.contains("the server offers aes256-ctr aes192-ctr; vt offers aes128-ctr"))
        let unknown = try await lab.vt.run("ssh", "-c", "nonsense", "box", "true")
        #expect(unknown.errorText.contains("no supported cipher in 'nonsense'"))
        let configured = try await lab.vt.run("ssh", "-o", "KexAlgorithms=-*", "-G", "box")
        #expect(configured.status == .exited(255))
    }

    @Test func `-Q lists the algorithms, one per line`() async throws {
        let vt = try Vt()
        let ciphers = try await vt.check("ssh", "-Q", "cipher").split(separator: "\n")
        #expect(ciphers.contains("aes128-ctr") && ciphers.contains("aes128-cbc"))
        #expect(try await vt.check("ssh", "-Q", "Ciphers").split(separator: "\n") == ciphers)
        for name in try await vt.check("ssh", "-Q", "help").split(separator: "\n") {
            #expect(try await vt.run("ssh", "-Q", String(name)).status == .exited(0), "\(name)")
        }
        #expect(try await vt.run("ssh", "-Q", "nonsense").status == .exited(255))
    }

    @Test func `options that only old versions had are accepted`() async throws {
        let lab = try await lab(.init(), "Cipher 3des", "RSAAuthentication no", "UseRoaming no")
        let words = ["-oProtocol=2", "-oCompressionLevel=9", "-oFallBackToRsh=no", "-oUseRsh=no", "-a", "-x"]
        #expect(try await lab.vt.call(["ssh"] + words + ["box", "echo ok"]).check() == "ok\n")
    }

    // MARK: - Addresses

    @Test func `a connection is made from the given address or interface`() async throws {
        let lab = try await lab()
        let address = "echo ${SSH_CLIENT%% *}"
        #expect(try await lab.vt.check("ssh", "-b", "127.0.0.7", "box", address) == "127.0.0.7\n")
        #expect(try await lab.vt.check("ssh", "-B", "lo", "box", address) == "127.0.0.1\n")
        let other = try await lab.vt.run("ssh", "-b", "::1", "box", "true")
        #expect(other.errorText.contains("their address families differ"))
        let missing = try await lab.vt.run("ssh", "-B", "no-such-interface", "box", "true")
        #expect(missing.errorText.contains("no address on interface 'no-such-interface'"))
    }

    // MARK: - Messages

    @Test func `-E appends messages to a file instead of printing them`() async throws {
        let lab = try await lab()
        let log = try lab.vt.writeElsewhere("first\n", to: "log")
        let result = try await lab.vt.run("ssh", "-v", "-E", log, "box", "echo error >&2; exit 3")
        #expect(result.status == .exited(3))
        #expect(result.errorText == "error\n")
        let failure = try await lab.vt.run("ssh", "-E", log, "-o", "Port=1", "box", "true")
        #expect(failure.status == .exited(255) && failure.errors.isEmpty)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        #expect(text.hasPrefix("first\nvt: "))
        #expect(text.contains("\nssh: connect to host 127.0.0.1 port 1: Connection refused\nvt: cannot connect"))
    }

    @Test func `-O inspects and closes the shared connection`() async throws {
        let lab = try await lab()
        let shared = ["VT_SHARE": "1m"]
        let control = { (command: String) in
            try await lab.vt.call(["ssh", "-O", command, "box"], environment: shared).run()
        }
        #expect(try await control("check").errorText.hasSuffix(": No such file or directory\n"))
        try await lab.vt.call(["ssh", "box", "true"], environment: shared).check()
        let running = try await control("check")
        #expect(running.status == .exited(0))
        #expect(running.errorText.hasPrefix("Master running (pid=") && running.text.isEmpty)
        let exit = try await control("exit")
        #expect(exit.status == .exited(0) && exit.errorText == "Exit request sent.\n")
        #expect(try await control("stop").status == .exited(255))
    }

    // MARK: - Commands

    @Test func `the configuration can name commands to run here and on the server`() async throws {
        let lab = try await lab(
            .init(),
            "PermitLocalCommand yes",
            "LocalCommand echo here %n %h",
            "RemoteCommand echo %n"
        )
        #expect(try await lab.vt.check("ssh", "box") == "here box 127.0.0.1\nbox\n")
        let both = try await lab.vt.run("ssh", "box", "true")
        #expect(both.status == .exited(255))
        #expect(both.errorText.contains("cannot run both a command and RemoteCommand"))
        let options = ["-oRemoteCommand=none", "-oPermitLocalCommand=no"]
        #expect(try await lab.vt.call(["ssh"] + options + ["box", "echo given"]).check() == "given\n")
        let failing = ["-oRemoteCommand=none", "-oLocalCommand=exit 5"]
        #expect(try await lab.vt.call(["ssh"] + failing + ["box", "exit 4"]).run().status == .exited(4))
        let subsystem = ["-oRemoteCommand=none", "-oPermitLocalCommand=no", "-oSessionType=subsystem", "box", "sftp"]
        #expect(try await lab.vt.call(["ssh"] + subsystem).run().status == .exited(0))
    }

    // MARK: - Keys

    @Test func `IdentitiesOnly limits the agent to keys that are identities, even public ones`() async throws {
        let lab = try await lab()
        let keys = lab.server.userKeys
        let agent = try await SSHAgent(keys, [.ecdsa], after: try await KeyRing())
        let run = { (words: [String]) in
            let options = ["ssh", "-F", "none", "-p", "\(lab.server.port)", "-oIdentitiesOnly=yes"]
            let environment = ["SSH_AUTH_SOCK": agent.socket]
            return try await lab.vt.call(options + words, environment: environment).run()
        }
        let host = ["\(lab.server.user)@127.0.0.1", "echo ok"]
        #expect(try await run(host).status == .exited(255))
        #expect(try await run(["-i", keys.path(.ecdsa) + ".pub"] + host).text == "ok\n")
        let alone = try lab.vt.writeElsewhere(try keys.publicLine(.ecdsa) + "\n", to: "alone.pub")
        #expect(try await run(["-oIdentityFile=\(alone.dropLast(4))"] + host).text == "ok\n")
        let excluded = try await run(["-i", alone, "-oPubkeyAcceptedAlgorithms=ssh-ed25519"] + host)
        #expect(excluded.errorText.contains("PubkeyAcceptedAlgorithms excludes its type"))
    }

    @Test func `a missing file given with -i leaves the configured identity`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run("ssh", "-i", "/no/such/key", "box", "echo ok")
        #expect(result.text == "ok\n")
        #expect(result.errorText == "vt: identity file '/no/such/key' is not accessible\n")
    }

    @Test func `each jump host has its own port`() async throws {
        let lab = try await lab()
        let other = try await OpenSSHServer(.init())
        let host = "127.0.0.1:\(lab.server.port),\(lab.server.user)@127.0.0.1:\(other.port)"
        let text = "Host *\n  IdentityFile \(lab.server.userKeys.path(.ed25519))\n  User \(lab.server.user)\n"
        try lab.configure(lab.box("ProxyJump \(host)") + text)
        #expect(try await lab.vt.check("ssh", "box", "echo ${SSH_CONNECTION##* }") == "\(lab.server.port)\n")
        #expect(other.log.contains("direct-tcpip") || other.log.contains("Accepted publickey"))
        #expect(try await lab.vt.check("ssh", "-J", host, "-oProxyJump=none", "box", "echo given") == "given\n")
    }
}
