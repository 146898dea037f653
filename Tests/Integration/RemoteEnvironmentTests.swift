import Foundation
import TestSupport
import Testing

/// Environment variables and long command lines that are sent to a server.
@Suite(.crowded, .sharing)
struct RemoteEnvironmentTests {
    static let shells = [
        "/bin/sh", "/bin/bash", "/bin/dash", "/usr/bin/zsh", "/usr/bin/fish", "/usr/bin/tcsh", "/bin/busybox sh",
    ]

    /// A value with characters that shells and terminals treat specially.
    static let value = "it's \\ \"$HOME\" `x` !! 100% \t ä€😀\nsecond line\n"

    /// A command that prints the variable SECRET unchanged, a vertical bar, and its input.
    static let show = #"printf %s "$SECRET"; printf '|'; cat"#

    @Test(arguments: shells)
    func `a variable and the input after it arrive unchanged`(_ shell: String) async throws {
        let lab = try await Lab(.init(loginShells: [shell]))
        try await lab.addProfile("s", port: lab.server.shellPorts[shell])
        let words = ["exec", "--env", "SECRET=\(Self.value)", "--env", "EMPTY=", "s", "--", "sh", "-c", Self.show]
        let result = try await lab.vt.call(words).run(input: noise(300_000))
        #expect(result.errorText.isEmpty || result.status == .exited(0), "\(result.errorText)")
        #expect(result.output == Array("\(Self.value)|".utf8) + noise(300_000))
    }

    @Test(arguments: shells)
    func `a variable also arrives with a terminal, and is not displayed`(_ shell: String) async throws {
        let lab = try await Lab(.init(loginShells: [shell]))
        try await lab.addProfile("s", port: lab.server.shellPorts[shell])
        let value = String(repeating: "long 'value' ", count: 1000)
        let program = #"printf %s "$SECRET" | md5sum; read -r line; echo "<$line>"; stty -a | grep -ow -- '-*echo'"#
        let words = ["exec", "--pty", "--env", "SECRET=\(value)", "s", "--", "sh", "-c", program]
        let result = try await lab.vt.call(words).run(input: Array("typed\r".utf8))
        let sum = try await ProgramCall("md5sum", []).check(input: Array(value.utf8))
        let expected = sum.replacingOccurrences(of: "\n", with: "\r\n") + "typed\r\n<typed>\r\necho\r\n"
        let echoedFirst = "typed\r\n" + sum.replacingOccurrences(of: "\n", with: "\r\n") + "<typed>\r\necho\r\n"
        #expect([expected, echoedFirst].contains(result.text), "\(result.errorText)")
    }

    /// A line that prints the variable SECRET, and the files below /proc with the command lines that contain it.
    private static let search = #"echo "$SECRET"; printf %s "$SECRET" | grep -alFf - /proc/[0-9]*/cmdline; true"#

    @Test(arguments: ["p", "local", "via"])
    func `a variable that is passed from the environment is in no command line`(_ target: String) async throws {
        let lab = try await Lab()
        try await lab.vt.check("profile", "add", "via", "--via", "env")
        let words = ["exec", "--pass-env", "SECRET", target, Self.search]
        let result = try await lab.vt.call(words, environment: ["SECRET": "s3cret-\(lab.vt.tag)"]).run()
        #expect(result.text == "s3cret-\(lab.vt.tag)\n", "\(result.errorText)")
    }

    @Test func `a passed variable can be a pattern, and one that is not set is noted`() async throws {
        let lab = try await Lab.met()
        let words = ["exec", "-q", "--env", "B_2=given", "--pass-env", "B_*", "p", "echo $B_1 $B_2"]
        let call = lab.vt.call(words, environment: ["B_1": "one", "B_2": "two"])
        #expect(try await call.run().text == "one given\n")
        let unset = try await lab.vt.run("exec", "--pass-env", "NONE", "p", "echo ran")
        #expect(unset.text == "ran\n")
        #expect(unset.errorText == "vt: variable 'NONE' is not set, so it is not passed\n")
    }

    @Test(arguments: ["off", "1m"])
    func `a variable that the server rejects is noted if its name is exact`(_ share: String) async throws {
        let lab = try await Lab.met()
        let values = ["REJECTED": "x", "ALSO_REJECTED": "y", "VT_SHARE": share]
        for _ in 0..<2 {
            let words = ["exec", "--send-env", "REJECTED", "--send-env", "ALSO_*", "p", "echo [$REJECTED]"]
            let result = try await lab.vt.call(words, environment: values).run()
            #expect(result.text == "[]\n")
            let note = "vt: 'p' rejected the variable 'REJECTED'; to set it in any case, use --pass-env\n"
            #expect(result.errorText == note)
        }
    }

    /// Creates a login shell that logs its arguments, and returns its path.
    private func recordingShell(in scratch: ScratchDirectory) throws -> String {
        let words = scratch.path("words")
        let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'\(words)'\nexec /bin/sh \"$@\"\n"
        return try scratch.write(script, to: "shell", mode: 0o755)
    }

