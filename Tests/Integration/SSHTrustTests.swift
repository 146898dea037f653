import Foundation
import TestSupport
import Testing

/// Directives of ssh_config(5) that restrict what is trusted: `vt ssh` honors them, or refuses the host.
@Suite(.crowded)
struct SSHTrustTests {
    /// A lab whose server is the host `box` of the configuration, with further lines in which DIR is `directory`.
    private struct Place {
        let lab: Lab
        let directory: String

        init(_ options: OpenSSHServer.Options = .init(), _ lines: String..., meets: Bool = true) async throws {
            lab = try await Lab(options)
            directory = lab.vt.home
            if meets { try await lab.meet() }
            try lab.configure(lab.box() + lines.map { "  \($0.replacing("DIR", with: directory))\n" }.joined())
        }

        func run(_ words: String...) async throws -> ProgramResult {
            try await lab.vt.call(["ssh"] + words + ["box", "echo ran"]).run()
        }

        func write(_ text: String, to name: String, mode: Int = 0o644) throws {
            let path = "\(directory)/\(name)"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }

        var hostKey: String { lab.server.hostKeys.path(.ed25519) + ".pub" }
    }

    // MARK: - Revoked keys

    @Test(arguments: ["lines", "key", "sha1", "sha256"])
    func `a revoked host key is refused`(form: String) async throws {
        let place = try await Place(.init(), "RevokedHostKeys ~/revoked")
        let key = try String(contentsOfFile: place.hostKey, encoding: .utf8)
        let other = try await KeyRing().publicLine(.ed25519)
        let create = { (line: String, name: String) in
            try place.write(line, to: "spec")
            let words = ["-k", "-f", "\(place.directory)/\(name)", "\(place.directory)/spec"]
            try await ProgramCall("ssh-keygen", words).check()
        }
        let text = { (key: String) in "\(form): \(key)\n" }
        if form == "lines" {
            try place.write("# none\n\(other)\n", to: "revoked")
        } else {
            try await create(text(other), "revoked")
        }
        #expect(try await place.run().text == "ran\n")
        if form == "lines" {
            try place.write("\(other)\n\(key)\n", to: "revoked")
        } else {
            try await create(text(key), "revoked")
        }
        // The connection of the first command is shared.
        let result = try await place.run()
        #expect(result.status == .exited(255) && result.text.isEmpty)
        #expect(result.errorText.contains("is revoked in '\(place.directory)/revoked'"), "\(result.errorText)")
        #expect(try await place.run("-o", "RevokedHostKeys=none").text == "ran\n")
    }

