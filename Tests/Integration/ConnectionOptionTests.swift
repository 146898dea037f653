import Foundation
import TestSupport
import Testing

/// The options for connecting, which all commands that log in to servers have, and servers without a profile.
@Suite(.crowded)
struct ConnectionOptionTests {
    private struct Case {
        let lab: Lab
        /// The options that the server needs, in place of a profile.
        let options: [String]

        init() async throws {
            lab = try await Lab()
            try lab.linkVt()
            let known = try lab.vt.writeElsewhere(try lab.server.knownHostsLine(.ed25519), to: "known")
            options = [
                "--port", "\(lab.server.port)", "--identity", lab.server.userKeys.path(.ed25519), "--known-hosts",
                known,
                "--option", "StrictHostKeyChecking=yes",
            ]
        }

        /// Runs a command line with the options before COMMAND.
        func run(_ line: String) async throws -> ProgramResult {
            let words = line.split(separator: " ").map(String.init)
            let end = words[0] == "exec" ? 1 : words.firstIndex(of: "--") ?? words.endIndex
            return try await lab.vt.call(Array(words[..<end]) + options + Array(words[end...])).run()
        }
    }

    @Test(arguments: [
        "exec HOST true", "ls HOST:", "cat HOST:/etc/hostname", "copy HOST:/etc/hostname -",
        "forward HOST -L 0:localhost:1 --exec true", "doctor HOST", "sessions list HOST",
        "sessions create HOST:s -- true", "sessions run HOST:s --rm -- true",
        "sessions reap HOST --idle 1h --action kill", "sessions cleanup HOST --all", "key deploy HOST --key k",
    ])
    func `a command takes the port, the key and the known_hosts file of a server`(_ command: String) async throws {
        let test = try await Case()
        try await test.lab.vt.check("key", "import", "k", test.lab.server.userKeys.path(.ed25519))
        let host = "\(test.lab.server.user)@127.0.0.1"
        let result = try await test.run(command.replacingOccurrences(of: "HOST", with: host))
        #expect(result.errors.isEmpty, "\(result.errorText)")
        // The checks of this machine may fail.
        #expect(result.status == .exited(0) || command.hasPrefix("doctor"))
    }

    @Test(arguments: [
        "exec HOST true", "ls HOST:", "cat HOST:/etc/hostname", "copy HOST:/etc/hostname -",
        "forward HOST -L 0:localhost:1 --exec true", "doctor HOST", "key deploy HOST --key k",
    ])
    func `an address without a user is a host, except for sessions`(_ command: String) async throws {
        let test = try await Case()
        try await test.lab.vt.check("key", "import", "k", test.lab.server.userKeys.path(.ed25519))
        let result = try await test.run(command.replacingOccurrences(of: "HOST", with: "127.0.0.1"))
        #expect(result.errors.isEmpty, "\(result.errorText)")
        let sessions = try await test.run("sessions list 127.0.0.1")
        #expect(sessions.status == .exited(66))
        #expect(sessions.errorText.contains("or use ssh://127.0.0.1 for a server without a profile"))
    }

    @Test(arguments: ["ls p:", "sessions list p", "forward p -L 0:localhost:1 --exec true", "key deploy p --key k"])
    func `an option that would replace a setting of the profile is an error`(_ command: String) async throws {
        let lab = try await Lab()
        try await lab.vt.check("key", "import", "k", lab.server.userKeys.path(.ed25519))
        let words = command.split(separator: " ").map(String.init)
        for option in [["--port", "1"], ["--user", "other"], ["--identity", "/other"], ["--option", "Port=1"]] {
            let result = try await lab.vt.call(words + option).run()
            #expect(result.status == .exited(words[0] == "forward" ? 255 : 64), "\(option)")
            #expect(result.errorText.hasPrefix("vt: profile 'p' has another "), "\(result.errorText)")
        }
    }

    @Test(arguments: ["sessions list", "sessions show s", "doctor", "snapshot list s"])
    func `an option for connecting is an error if nothing connects`(_ command: String) async throws {
        let vt = try Vt()
        let result = try await vt.call(command.split(separator: " ").map(String.init) + ["--port", "22"]).run()
        #expect(result.status == .exited(64))
        #expect(result.errorText.hasPrefix("vt: the given port requires a server"), "\(result.errorText)")
    }

    @Test func `an option that does not determine how to connect is rejected`() async throws {
        let vt = try Vt()
        for option in ["SendEnv=A", "RequestTTY=yes", "LocalForward=1 localhost:1", "RemoteCommand=true"] {
            let result = try await vt.run("ls", "root@127.0.0.1:", "--option", option)
            #expect(result.status == .exited(64), "\(option)")
        }
    }

    @Test func `hints name a server without a profile with its user and port`() async throws {
        let test = try await Case()
        let link = "\(test.lab.server.home)/.local/bin/vt"
        try FileManager.default.removeItem(atPath: link)
        let result = try await test.run("sessions list \(test.lab.server.user)@127.0.0.1")
        let target = "\(test.lab.server.user)@127.0.0.1:\(test.lab.server.port)"
        #expect(result.errorText.contains("'vt install \(target)'"), "\(result.errorText)")
    }

    // MARK: - Files

    @Test func `copy, ls and cat take URLs`() async throws {
        let test = try await Case()
        let (server, vt) = (test.lab.server, test.lab.vt)
        let url = "ssh://\(server.user)@127.0.0.1:\(server.port)"
        let options = Array(test.options.dropFirst(2))
        let file = try vt.writeElsewhere("text\n", to: "a b")
        let path = file.replacingOccurrences(of: " ", with: "%20")
        #expect(try await vt.call(["cat", url + path] + options).check() == "text\n")
        #expect(try await vt.call(["ls", "--ids", url + path] + options).check().hasSuffix("a b\n"))
        try await vt.call(["copy", url + path, "\(url)\(server.home)/copied%40home"] + options).check()
        #expect(try String(contentsOfFile: "\(server.home)/copied@home", encoding: .utf8) == "text\n")
    }

    @Test(arguments: [
        ("/etc/hostname", "ssh://HOST:27022/etc/hostname"), ("a", "ssh://HOST:27022/~/a"), ("", "ssh://HOST:27022/~/"),
    ])
    func `a path that starts with a port refers to the URL`(path: String, url: String) async throws {
        let vt = try Vt()
        for words in [["ls"], ["cat"], ["copy", "--"]] {
            let last = words[0] == "copy" ? ["/dev/null"] : []
            let result = try await vt.call(words + ["root@127.0.0.1:27022:\(path)"] + last).run()
            #expect(result.status == .exited(64), "\(result.errorText)")
            let hint = url.replacingOccurrences(of: "HOST", with: "root@127.0.0.1")
            #expect(result.errorText.contains("hint: use '\(hint)'"), "\(result.errorText)")
        }
    }

    @Test func `a path of a profile may start with a number and a colon`() async throws {
        let lab = try await Lab()
        let result = try await lab.vt.run("cat", "p:10:30.log")
        #expect(result.status == .exited(66))
        #expect(result.errorText.hasSuffix("vt: cannot open '10:30.log': no such file or directory\n"))
    }
}