    @Test(arguments: [[], ["--pty"]])
    func `the value of a variable does not appear in the arguments of any process`(_ options: [String]) async throws {
        let scratch = try ScratchDirectory()
        let shell = try recordingShell(in: scratch)
        let lab = try await Lab(.init(loginShells: [shell]))
        // The value is unique, because the arguments of other tests' local processes can contain values of those tests.
        let secret = "hunter2-\(UUID().uuidString)"
        let variable = ["--no-agent", "--env", "SECRET=\(secret)"]
        try await lab.addProfile("s", port: lab.server.shellPorts[shell], variable)
        let line = "echo value=$SECRET; cat /proc/[0-9]*/cmdline | tr '\\0' ' '"
        let result = try await lab.vt.call(["exec"] + options + ["s", line]).run()
        #expect(result.text.contains("value=\(secret)"), "\(result.errorText)")
        #expect(result.text.components(separatedBy: secret).count == 2)
        let words = try String(contentsOfFile: scratch.path("words"), encoding: .utf8)
        #expect(!words.isEmpty)
        #expect(!words.contains("hunter2"))
    }

    @Test func `a server that accepts env requests sets the variable without another shell`() async throws {
        let lab = try await Lab(.init(lines: ["AcceptEnv SECRET LANG LC_*"]))
        let result = try await lab.vt.run(
            "exec",
            "--env",
            "SECRET=\(Self.value)",
            "p",
            "cat /proc/$$/cmdline | tr '\\0' ' '; \(Self.show)",
            input: Array("in".utf8)
        )
        #expect(result.text.hasSuffix("\(Self.value)|in"))
        #expect(!result.text.contains("_vt_"))
    }

    @Test func `variables arrive even if the server rejects some env requests`() async throws {
        let lab = try await Lab(.init(lines: ["AcceptEnv TAKEN"]))
        let words = ["exec", "--env", "TAKEN=1", "--env", "REFUSED=2", "--env", "LATE=3", "p"]
        let result = try await lab.vt.call(words + ["echo $TAKEN$REFUSED$LATE"]).run()
        #expect(result.text == "123\n", "\(result.errorText)")
    }

    @Test(arguments: [7_000, 10_000, 30_000, 100_000])
    func `Dropbear runs long command lines`(_ count: Int) async throws {
        let server = try await DropbearServer()
        let vt = try Vt()
        let address = "\(server.user)@127.0.0.1:\(server.port)"
        try await vt.check("profile", "add", "d", address, "--identity", server.userKeys.path(.ed25519), "--no-agent")
        let text = String(repeating: "x", count: count)
        let result = try await vt.run("exec", "d", "echo \(text) | wc -c")
        #expect(result.text.trimmingCharacters(in: .whitespaces) == "\(count + 1)\n", "\(result.errorText)")
    }

    @Test func `a variable arrives on a Dropbear server`() async throws {
        let server = try await DropbearServer()
        let vt = try Vt()
        let address = "\(server.user)@127.0.0.1:\(server.port)"
        let key = server.userKeys.path(.ed25519)
        try await vt.check("profile", "add", "d", address, "--identity", key, "--no-agent")
        let result = try await vt.run("exec", "--env", "SECRET=\(Self.value)", "d", Self.show, input: Array("in".utf8))
        #expect(result.text == "\(Self.value)|in", "\(result.errorText)")
    }

    @Test func `runs a 100,000-byte command`() async throws {
        let lab = try await Lab()
        let word = String(repeating: "x'y ", count: 25_000)
        let result = try await lab.vt.run("exec", "p", "--", "printf", "%s|", word, word)
        #expect(result.text == "\(word)|\(word)|", "\(result.errorText)")
        let line = "printf %s '\(String(repeating: "z", count: 100_000))' | wc -c; cat"
        let joined = try await lab.vt.run("exec", "p", line, input: Array("in".utf8))
        #expect(joined.text == "100000\nin", "\(joined.errorText)")
    }

    @Test func `reports an argument that is too long for the remote system`() async throws {
        let lab = try await Lab()
        // The kernel limits an argument to 128 KiB (execve(2)), also on this machine, so the command line is passed as
        // two words, which vt joins.
        let half = String(repeating: "x", count: 100_000)
        let call = lab.vt.call(["exec", "p", "printf %s \(half)", half])
        let result = try await call.run()
        #expect(result.status == .exited(126))
        #expect(result.errorText.contains("Argument list too long"))
    }

    @Test func `a forced command does not receive the variables as input`() async throws {
        let lab = try await Lab(.init(lines: ["ForceCommand echo forced"]))
        let result = try await lab.vt.run("exec", "--env", "SECRET=x", "p", "true")
        #expect(result.text == "forced\n")
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("ForceCommand"))
    }

    @Test func `forwards the locale and named variables if the server accepts them`() async throws {
        let lab = try await Lab(.init(lines: ["AcceptEnv LANG LC_* GIT_PROTOCOL MY_*"]))
        let here = ["LANG": "C.UTF-8", "LC_TIME": "POSIX", "MY_A": "a", "MY_B": "b", "GIT_PROTOCOL": "version=2"]
        let line = "echo $LANG $LC_TIME $MY_A $MY_B $GIT_PROTOCOL"
        #expect(try await lab.vt.run("exec", "p", line, environment: here).text == "C.UTF-8 POSIX\n")
        let words = ["exec", "--send-env", "MY_*", "--send-env", "GIT_PROTOCOL", "p", line]
        #expect(try await lab.vt.call(words, environment: here).run().text == "C.UTF-8 POSIX a b version=2\n")
    }

    @Test func `drops and reports a variable of --send-env that the server rejects`() async throws {
        let lab = try await Lab()
        let here = ["LANG": "C.UTF-8", "MY_A": "a"]
        let words = ["exec", "-v", "--send-env", "MY_A", "p", "echo $LANG$MY_A; cat"]
        let result = try await lab.vt.call(words, environment: here).run(input: Array("in".utf8))
        #expect(result.text == "\nin", "\(result.errorText)")
        #expect(result.errorText.contains("'MY_A'"))
    }
}
