import Foundation
import TestSupport
import Testing

/// The arguments that the program receives, with any login shell.
@Suite(.crowded)
struct WordTests {
    static let shells = ["/bin/bash", "/bin/dash", "/usr/bin/fish"]

    /// A lab whose profile `s` uses the login shell `shell`.
    private func lab(_ shell: String) async throws -> Lab {
        let lab = try await Lab(.init(loginShells: [shell]))
        try await lab.addProfile("s", port: lab.server.shellPorts[shell])
        return lab
    }

    @Test(arguments: shells + ["/usr/bin/zsh", "/usr/bin/tcsh"])
    func `arguments after -- arrive unchanged`(_ shell: String) async throws {
        let lab = try await lab(shell)
        let words = [
            "a b", "$HOME", "it's", "", "*", #"\"#, #"a\b"#, "\n", "`x`", "!", "~", "#", "-n", "ä€😀", "\t", "(x)",
        ]
        let result = try await lab.vt.call(["exec", "s", "--", "printf", #"%s\0"#] + words).run()
        #expect(result.text == words.map { "\($0)\0" }.joined(), "\(result.errorText)")
        let elsewhere = try await lab.vt.call(["exec", "--cwd", "/", "s", "--", "printf", #"%s\0"#] + words).run()
        #expect(elsewhere.text == result.text, "\(elsewhere.errorText)")
    }

    @Test(arguments: shells + ["/usr/bin/zsh", "/usr/bin/tcsh"])
    func `a line of several lines can run in another directory`(_ shell: String) async throws {
        let lab = try await lab(shell)
        let result = try await lab.vt.run("exec", "--cwd", "/", "s", "pwd\necho 'a b'")
        #expect(result.text == "/\na b\n", "\(result.errorText)")
    }

    @Test(arguments: shells)
    func `an argument that is not UTF-8 arrives unchanged`(_ shell: String) async throws {
        let lab = try await lab(shell)
        var call = lab.vt.call(["exec", "s", "--", "printf", "%s"])
        call.arguments.append([0x61, 0xff, 0xfe, 0x20, 0x62])
        #expect(try await call.run().output == [0x61, 0xff, 0xfe, 0x20, 0x62])
    }

    @Test(arguments: shells)
    func `words without -- are joined and interpreted by the shell`(_ shell: String) async throws {
        let lab = try await lab(shell)
        let result = try await lab.vt.run("exec", "s", "echo", "$HOME", "a  b;", "echo", "'c  d'")
        #expect(result.text == "\(lab.server.home) a b\nc  d\n")
    }

    @Test func `options after the command belong to the command`() async throws {
        let lab = try await Lab()
        #expect(try await lab.vt.run("exec", "p", "echo", "--json", "-p", "1").text == "--json -p 1\n")
    }

    @Test func `the port and the user can precede or follow the target`() async throws {
        let lab = try await Lab.met()
        let target = "127.0.0.1"
        let key = lab.server.userKeys.path(.ed25519)
        try FileManager.default.createDirectory(atPath: "\(lab.vt.home)/.ssh", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: key, toPath: "\(lab.vt.home)/.ssh/id_ed25519")
        let port = "\(lab.server.port)"
        let before = try await lab.vt.run("exec", "-p", port, "-l", lab.server.user, target, "echo in")
        #expect(before.text == "in\n", "\(before.errorText)")
        let behind = try await lab.vt.run("exec", target, "-p", port, "-l", lab.server.user, "echo in")
        #expect(behind.text == "in\n", "\(behind.errorText)")
    }

    @Test func `arguments after -- and joined words also work on this machine`() async throws {
        let vt = try Vt()
        let words = try await vt.run("exec", "local", "--", "printf", #"%s\n"#, "a b", "$HOME")
        #expect(words.text == "a b\n$HOME\n")
        let line = try await vt.run("exec", "local", "echo", "$HOME;", "exit", "6")
        #expect(line.text == "\(vt.home)\n")
        #expect(line.status == .exited(6))
    }
}