    @Test(arguments: [nil, "no key\n", "SSHKRL\n\0"])
    func `no host is trusted if the file of revoked keys cannot be read`(contents: String?) async throws {
        let place = try await Place(.init(), "RevokedHostKeys DIR/revoked")
        if let contents { try place.write(contents, to: "revoked") }
        let result = try await place.run()
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("cannot check whether the host key"), "\(result.errorText)")
    }

    @Test func `a revoked key of a jump host is refused`() async throws {
        let place = try await Place(.init(), "RevokedHostKeys DIR/revoked")
        try place.write(try String(contentsOfFile: place.hostKey, encoding: .utf8), to: "revoked")
        let address = "\(place.lab.server.user)@127.0.0.1:\(place.lab.server.port)"
        let result = try await place.lab.vt.run("ssh", "-J", "box", "ssh://\(address)", "true")
        #expect(result.errorText.contains("is revoked in"), "\(result.errorText)")
    }

    @Test func `a host with revoked keys is not imported as a profile`() async throws {
        let place = try await Place(.init(), "RevokedHostKeys DIR/revoked")
        let result = try await place.lab.vt.run("profile", "import")
        #expect(result.errorText.contains("skipped 'box', because a profile cannot have RevokedHostKeys"))
        #expect(try await place.lab.vt.run("profile", "show", "box").status != .exited(0))
    }

    // MARK: - Commands that list keys

    @Test func `the keys that KnownHostsCommand prints are known`() async throws {
        let lines = [
            "KnownHostsCommand DIR/list %t %K %H %I %u", "UserKnownHostsFile none", "StrictHostKeyChecking yes",
        ]
        let place = try await Place(.init(), lines[0], lines[1], lines[2], meets: false)
        let script = "#!/bin/sh\necho \"$*\" >>~/calls\ntest ! -e ~/fail || exit 3\ncat ~/keys\n"
        try place.write(script, to: "list", mode: 0o755)
        try place.write("", to: "keys")
        #expect(try await place.run().errorText.contains("(host-key.unknown)"))
        try place.write(try place.lab.server.knownHostsLine(), to: "keys")
        #expect(try await place.run().text == "ran\n")
        let key = try place.lab.server.hostKeys.publicLine(.ed25519).split(separator: " ")
        let calls = try String(contentsOfFile: "\(place.directory)/calls", encoding: .utf8).split(separator: "\n")
        let name = "[127.0.0.1]:\(place.lab.server.port)"
        #expect(calls.suffix(2).first == "NONE NONE \(name) ORDER \(place.lab.server.user)")
        #expect(calls.last == "\(key[0]) \(key[1]) \(name) HOSTNAME \(place.lab.server.user)")
        // The command runs for each connection, so no connection is shared.
        try place.write("", to: "fail")
        let failed = try await place.run()
        #expect(failed.status == .exited(255) && failed.errorText.contains("KnownHostsCommand '"))
    }

    @Test func `a key that contradicts KnownHostsCommand is refused`() async throws {
        let place = try await Place(.init(), "KnownHostsCommand /bin/cat DIR/keys", meets: false)
        let other = try await KeyRing().publicLine(.ed25519)
        try place.write("[127.0.0.1]:\(place.lab.server.port) \(other)\n", to: "keys")
        let result = try await place.run()
        #expect(result.errorText.contains("has changed") && result.errorText.contains("KnownHostsCommand"))
    }

    // MARK: - Addresses and sizes

    @Test func `CheckHostIP refuses a key that contradicts the one of the address`() async throws {
        let place = try await Place()
        let known = "UserKnownHostsFile=\(place.directory)/known"
        let port = place.lab.server.port
        let key = try place.lab.server.hostKeys.publicLine(.ed25519)
        try place.lab.configure(
            place.lab.box().replacing("127.0.0.1", with: "localhost") + "  CheckHostIP yes\n  AddressFamily inet\n"
        )
        try place.write("[localhost]:\(port) \(key)\n", to: "known")
        #expect(try await place.run("-o", known).text == "ran\n")
        let other = try await KeyRing().publicLine(.ed25519)
        try place.write("[localhost]:\(port) \(key)\n[127.0.0.1]:\(port) \(other)\n", to: "known")
        #expect(try await place.run("-o", known).errorText.contains("has changed"))
        #expect(try await place.run("-o", known, "-o", "CheckHostIP=no").text == "ran\n")
    }

    @Test func `RequiredRSASize excludes smaller keys of the user`() async throws {
        let place = try await Place()
        let words = ["-F", "none", "-p", "\(place.lab.server.port)", "-i", place.lab.server.userKeys.path(.rsa)]
        let call = { (size: String) in
            let options = ["-o", "RequiredRSASize=\(size)", "-o", "IdentityAgent=none", "-S", "none"]
            return place.lab.vt.call(
                ["ssh"] + words + options + ["\(place.lab.server.user)@127.0.0.1", "echo ran"]
            )
        }
        #expect(try await call("2048").run().text == "ran\n")
        let result = try await call("3072").run()
        #expect(result.errorText.contains("smaller than RequiredRSASize"), "\(result.errorText)")
    }

    // MARK: - Refusals

    @Test(arguments: [
        ("RefuseConnection \"moved to web2\"", "moved to web2"),
        ("ProxyCommand nc %h %p\n  ProxyUseFdpass yes", "vt does not support ProxyUseFdpass"),
        ("PreferredAuthentications hostbased", "no usable credentials"),
        ("Match localnetwork 127.0.0.0/8\n  StrictHostKeyChecking yes", "vt cannot evaluate this 'Match'"),
    ])
    func `a host is refused if vt cannot honor a restriction`(lines: String, message: String) async throws {
        let place = try await Place(.init(), lines)
        let result = try await place.run()
        #expect(result.status == .exited(255) && result.text.isEmpty)
        #expect(result.errorText.contains(message), "\(result.errorText)")
    }

    @Test func `with ControlMaster=ask, a connection is not shared`() async throws {
        let place = try await Place(.init(), "ControlMaster ask")
        #expect(try await place.run("-v").text == "ran\n")
        #expect(try await !place.run("-v").errorText.contains("using the shared connection"))
    }

    // MARK: - Programs

    @Test(arguments: [
        "true && false", "false || true", "true; false", "! false", "cd /", "X=1 test -n x", "if true; then exit 0; fi",
        "exit 3", "test $0 = /bin/sh", "kill -TERM $$",
    ])
    func `'Match exec' runs a command as ssh does`(command: String) async throws {
        let vt = try Vt()
        let file = try vt.writeElsewhere("Match exec \"\(command)\"\n  User matched\n", to: "config")
        let environment = vt.environment.merging(["SHELL": "/bin/sh"]) { $1 }
        let words = ["-F", file, "-o", "HostName=h", "-G", "web"]
        let users = { (result: ProgramResult) in
            result.text.split(separator: "\n").filter { $0 == "user matched" }
        }
        let expected = try await ProgramCall("ssh", words, environment: environment).run()
        let actual = try await vt.call(["ssh"] + words, environment: environment).run()
        #expect(users(actual) == users(expected))
        #expect((actual.status == .exited(0)) == (expected.status == .exited(0)))
    }

    @Test func `a proxy command runs with the user's shell, over pipes`() async throws {
        let lab = try await Lab.met()
        let check = "test -p /dev/stdin && test -p /dev/stdout || exit 7; echo \"$0\" >&2;"
        let program = "#!/bin/sh\nexec /bin/sh -c \"\(check) $2\" my-shell\n"
        let shell = try lab.vt.writeElsewhere(program, to: "my-shell", mode: 0o755)
        try lab.configure(lab.box("ProxyCommand \(TestTree.vt) ssh -W %h:%p p"))
        let result = try await lab.vt.run("ssh", "-S", "none", "box", "echo ran", environment: ["SHELL": shell])
        #expect(result.text == "ran\n" && result.errorText.contains("my-shell"), "\(result.errorText)")
    }
}
