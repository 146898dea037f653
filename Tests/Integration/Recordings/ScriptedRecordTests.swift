import Foundation
import TestSupport
import Testing

/// `vt record --script`.
@Suite(.crowded)
struct ScriptedRecordTests {
    private let vt: Vt
    private let scratch: ScratchDirectory
    private var file: String { scratch.path("out.cast") }

    init() throws {
        vt = try Vt()
        scratch = try ScratchDirectory()
    }

    private func record(_ script: String, _ options: [String] = [], _ command: String...) async throws -> ProgramResult
    {
        try scratch.write(script, to: "demo.txt")
        let words = ["record", "-o", file, "--script", scratch.path("demo.txt"), "--typing-delay", "1ms"] + options
        return try await vt.call(words + ["--"] + command).run()
    }

    private func contents() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    /// The message about a step, after the name of the file.
    private func failure(_ result: ProgramResult) -> String? {
        result.errorText.split(separator: "\n").compactMap { line in
            line.contains("demo.txt:") ? line.split(separator: "demo.txt:").last.map { String($0) } : nil
        }.first
    }

    @Test(arguments: ["bash", "zsh", "fish", "dash"])
    func `types into a shell, waits for its commands, and adds markers`(_ shell: String) async throws {
        let script = """
            exec printf 'o%se\\n' n
            mark first step
            send printf '<%s>\\n'
            key Space t w o Enter
            wait <two>
            exec cd /usr
            mark
            send sh -c 'printf "r%ss\\n" un; exec cat'
            key Enter
            wait runs
            key C-d
            wait --prompt
            exec pwd
            exec exit 3
            wait --exit
            """
        let result = try await record(script, ["--timeout", "60s"], shell)
        #expect(result.exit == 0, "\(result.errorText)")
        #expect(result.errorText == "vt: recorded to '\(file)'\n")
        let text = try await vt.check("cast", "convert", file, "--format", "txt")
        let outputs = ["\none\n", "\n<two>\n", "\n/usr\n"].map { text.range(of: $0)?.lowerBound }
        #expect(!outputs.contains(nil), "\(text)")
        #expect(outputs.compactMap(\.self) == outputs.compactMap(\.self).sorted())
        let lines = try contents().split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.hasSuffix(#", "m", "first step"]"#) })
        let output = try #require(lines.firstIndex { $0.contains(#"one\r\n"#) })
        #expect(output < first)
        #expect(lines.contains { $0.hasSuffix(#", "m", ""]"#) })
        #expect(try contents().hasSuffix(", \"x\", \"3\"]\n"))
        #expect(result.text.contains("<two>"))
        #expect(try await vt.check("sessions", "list", "--json") == "[]\n")
    }

    @Test func `presses keys for the modes of the program`() async throws {
        let program = "printf '\\033[?1hready'; stty raw -echo; head -c 3 | od -An -c"
        let result = try await record("wait ready\nkey Up\nwait --exit", [], "sh", "-c", program)
        #expect(result.exit == 0, "\(result.errorText)")
        #expect(result.text.contains("033   O   A"))
    }

    private static let failures: [(script: String, command: [String], status: Int32, message: String)] = [
        ("exec true\nexec false\nexec echo no", ["bash"], 1, "2: 'false' exited with status 1"),
        (
            "wait x\nwait y", ["sh", "-c", "echo x; exit 5"], 1,
            "2: 'demo' ended (exit status 5) and nothing matched 'y'"
        ),
        ("wait x\nsleep 1h", ["sh", "-c", "echo x; exit 5"], 1, "2: the program has ended"),
        ("exec exit 3\nmark", ["bash"], 1, "2: the program has ended"),
        ("wait x\nwait x", ["sh", "-c", "echo x; read line"], 124, "2: 'demo': nothing matched 'x' within 300ms"),
    ]

    @Test(arguments: failures)
    func `stops at the first step that fails, and keeps the recording`(
        _ script: String,
        _ command: [String],
        _ status: Int32,
        _ message: String
    ) async throws {
        try scratch.write(script, to: "demo.txt")
        let limit = status == 124 ? ["--timeout", "300ms"] : []
        let options = ["-o", file, "--script", scratch.path("demo.txt"), "--name", "demo"] + limit
        let result = try await vt.call(["record"] + options + ["--"] + command).run()
        #expect(result.exit == status)
        #expect(failure(result) == message)
        #expect(try contents().contains(#", "x", "#))
        #expect(try !contents().contains("no"))
        #expect(try await vt.check("sessions", "list", "--json") == "[]\n")
    }

    @Test func `checks the script before it runs the command`() async throws {
        let ran = scratch.path("ran")
        let result = try await record("exec true\nfly\n", [], "touch", ran)
        #expect(result.exit == 255)
        #expect(failure(result)?.hasPrefix("2: unknown step 'fly'") == true)
        let shell = try await vt.run("record", "-o", file, "--script", scratch.path("demo.txt"))
        #expect((shell.exit, failure(shell)) == (65, "2: unknown step 'fly'"))
        #expect(!FileManager.default.fileExists(atPath: ran))
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try await vt.run("record", "-o", file, "--script", "/nonexistent").exit == 66)
        #expect(try await vt.run("record", "-o", file, "--timeout", "3s", "--", "true").exit == 255)
    }

    @Test func `reads the script from standard input`() async throws {
        let line = "printf 'exec echo h%si\\n' '' | SHELL=/bin/bash vt record -q --script - -o -"
        let result = try await vt.bash(line)
        #expect(result.exit == 0, "\(result.errorText)")
        #expect(result.text.contains(#"hi\r\n"#))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the script and completes the recording`(_ signal: Int32) async throws {
        try scratch.write("wait ready\nsleep 1h\n", to: "demo.txt")
        let recorder = try vt.start(
            "record",
            "-o",
            file,
            "--script",
            scratch.path("demo.txt"),
            "--",
            "sh",
            "-c",
            "echo ready; exec sleep 1000"
        )
        #expect(
            try await eventually { try FileManager.default.fileExists(atPath: file) && contents().contains("ready\\r") }
        )
        recorder.signal(signal)
        #expect(try await recorder.wait() == .signalled(signal))
        #expect(try contents().hasSuffix(", \"x\", \"\(128 + signal)\"]\n"))
        #expect(try await vt.check("sessions", "list", "--json") == "[]\n")
    }
}
