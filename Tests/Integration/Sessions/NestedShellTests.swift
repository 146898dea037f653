import Foundation
import TestSupport
import Testing

/// Shells that are started in the shell of a session, with the line of `vt shell-init` in the user's files.
@Suite(.crowded)
struct NestedShellTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// The user's file of each shell.
    private static let files = [
        "bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish", "dash": ".shrc",
    ]

    /// Adds the line to the user's file; the sessions then find vt on the PATH.
    private func install(_ shell: String, after text: String = "") async throws {
        let line = try await vt.run("shell-init", shell == "dash" ? "sh" : shell).text
        let path = "\(vt.home)/\(try #require(Self.files[shell]))"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data((text + line).utf8).write(to: URL(fileURLWithPath: path))
    }

    private func create(_ shell: String) async throws {
        try await vt.call(["sessions", "create", "s", "--env", "ENV=\(vt.home)/.shrc", "--", shell]).check()
    }

    private func exec(_ line: String) async throws -> (text: String, exit: Int32?) {
        let result = try await vt.run("sessions", "exec", "s", "--wait", "20s", "--", line)
        return (result.text, result.exit)
    }

    /// Types a line that starts or ends a shell, and waits for the prompt.
    private func type(_ line: String) async throws {
        try await vt.check("sessions", "wait", "s", "--prompt")
        let offset = try await status()["prompt_offset"] as? Int ?? 0
        try await vt.check("sessions", "send", "s", line, "--enter")
        while try await status()["prompt_offset"] as? Int ?? 0 == offset {}
    }

    private func status() async throws -> [String: Any] {
        let session = try await vt.run("sessions", "show", "s", "--json").json()
        return try #require(session["shell"] as? [String: Any])
    }

    @Test(arguments: ["bash", "zsh", "fish", "dash"], ["bash", "zsh", "fish", "dash"])
    func `lines are run in the shell that is at its prompt`(_ outer: String, _ inner: String) async throws {
        try await install(inner)
        try await create(outer)
        #expect(try await exec("cd /usr").exit == 0)
        try await type(inner)
        #expect(try await status()["kind"] as? String == (inner == "dash" ? "sh" : inner))
        let first = try await exec("cd /tmp; ps -o comm= -p \(inner == "fish" ? "$fish_pid" : "$$"); false")
        #expect(first == ("\(inner)\n", 1))
        #expect(try await exec("pwd") == ("/tmp\n", 0))
        try await type("exit")
        #expect(try await status()["kind"] as? String == (outer == "dash" ? "sh" : outer))
        #expect(try await exec("pwd") == ("/usr\n", 0))
    }

    @Test(arguments: ["bash", "zsh", "fish", "dash"])
    func `exec of another shell is reported, and lines then run in that`(_ inner: String) async throws {
        try await install(inner)
        try await create("bash")
        let replaced = try await vt.run("sessions", "exec", "s", "--json", "exec \(inner)").json()
        #expect(replaced["outcome"] as? String == "replaced")
        #expect(try await exec("echo next") == ("next\n", 0))
        #expect(try await exec("echo again") == ("again\n", 0))
    }

    @Test func `a line that ends the inner shell has its status`() async throws {
        try await install("bash")
        try await create("bash")
        try await type("bash")
        #expect(try await exec("exit 3") == ("exit\n", 3))
        #expect(try await exec("echo outer") == ("outer\n", 0))
    }

    @Test func `lines run in a nested shell after the client that started it has disconnected`() async throws {
        try await install("bash")
        try await create("bash")
        #expect(try await vt.run("sessions", "exec", "s", "--timeout", "500ms", "bash").exit == 124)
        #expect(try await exec("echo $SHLVL; false") == ("2\n", 1))
        #expect(try await exec("exit 3") == ("exit\n", 3))
        #expect(try await exec("echo $SHLVL") == ("1\n", 0))
    }

    @Test(arguments: ["bash", "zsh"])
    func `a line that starts a shell ends with it`(_ shell: String) async throws {
        try await install(shell)
        try await create(shell)
        let running = try vt.start("sessions", "exec", "s", "\(shell); (exit 4)")
        while try await status()["state"] as? String != "prompt" {}
        try await vt.check("sessions", "send", "s", "echo inside", "--enter")
        try await vt.check("sessions", "wait", "s", "--match", "^inside")
        #expect(try await vt.run("sessions", "exec", "s", "echo no").exit == 255)
        try await vt.check("sessions", "send", "s", "exit", "--enter")
        #expect(try await running.wait() == .exited(4))
        #expect(try await exec("echo next") == ("next\n", 0))
    }

    @Test(arguments: ["bash", "zsh", "dash"])
    func `the token is neither shown nor in the environment`(_ shell: String) async throws {
        try await install(shell, after: "set -x; set -v\n")
        try await create(shell)
        try await type(shell)
        #expect(try await exec("env | grep -c -e __vt -e '133;'").text.contains("0\n"))
        let files = FileManager.default.enumerator(atPath: "\(vt.stateHome)/sessions")?.allObjects as? [String] ?? []
        let key = try #require(files.first { $0.hasSuffix("shell/key") })
        let secret = try String(contentsOfFile: "\(vt.stateHome)/sessions/\(key)", encoding: .utf8).prefix(32)
        #expect(secret.count == 32)
        #expect(try await vt.run("sessions", "logs", "s").text.contains(secret) == false)
    }

    @Test(arguments: ["bash", "zsh", "fish", "dash"])
    func `a shell without the line is not confused by the outer one`(_ inner: String) async throws {
        // Without this file, zsh asks a user other than root how to configure it.
        try Data().write(to: URL(fileURLWithPath: "\(vt.home)/.zshrc"))
        try await create("bash")
        #expect(try await exec("export PS1 PS2 PS0 PROMPT_COMMAND").exit == 0)
        try await vt.check("sessions", "send", "s", inner, "--enter")
        try await vt.check("sessions", "send", "s", "echo 'in''side'", "--enter")
        try await vt.check("sessions", "wait", "s", "--match", "^inside")
        #expect(try await vt.run("sessions", "exec", "s", "echo no").exit == 255)
        try await vt.check("sessions", "send", "s", "exit", "--enter")
        #expect(try await exec("echo outer") == ("outer\n", 0))
    }

    @Test(arguments: ["bash", "zsh", "fish", "sh"])
    func `the hook is printed only in the terminal of a session`(_ shell: String) async throws {
        let result = try await vt.run("shell-init", shell, "--hook", environment: ["VT_SESSION": "0123456789ab"])
        #expect((result.text, result.exit) == ("", 0))
    }

    @Test func `an unknown shell is an error`() async throws {
        #expect(try await vt.run("shell-init", "tcsh").exit == 64)
    }
}
