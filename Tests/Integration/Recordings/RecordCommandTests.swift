import Foundation
import TestSupport
import Testing

/// `vt record -- COMMAND`.
@Suite(.crowded)
struct RecordCommandTests {
    private let vt: Vt
    private let scratch: ScratchDirectory
    private var file: String { scratch.path("out.cast") }

    init() throws {
        vt = try Vt()
        scratch = try ScratchDirectory()
    }

    private func record(_ options: [String], _ script: String, environment: [String: String] = [:]) async throws
        -> ProgramResult
    {
        try await vt.call(["record", "-o", file] + options + ["--", "sh", "-c", script], environment: environment)
            .run()
    }

    private func contents() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    private func sessions() async throws -> String { try await vt.check("sessions", "list", "--json") }

    @Test func `records a command, and exits with its status`() async throws {
        let result = try await record([], "echo $A; exit 7", environment: ["A": "b c"])
        #expect(result.status == .exited(7))
        #expect(result.text == "b c\r\n")
        #expect(result.errorText == "vt: recorded to '\(file)'\n")
        #expect(try contents().contains(#", "o", "b c\r\n"]"#))
        #expect(try contents().hasSuffix(#", "x", "7"]"# + "\n"))
        #expect(try await sessions() == "[]\n")
        #expect(try await record(["--force", "--quiet"], "kill -9 $$").status == .exited(137))
        #expect(try await record(["--append", "--json"], "true").json()["path"] as? String == file)
    }

    private static let refused: [([String], Int32)] = [
        (["record", "-o", "/no/such/x", "--", "touch"], 255), (["record", "-o", "out", "--", "/no/such"], 255),
        (["record", "--from", "1", "-o", "out", "--", "true"], 255), (["record", "--", ""], 255),
        (["record", "build"], 64), (["record"], 64), (["record", "nonesuch", "-o", "out"], 66),
    ]

