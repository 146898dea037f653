import Foundation
import TestSupport
import Testing

/// `vt exec` through the standard streams of programs.
@Suite(.crowded)
struct ViaExecTests {
    typealias Transport = ViaLab.Transport

    @Test func `programs on this machine need no additional threads`() async throws {
        let lab = try await ViaLab()
        let names = (1...8).map { "v\($0)" }
        for name in names { try await lab.addProfile(name, "env") }
        let targets = (["local"] + names).joined(separator: ",")
        let program = try lab.vt.call(["exec", targets, "echo in >&2; exec sleep 1000"]).start()
        let lines = (["local"] + names).map { "\($0): in\n" }
        _ = await program.errors.read(atLeast: lines.joined().utf8.count)
        // The main thread, and one thread each for signals, standard input, standard output and standard error.
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/task")
        #expect(tasks.count <= 5)
    }

    @Test(arguments: Transport.allCases)
    func `input and output pass unchanged, and the command sees the end of its input`(
        _ transport: Transport
    ) async throws {
        let lab = try await ViaLab(transport)
        let bytes = noise(3_000_000)
        let result = try await lab.vt.run("exec", "p", "--", "sh", "-c", "cat; echo end >&2; exit 3", input: bytes)
        #expect(result.output == bytes)
        #expect(result.errorText == "end\n")
        #expect(result.status == .exited(3))
        let errors = try await lab.vt.run("exec", "p", "cat >&2", input: bytes)
        #expect(errors.errors == bytes)
        #expect(errors.output == [])
    }

