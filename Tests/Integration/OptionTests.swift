import Foundation
import TestSupport
import Testing

/// The effects of `vt exec` options on the program.
@Suite(.crowded)
struct OptionTests {
    @Test func `a terminal has the requested size and type`() async throws {
        let lab = try await Lab.met()
        let words = [
            "exec", "--pty", "--size", "90x31", "--term", "vt220", "p", "stty size; echo $TERM; tty -s; echo $?",
        ]
        let result = try await lab.vt.call(words).run()
        #expect(result.text == "31 90\r\nvt220\r\n0\r\n", "\(result.errorText)")
    }

    @Test func `with a terminal, standard output and standard error are merged`() async throws {
        let lab = try await Lab.met()
        let result = try await lab.vt.run("exec", "--pty", "p", "echo out; echo err >&2; exit 4")
        #expect(result.text == "out\r\nerr\r\n")
        #expect(result.status == .exited(4))
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: ["p", "local"])
    func `sets the directory and variables before running the command`(_ target: String) async throws {
        let lab = try await Lab()
        let line = #"pwd; printf '%s\n' "$ONE" "$TWO""#
        let words = ["exec", "--cwd", "/usr/share", "--env", "ONE=a b", "--env", #"TWO=it's $HOME"#, target, line]
        #expect(try await lab.vt.call(words).run().text == "/usr/share\na b\nit's $HOME\n")
    }

    @Test(arguments: ["/bin/bash", "/bin/dash", "/usr/bin/fish"])
    func `sets the directory and variables with any login shell`(_ shell: String) async throws {
        let lab = try await Lab(.init(loginShells: [shell]))
        try await lab.addProfile("s", port: lab.server.shellPorts[shell])
        let words = [
            "exec", "--cwd", "/usr/share", "--env", #"TWO=it's \$HOME"#, "s", "--", "sh", "-c", #"pwd; echo "$TWO""#,
        ]
        let result = try await lab.vt.call(words).run()
        #expect(result.text == "/usr/share\nit's \\$HOME\n", "\(result.errorText)")
    }

    @Test(arguments: ["p", "local", "via"], [["echo ran"], ["--", "echo", "ran"]])
    func `a command is not run if its directory cannot be entered`(_ target: String, _ words: [String]) async throws {
        let lab = try await Lab()
        try await lab.vt.check("profile", "add", "via", "--via", "env")
        let result = try await lab.vt.call(["exec", "--cwd", "/no such/it's", target] + words).run()
        #expect(result.output.isEmpty)
        #expect(result.status == .exited(126))
        let message = "vt: cannot enter '/no such/it's': "
        #expect(result.errorText.split(separator: "\n").last?.hasPrefix(message) == true, "\(result.errorText)")
    }

    @Test(arguments: ["/bin/bash", "/bin/dash", "/usr/bin/fish"])
    func `the directory's exit status does not depend on the login shell`(_ shell: String) async throws {
        let lab = try await Lab(.init(loginShells: [shell]))
        try await lab.addProfile("s", port: lab.server.shellPorts[shell])
        for options in [[], ["--env", "A=b"], ["--pty"]] {
            let result = try await lab.vt.call(["exec", "--cwd", "/no/such"] + options + ["s", "echo ran"]).run()
            #expect(result.status == .exited(126))
            let output = result.text + result.errorText
            #expect(output.contains("vt: cannot enter '/no/such'"), "\(output)")
        }
    }

    @Test(arguments: ["p", "local", "via"])
    func `a program that cannot be started has the status of a shell`(_ target: String) async throws {
        let lab = try await Lab()
        try await lab.vt.check("profile", "add", "via", "--via", "env")
        let missing = try await lab.vt.run("exec", target, "--", "no-such-program")
        #expect(missing.status == .exited(127))
        #expect(missing.errorText.contains("no-such-program"))
        let refused = try await lab.vt.run("exec", target, "--", "/etc/passwd")
        #expect(refused.status == .exited(126))
        let several = try await lab.vt.run("exec", "--gather", "\(target),local,via", "--", "no-such-program")
        #expect(several.status == .exited(1))
        let names = Set([target, "local", "via"]).sorted().joined(separator: ",")
        #expect(several.errorText.contains("\(names): exit 127\n"), "\(several.errorText)")
    }

    @Test func `reads input from a file`() async throws {
        let lab = try await Lab()
        let file = try lab.vt.writeElsewhere("from the file\n", to: "input")
        #expect(try await lab.vt.run("exec", "--stdin", file, "p", "cat").text == "from the file\n")
    }

    @Test func `with input disabled, vt does not consume the input of a shell loop`() async throws {
        let lab = try await Lab()
        let loop = "printf 'a\\nb\\nc\\n' | while read line; do vt exec -n p \"echo $line; cat\"; done"
        #expect(try await lab.vt.bash(loop).text == "a\nb\nc\n")
    }

    @Test func `uses the profile's settings, which options override`() async throws {
        let lab = try await Lab()
        try await lab.addProfile("o", ["--no-agent", "--cwd", "/usr", "--env", "A=profile", "--env", "B=profile"])
        let result = try await lab.vt.run("exec", "--env", "B=option", "o", "pwd; echo $A $B")
        #expect(result.text == "/usr\nprofile option\n")
    }
}
