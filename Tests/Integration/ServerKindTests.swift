import Foundation
import TestSupport
import Testing

/// Servers other than OpenSSH, and servers that behave unusually.
@Suite(.crowded)
struct ServerKindTests {
    private let secret = ["SECRET": "correct horse"]

    private func vt(_ user: String, _ port: UInt16, _ options: [String]) async throws -> Vt {
        let vt = try Vt(sharesConnections: false)
        try await vt.call(["profile", "add", "p", "\(user)@127.0.0.1:\(port)", "--no-agent"] + options).check()
        return vt
    }

    @Test func `Dropbear accepts a key and runs commands`() async throws {
        let server = try await DropbearServer()
        let vt = try await vt(server.user, server.port, ["--identity", server.userKeys.path(.ed25519)])
        let bytes = noise(1 << 20)
        let result = try await vt.run("exec", "p", "cat; echo err >&2; exit 3", input: bytes)
        #expect(result.output == bytes)
        #expect(result.errorText.hasSuffix("err\n"))
        #expect(result.status == .exited(3))
        #expect(try await vt.run("exec", "p", "kill -TERM $$").status == .exited(143))
    }

    @Test func `Dropbear checks a password`() async throws {
        let server = try await DropbearServer()
        let vt = try await vt(server.user, server.port, ["--password-env", "SECRET"])
        #expect(try await vt.run("exec", "p", "echo in", environment: secret).text == "in\n")
        let wrong = try await vt.run("--json", "exec", "p", "true", environment: ["SECRET": "wrong"])
        #expect(try wrong.jsonError()["code"] as? String == "auth.denied")
    }

    @Test(arguments: ["password", "keyboard-interactive"])
    func `authenticates with a password, using each method`(_ method: String) async throws {
        let server = try await AsyncSSHServer(.init(steps: [[method]]))
        let vt = try await vt(server.user, server.port, ["--password-env", "SECRET"])
        let result = try await vt.run("exec", "p", "cat; exit 4", input: Array("in".utf8), environment: secret)
        #expect(result.text == "in", "\(result.errorText)")
        #expect(result.status == .exited(4))
    }

