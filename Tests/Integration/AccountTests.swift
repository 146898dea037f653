import Foundation
import TestSupport
import Testing

/// Accounts and servers that allow only some of what vt needs, and the errors that say so.
@Suite(.crowded)
struct AccountTests {
    @Test func `a restricted shell runs the programs that it allows`() async throws {
        let shell = "/bin/rbash"
        let lab = try await Lab(.init(loginShells: [shell]))
        try await lab.addProfile("s", port: lab.server.shellPorts[shell])
        let words = ["a b", "it's", "$HOME", "!", ""]
        let result = try await lab.vt.call(["exec", "s", "--", "printf", #"%s\0"#] + words).run()
        #expect(result.text == words.map { "\($0)\0" }.joined(), "\(result.errorText)")
        #expect(try await lab.vt.run("exec", "s", "--", "sh", "-c", "exit 7").status == .exited(7))
        #expect(try await lab.vt.run("exec", "s", "--", "sh", "-c", "kill $$").status == .exited(143))
        #expect(try await lab.vt.run("exec", "s", "--", "/bin/echo").status != .exited(0))
    }

    @Test(arguments: [
        ("exec /usr/sbin/nologin", "This account is currently not available."),
        ("exec git-shell -c \"$SSH_ORIGINAL_COMMAND\"", "fatal: unrecognized command '"),
        ("internal-sftp", "This service allows sftp connections only."),
        ("echo 'go away' >&2; exit 3", "go away"),
        ("exit 3", "exit status 3"),
        ("true", "exit status 0"),
    ])
    func `an account that does not run vt says why`(program: String, reason: String) async throws {
        let lab = try await Lab(.init(lines: ["ForceCommand \(program)"]))
        for words in [["list", "p"], ["create", "p:x", "--", "cat"], ["screen", "p:x"]] {
            let result = try await lab.vt.call(["--json", "sessions"] + words).run()
            let error = try result.jsonError()
            #expect(error["code"] as? String == "system")
            let message = try #require(error["message"] as? String)
            #expect(message.hasPrefix("cannot run vt on 'p': \(reason)"), "\(message)")
        }
    }

    @Test(arguments: [["exec", "--pty", "p", "true"], ["ssh", "-tt", "p", "true"]])
    func `a refused terminal is named`(_ words: [String]) async throws {
        let lab = try await Lab(.init(lines: ["PermitTTY no"]))
        let result = try await lab.vt.call(words).run()
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("cannot allocate a terminal on 'p': the server rejected the request"))
        #expect(result.errorText.contains("see PermitTTY in sshd_config(5)"))
        #expect(try await lab.exec("echo in").text == "in\n")
    }

    @Test func `a refused remote forward does not claim that anything exists`() async throws {
        let lab = try await Lab(.init(lines: ["AllowTcpForwarding no"]))
        let result = try await lab.vt.run("--json", "forward", "p", "-R", "0:localhost:22")
        #expect(try result.jsonError()["code"] as? String == "protocol", "\(result.errorText)")
    }

    @Test(arguments: [
        ("220 mail.example ESMTP\r\n", "220 mail.example ESMTP"), ("+OK ready", "+OK ready"),
        ("\r\n\u{1b}[31mlogin: ", "\\x1b[31mlogin: "), ("HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/1.1 400 Bad Request"),
        ("SSH", nil),
    ])
    func `what a server of another protocol says is reported`(greeting: String, said: String?) async throws {
        let server = try GreetingServer(Array(greeting.utf8))
        let vt = try Vt()
        let address = "nobody@127.0.0.1:\(server.port)"
        try await vt.check("profile", "add", "p", address, "--no-agent", "--connect-timeout", "2s")
        let result = try await vt.run("exec", "p", "true")
        #expect(result.status == .exited(255))
        let message = said.map { "'p' is not an SSH server: it says '\($0)' (protocol)\n" }
        #expect(result.errorText.contains(message ?? "'p' did not answer within 2s"), "\(result.errorText)")
    }

    @Test func `a home without execute permission is named`() async throws {
        let vt = try Vt()
        let home = try ScratchDirectory()
        let script = """
            #!/bin/sh
            export HOME='\(home.path)'
            mount --bind "$HOME" "$HOME" && mount -o remount,bind,noexec "$HOME" && exec "$@"

            """
        let file = try vt.writeElsewhere(script, to: "noexec", mode: 0o755)
        try await vt.check("profile", "add", "p", "--via", "unshare --map-root-user --mount \(file)")
        let result = try await vt.run("--json", "install", "p", "--file", try await SmallProgram.path())
        let error = try result.jsonError()
        #expect(error["code"] as? String == "system")
        let directory = "\(home.path)/.local/bin"
        #expect(error["message"] as? String == "programs in '\(directory)' cannot be executed on 'p'")
    }

    @Test func `doctor reports a PID namespace that ends with its command`() async throws {
        let vt = try Vt()
        let directory = "\(vt.home)/.local/bin"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/vt", withDestinationPath: TestTree.vt)
        for (via, mode) in [("unshare --map-root-user --pid --fork", "dies"), ("env", nil)] {
            try await vt.check("profile", "add", "p", "--via", via, "--replace")
            let rows = try await vt.run("--json", "doctor", "p").json()["checks"] as? [[String: any Sendable]]
            let row = try #require(rows?.first { $0["check"] as? String == "survival" })
            let detail = try #require(row["detail"] as? String)
            #expect(detail.hasPrefix("dies: this process is in a PID namespace") == (mode != nil), "\(detail)")
        }
    }
}