    @Test func `input that every target has read takes no space in TMPDIR`() async throws {
        let lab = try await ViaLab()
        try await lab.addProfile("q", "env")
        let count = 64 << 20
        let run = try lab.vt.start("exec", "p,q", "head -c \(count) | wc -c; cat")
        for _ in 0..<64 { try run.input.write([UInt8](repeating: 7, count: count / 64)) }
        _ = await run.output.read(atLeast: "p: \(count)\nq: \(count)\n".utf8.count)
        let file = try #require(try deletedFile(of: run.pid))
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_size == count)
        #expect(await eventually { stat(file, &status) == 0 && status.st_blocks * 512 < 8 << 20 })
        run.input.close()
        #expect(try await run.wait() == .exited(0))
    }

    /// The path in /proc of the unnamed file that a process has open.
    private func deletedFile(of process: pid_t) throws -> String? {
        let directory = "/proc/\(process)/fd"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        return names.map { "\(directory)/\($0)" }.first { path in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            return target?.hasSuffix(" (deleted)") == true
        }
    }

    @Test(arguments: Transport.allCases)
    func `passes on any exit status of the command`(_ transport: Transport) async throws {
        let lab = try await ViaLab(transport)
        for status: Int32 in [0, 1, 125, 126, 127, 255] {
            #expect(try await lab.vt.run("exec", "p", "exit \(status)").status == .exited(status))
        }
        let missing = try await lab.vt.run("exec", "p", "--", "/no/such/program")
        #expect(missing.status == .exited(127))
        #expect(missing.errorText.contains("/no/such/program"))
        // ssh(1) reports a signal as status 255.
        let signal = try await lab.vt.run("exec", "p", "kill -TERM $$")
        #expect(signal.status == .exited(transport == .ssh ? 255 : 143))
    }

    // Without /proc, as in the chroot, processes that are not reaped cannot be distinguished from running ones.
    @Test(arguments: Transport.allCases.filter { $0 != .chroot })
    func `a command that has timed out is ended`(_ transport: Transport) async throws {
        let lab = try await ViaLab(transport)
        let line = "trap '' TERM; echo up; sleep 1000 & sleep 1000; sleep 1000"
        let result = try await lab.vt.run("exec", "p", "--json", "--timeout", "3s", line)
        #expect(result.status == .exited(124))
        #expect(result.text.contains(#""outcome":"ended""#), "\(result.text) \(result.errorText)")
        #expect(result.text.contains(#""text":"up\n""#))
    }

    @Test func `a command in another PID namespace may still be running after its timeout`() async throws {
        let lab = try await ViaLab()
        try await lab.addProfile("u", "unshare -r -p -f --mount-proc --kill-child")
        let result = try await lab.vt.run("exec", "u", "--json", "--timeout", "1s", "echo up; sleep 1000; true")
        #expect(result.status == .exited(124))
        #expect(result.text.contains(#""outcome":"may-be-running""#), "\(result.text) \(result.errorText)")
    }

    @Test(arguments: Transport.allCases)
    func `words arrive unchanged`(_ transport: Transport) async throws {
        let lab = try await ViaLab(transport)
        let words = ["it's", "", " a  b ", "$HOME `x` \\ \"q\" !!", "line\nline\n", "{argv}", "{line}", "*", "ä€😀"]
        let result = try await lab.vt.call(["exec", "p", "--", "printf", "<%s>"] + words).run()
        #expect(result.text == words.map { "<\($0)>" }.joined())
        // Longer than any argument can be (MAX_ARG_STRLEN in execve(2)).
        let line = "echo '\(String(repeating: "x", count: 120_000))' | wc -c; : '\(String(repeating: "y", count: 100))'"
        #expect(try await lab.vt.run("exec", "p", line).text == "120001\n")
    }

    @Test(arguments: Transport.allCases)
    func `the directory and variables are set, and no process shows their values`(_ transport: Transport) async throws {
        let lab = try await ViaLab(transport)
        let secret = "hunter2-\(UUID().uuidString)"
        let value = "it's \\ \"$HOME\"\nsecond line\n"
        try await lab.vt.check("profile", "edit", "p", "--env", "SECRET=\(secret)", "--env", "VALUE=\(value)")
        let line = #"pwd; printf '%s|' "$SECRET" "$VALUE"; cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' '"#
        let result = try await lab.vt.run("exec", "--cwd", "/dev", "p", line)
        #expect(result.text.hasPrefix("/dev\n\(secret)|\(value)|"), "\(result.errorText)")
        #expect(result.text.components(separatedBy: secret).count == 2)
    }

    @Test func `a directory is relative to the home directory only if it starts with a tilde`() async throws {
        let lab = try await ViaLab()
        let directory = "\(lab.home)/a b"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        #expect(try await lab.vt.run("exec", "--cwd", "~/a b", "p", "pwd").text == "\(directory)\n")
        #expect(try await lab.vt.run("exec", "--cwd", "~", "p", "pwd").text == "\(lab.home)\n")
        var call = lab.vt.call(["exec", "--cwd", "a b", "p", "pwd"])
        call.directory = lab.home
        #expect(try await call.run().text == "\(directory)\n")
        let missing = try await lab.vt.run("exec", "--cwd", "/no/such", "p", "echo started")
        #expect(missing.output == [])
        #expect(missing.exit != 0)
    }

    @Test func `the profile's settings apply, and its shell interprets command lines`() async throws {
        let lab = try await ViaLab()
        let settings = ["--cwd", "/usr", "--env", "A=profile", "--env", "B=b", "--shell", "/bin/bash"]
        try await lab.addProfile("q", "env", settings)
        let line = "echo $PWD $A $B ${BASH_VERSION:+bash}"
        #expect(try await lab.vt.run("exec", "--env", "A=option", "q", line).text == "/usr option b bash\n")
        let names = try await lab.vt.call(
            ["exec", "--send-env", "VIA_*", "q", "echo $VIA_A"],
            environment: ["VIA_A": "sent"]
        ).run()
        #expect(names.text == "sent\n")
    }

    @Test(arguments: [Transport.env, .shell, .chroot, .bwrap])
    func `a terminal belongs to the command, and is restored`(_ transport: Transport) async throws {
        let lab = try await ViaLab(transport)
        let modes = #"stty -a | tr ' ;' '\n\n' | grep -x -- '-*icanon'"#
        // On one line: the terminal echoes the input between any two lines.
        let line = #"echo $(stty size) "$TERM" $(\#(modes)); read -r x; echo "<$x>"; exit 5"#
        let words = ["exec", "--pty", "--size", "77x11", "--term", "vt220", "--env", "A=$(x)", "p", line]
        let result = try await lab.vt.call(words).run(input: Array("typed\r".utf8))
        #expect(result.text.contains("11 77 vt220 icanon\r\n"), "\(result.errorText)")
        #expect(result.text.hasSuffix("<typed>\r\n"))
        #expect(result.status == .exited(5))
    }

    @Test func `the terminal is resized with that of vt`() async throws {
        let lab = try await ViaLab()
        let window = try await TerminalWindow(columns: 80, rows: 24, environment: lab.vt.environment)
        try await window.enter("clear; vt exec --pty p 'echo begin; read x; stty size'; echo status=$?")
        try await window.wait(for: "begin")
        try await window.resize(columns: 91, rows: 17)
        try await window.enter("")
        try await window.wait(for: "17 91")
        try await window.wait(for: "status=0")
    }

    @Test func `many targets at once each get the whole input and deliver the whole output`() async throws {
        let lab = try await ViaLab()
        let names = (1...64).map { "t\($0)" }
        for name in names { try await lab.addProfile(name, "env NAME=\(name)", ["--tag", "all"]) }
        let bytes = noise(300_000)
        let sum = try await ProgramCall("cksum").check(input: bytes).trimmingCharacters(in: .whitespacesAndNewlines)
        let result = try await lab.vt.call(["exec", "--tag", "all", "cksum; echo $NAME"]).run(input: bytes)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let expected = names.flatMap { ["\($0): \(sum)", "\($0): \($0)"] }.sorted()
        let lines = result.text.split(separator: "\n").map {
            String($0).replacingOccurrences(of: #"^(t\d+): +"#, with: "$1: ", options: .regularExpression)
        }
        #expect(lines.sorted() == expected)
        let json = try await lab.vt.run("--json", "exec", "p,t1,t64", "echo x; exit 2")
        #expect(json.status == .exited(1))
        #expect(try json.jsonLines().count { $0["exit"] as? [String: Int] == ["code": 2] } == 3)
    }
}