    @Test(arguments: ["password", "keyboard-interactive"])
    func `reports a wrong password without showing it`(_ method: String) async throws {
        let server = try await AsyncSSHServer(.init(steps: [[method]]))
        let vt = try await vt(server.user, server.port, ["--password-env", "SECRET"])
        let result = try await vt.run("--json", "exec", "p", "true", environment: ["SECRET": "wrong"])
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "auth.denied")
        #expect(!result.errorText.contains("wrong"))
    }

    @Test func `authenticates with a server that requires both a key and a response to a prompt`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["publickey"], ["keyboard-interactive"]]))
        let key = server.userKeys.path(.ed25519)
        let vt = try await vt(server.user, server.port, ["--identity", key, "--password-env", "SECRET"])
        let result = try await vt.run("exec", "p", "echo in", environment: secret)
        #expect(result.text == "in\n", "\(result.errorText)")
        let denied = try await vt.run("--json", "exec", "p", "true", environment: ["SECRET": "wrong"])
        #expect(try denied.jsonError()["code"] as? String == "auth.denied")
    }

    @Test(arguments: ["--password-file", "--password-command", "--password-stdin"])
    func `reads a password from a file, a command or a secret store`(_ option: String) async throws {
        let server = try await AsyncSSHServer(.init(steps: [["password"]]))
        let vt = try Vt(sharesConnections: false)
        let file = try vt.writeElsewhere("correct horse\n", to: "password")
        let value =
            switch option {
            case "--password-file": [file]
            case "--password-command": ["cat '\(file)'"]
            default: ["--secret-store", "file"]
            }
        let words = ["profile", "add", "p", "\(server.user)@127.0.0.1:\(server.port)", "--no-agent", option] + value
        try await vt.call(words).check(input: Array("correct horse\n".utf8))
        #expect(try await vt.run("exec", "p", "echo in").text == "in\n")
        #expect(try await !vt.check("profile", "show", "p", "--json").contains("correct horse"))
    }

    @Test func `a banner cannot send terminal control sequences`() async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.banner = "hello \u{1b}]0;owned\u{7}\u{1b}[31mred\u{9b}31m\n"
        let server = try await AsyncSSHServer(options)
        let vt = try await vt(server.user, server.port, ["--password-env", "SECRET"])
        let good = try await vt.run("-v", "exec", "p", "true", environment: secret)
        #expect(good.status == .exited(0))
        let bad = try await vt.run("-v", "exec", "p", "true", environment: ["SECRET": "wrong"])
        for result in [good, bad] {
            #expect(result.errorText.contains("p: banner: hello \\x1b]0;owned\\x07\\x1b[31mred\\x9b31m\n"))
            #expect(!result.errors.contains { $0 < 0x20 && $0 != 0x0a && $0 != 0x09 })
            #expect(!result.errorText.unicodeScalars.contains { (0x80..<0xa0).contains($0.value) })
        }
    }

    @Test(arguments: [[], ["--jump", "gate"]])
    func `neither output nor status is lost if the server disconnects after the command`(_ way: [String]) async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.ending = "hangup"
        let server = try await AsyncSSHServer(options)
        let lab = try await Lab()
        try await lab.addProfile("gate")
        let words = ["profile", "add", "h", "\(server.user)@127.0.0.1:\(server.port)", "--no-agent"]
        try await lab.vt.call(words + ["--password-env", "SECRET"] + way).check()
        let running = try lab.vt.start("exec", "h", "head -c 1800000 /dev/zero; exit 7", environment: secret)
        // The output is not read until the server has disconnected.
        #expect(await eventually { server.log.contains("hung up") })
        let output = await running.output.readToEnd()
        #expect(output.count == 1_800_000)
        let errors = String(decoding: await running.errors.readToEnd(), as: UTF8.self)
        #expect(try await running.wait() == .exited(7), "\(errors)")
    }

    @Test func `disconnects from a server that sends endless requests and reads no replies`() async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.ending = "flood"
        let server = try await AsyncSSHServer(options)
        let vt = try await vt(server.user, server.port, ["--password-env", "SECRET"])
        let result = try await vt.run("--json", "exec", "p", "true", environment: secret)
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host.unreachable")
    }

    @Test func `disconnects immediately from a server that sends endless banners`() async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.ending = "banners"
        let server = try await AsyncSSHServer(options)
        let vt = try await vt(server.user, server.port, ["--password-env", "SECRET", "--connect-timeout", "1h"])
        let call = vt.call(["--json", "exec", "p", "true"], environment: secret)
        let result = try await call.run()
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "protocol")
        #expect(result.errorText.contains("sent too much data before authentication"))
    }

    @Test func `discards extended data of an unknown type`() async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.ending = "strange"
        let server = try await AsyncSSHServer(options)
        let vt = try await vt(server.user, server.port, ["--password-env", "SECRET"])
        let result = try await vt.run("exec", "p", "echo out; echo err >&2; exit 3", environment: secret)
        #expect(result.status == .exited(3))
        #expect(result.text == "out\n")
        #expect(result.errorText.hasSuffix("err\n"))
    }

    @Test func `a server that does not answer the request to open a channel times out`() async throws {
        var options = AsyncSSHServer.Options(steps: [["password"]])
        options.ending = "mute"
        let server = try await AsyncSSHServer(options)
        let vt = try await vt(server.user, server.port, ["--password-env", "SECRET"])
        try await vt.check("profile", "edit", "p", "--connect-timeout", "4s")
        let result = try await vt.run("--json", "exec", "p", "true", environment: secret, deadline: .seconds(30))
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host.unreachable")
        #expect(result.errorText.contains("did not start a session within 4s"))
    }

    @Test func `reports an RSA host key if libssh2 cannot verify it`() async throws {
        let server = try await OpenSSHServer(.init(hostKeys: [.rsa]))
        let vt = try await vt(server.user, server.port, ["--identity", server.userKeys.path(.ed25519)])
        let version = try await vt.call(["version", "--json"]).check()
        let result = try await vt.run("--json", "exec", "p", "true")
        if version.contains(#""libssh2":"1.10"#) {
            #expect(result.status == .exited(255))
            #expect(try result.jsonError()["code"] as? String == "protocol")
        } else {
            #expect(result.status == .exited(0))
        }
    }
}