    @Test(arguments: refused)
    func `does not run a command that cannot be recorded`(_ words: [String], _ status: Int32) async throws {
        let ran = scratch.path("ran")
        let words = words.last == "touch" ? words + [ran] : words.map { $0 == "out" ? file : $0 }
        #expect(try await vt.call(words).run().status == .exited(status))
        #expect(!FileManager.default.fileExists(atPath: ran))
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try await sessions() == "[]\n")
    }

    @Test func `a shell is recorded only at a terminal, and the error names the way out`() async throws {
        let session = "to record a session, use 'vt record SESSION -o FILE'"
        let result = try await vt.run("record", "-o", file)
        #expect(result.status == .exited(64))
        #expect(
            result.errorText == """
                vt: cannot record a shell without a terminal
                hint: to record a command, use 'vt record -o FILE -- COMMAND'; \(session)

                """
        )
        #expect(
            try await vt.run("record", "-o", "-").errorText == """
                vt: cannot record a shell to standard output
                hint: to record a command, use 'vt record -o - -- COMMAND'; \(session)

                """
        )
    }

    @Test func `ends the command when the reader of the recording exits`() async throws {
        let line = "set -o pipefail; vt record -o - -- yes | head -n 1; echo $?"
        let result = try await vt.bash(line)
        #expect(result.text.hasSuffix("\n141\n"), "\(result.text) \(result.errorText)")
        #expect(try await sessions() == "[]\n")
    }

    @Test func `a failed recording does not replace an existing file`() async throws {
        try scratch.write("old", to: "out.cast")
        let result = try await vt.run("record", "--force", "-o", file, "--", "/no/such")
        #expect(result.status == .exited(255))
        #expect(try contents() == "old")
        try await vt.check("sessions", "create", "build", "--", "true")
        let part = try await vt.run("record", "build", "-f", "--force", "-o", file, "--from", "marker:none")
        #expect(part.status == .exited(66))
        #expect(try contents() == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["out.cast"])
    }

    @Test func `an error names the recording if its directory does not exist`() async throws {
        try await vt.check("sessions", "create", "build", "--", "true")
        for (path, reason) in [("none/x", "no such file or directory"), ("/dev/null/x", "not a directory")] {
            let session = try await vt.run("record", "build", "-o", path)
            #expect(session.status == .exited(73))
            #expect(session.errorText == "vt: cannot create '\(path)': \(reason)\n")
            let command = try await vt.run("record", "-o", path, "--", "true")
            #expect(command.status == .exited(255))
            #expect(command.errorText == "vt: cannot create '\(path)': \(reason) (cannot-create)\n")
        }
    }

    @Test func `an unwritable standard output does not affect the recording`() async throws {
        let line = "vt record -o \"$1\" -- sh -c 'echo x; exit 3' >/dev/full"
        #expect(try await vt.bash(line, file).status == .exited(255))
        #expect(try contents().hasSuffix(#", "x", "3"]"# + "\n"))
        #expect(try await sessions() == "[]\n")
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupt ends the command and completes the recording`(_ signal: Int32) async throws {
        let script = "trap 'echo bye; exit 3' INT TERM HUP; echo ready; while :; do sleep 0.05; done"
        let recorder = try vt.start("record", "-o", file, "--", "sh", "-c", script)
        #expect(
            try await eventually { try FileManager.default.fileExists(atPath: file) && contents().contains("ready\\r") }
        )
        recorder.signal(signal)
        #expect(try await recorder.wait() == .exited(3))
        let errors = await recorder.errors.readToEnd()
        #expect(String(decoding: errors, as: UTF8.self) == "vt: recorded to '\(file)'\n")
        #expect(try contents().contains("bye"))
        #expect(try contents().hasSuffix(#", "x", "3"]"# + "\n"))
        #expect(try await sessions() == "[]\n")
    }

    @Test func `further signals are forwarded, and the command is killed after the grace period`() async throws {
        let script = "trap 'echo got TERM' TERM; trap 'echo got HUP' HUP; echo ready; while :; do sleep 0.05; done"
        let recorder = try vt.start("record", "-o", file, "--", "sh", "-c", script)
        #expect(
            try await eventually { try FileManager.default.fileExists(atPath: file) && contents().contains("ready\\r") }
        )
        recorder.signal(SIGTERM)
        #expect(try await eventually { try contents().contains("got TERM") })
        let isForwarded = try await eventually {
            // A signal that follows another within half a second is part of the same request.
            recorder.signal(SIGHUP)
            return try contents().contains("got HUP")
        }
        #expect(isForwarded)
        #expect(try await recorder.wait() == .exited(137))
        #expect(try contents().hasSuffix(#", "x", "137"]"# + "\n"))
        #expect(try await sessions() == "[]\n")
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal that ends the command is recorded, and ends the recorder`(_ signal: Int32) async throws {
        let recorder = try vt.start("record", "-o", file, "--", "sh", "-c", "echo ready; exec sleep 1000")
        #expect(
            try await eventually { try FileManager.default.fileExists(atPath: file) && contents().contains("ready\\r") }
        )
        recorder.signal(signal)
        #expect(try await recorder.wait() == .signalled(signal))
        #expect(try contents().hasSuffix(", \"x\", \"\(128 + signal)\"]\n"))
    }

    @Test func `never records a password, even when recording input`() async throws {
        // Input typed just before the program disables echo might not be recorded, hence the 'read' in between.
        let script = """
            printf 'name: '; read name; printf 'ready: '; read ready
            stty -echo; printf 'password: '; read secret; stty echo
            printf 'once more: '; read -r again; echo "welcome $name"
            """
        let recorder = try vt.start(
            "record",
            "--input",
            "--name",
            "login",
            "--keep",
            "-o",
            file,
            "--",
            "sh",
            "-c",
            script
        )
        let answers = [("name: ", "ann"), ("ready: ", "y"), ("password: ", "hunter2"), ("more: ", "yes")]
        for (prompt, answer) in answers {
            #expect(
                try await eventually {
                    try FileManager.default.fileExists(atPath: file) && contents().contains(prompt + "\"]")
                }
            )
            try await vt.check("sessions", "send", "login", answer, "--enter")
        }
        #expect(try await recorder.wait() == .exited(0))
        let text = try contents()
        #expect(text.contains(#", "i", "ann\r"]"#))
        #expect(text.contains(#", "i", "yes\r"]"#))
        #expect(!text.contains("hunter2"))
        #expect(try await !vt.bash("grep -r hunter2 \"$VT_HOME\"").text.contains("hunter2"))
        #expect(try await sessions().contains("login"))
    }

    @Test func `records to standard output, and expands templates in file names`() async throws {
        let result = try await vt.run("record", "-o", "-", "--", "printf", "x")
        #expect(result.text.hasPrefix(#"{"version": 3"#))
        #expect(result.text.contains(#""o", "x"]"#))
        #expect(result.errorText == "")
        let line = "cd \"$1\" && vt record -q --name demo -o '{profile}-{session}-{start:%Y}.cast' -- true; ls"
        let text = try await vt.bash(line, scratch.path("")).text
        #expect(try /local-demo-20\d\d\.cast\n/.wholeMatch(in: text) != nil)
    }

    @Test func `the error for a process substitution names the way to write to a program`() async throws {
        let result = try await vt.bash("vt record -o >(cat) -- true")
        #expect(result.exit == 255)
        #expect(result.errorText.contains("is not a regular file"), "\(result.errorText)")
        #expect(result.errorText.contains("--output - > >(COMMAND)"), "\(result.errorText)")
        let written = try await vt.bash("vt record -o - -- printf x > >(cat)")
        #expect(written.text.contains(#""o", "x"]"#), "\(written.errorText)")
    }

    @Test func `a reader that closes the output does not end the command`() async throws {
        let line =
            "vt record -q -o \"$1\" -- seq 100000 | head -n 1; vt record --force -o \"$1\" -- seq 100000 | head -n 1"
        #expect(try await vt.bash(line, file).text == "1\r\n")
        #expect(try contents().contains("100000\\r\\n"))
    }

    @Test func `a reader that closes the output does not change the exit status`() async throws {
        let line = "vt record -o \"$1\" -- sh -c 'seq 100000; exit 4' | head -n 1; echo ${PIPESTATUS[0]}"
        let result = try await vt.bash(line, file)
        #expect(result.text == "1\r\n4\n")
        #expect(result.errorText == "vt: recorded to '\(file)'\n")
    }
}
