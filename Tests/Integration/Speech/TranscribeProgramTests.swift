import Foundation
import TestSupport
import Testing

/// `vt transcribe` with programs.
struct TranscribeProgramTests {
    private let vt: Vt
    private let scratch: ScratchDirectory
    private let audio = SpeechFixture.wave()

    init() throws {
        vt = try Vt()
        scratch = try ScratchDirectory()
        try scratch.write(audio, to: "note.wav")
        try scratch.makeDirectory("tmp")
    }

    private func transcribe(_ words: String..., script: String, input: [UInt8] = []) async throws -> ProgramResult {
        let program = try scratch.write("#!/bin/sh\n\(script)\n", to: "engine", mode: 0o700)
        let options = words.isEmpty ? ["note.wav"] : words
        var call = vt.call(
            ["transcribe"] + options + ["--engine", "command:\(program) {file}"],
            environment: ["TMPDIR": scratch.path("tmp")]
        )
        call.directory = scratch.path
        return try await call.run(input: input)
    }

    private var temporaryFiles: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path("tmp")) }
    }

    @Test func `a program gets a private file, which is removed`() async throws {
        let script = "cp \"$1\" \(scratch.path("copy")); stat -c %a \"$1\" \"${1%/*}\"; echo \" Git\u{1b}[1m status. \""
        let result = try await transcribe(script: script)
        #expect(result.text == "600 700 Git status.\n" && result.errorText == "" && result.exit == 0)
        #expect(try scratch.read("copy") == audio)
        #expect(try temporaryFiles == [])
    }

    @Test func `a WAV file from a pipe gets a correct header`() async throws {
        var pipe = audio
        pipe.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let result = try await transcribe("-", script: "cp \"$1\" \(scratch.path("copy")); echo ok", input: pipe)
        #expect(result.text == "ok\n")
        #expect(try scratch.read("copy") == audio)
    }

    @Test func `no shell interprets names`() async throws {
        try scratch.write(audio, to: "; touch x $(touch x).wav")
        let result = try await transcribe("; touch x $(touch x).wav", script: "echo \"$#\" ok")
        #expect(result.text == "1 ok\n")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("x")))
    }

    @Test(arguments: [
        ("exit 3", "failed: exit status 3\n"),
        ("echo one >&2; printf 'tw\u{1b}[1mo\\n\\n' >&2; exit 3", "3: two\n"),
        ("kill -9 $$", "failed: terminated by signal KILL\n"),
        ("head -c 2097152 /dev/zero | tr '\\0' a", "printed more than 1 MiB\n"),
        ("printf 'a\\377'", "is not UTF-8\n"),
    ])
    func `programs that fail`(_ script: String, _ message: String) async throws {
        let result = try await transcribe(script: script)
        #expect(result.exit == 74 && result.text == "" && result.errorText.contains(message), "\(result.errorText)")
        #expect(try temporaryFiles == [])
    }

    @Test func `files that the program leaves beside the audio are removed`() async throws {
        let result = try await transcribe(script: "mkdir -p $0.d/e; echo x | tee $0.txt $0.d/e/f >$0.d/g; echo ok")
        #expect(result.text == "ok\n", "\(result.errorText)")
        #expect(try temporaryFiles == [])
    }

    @Test func `a program that does not exist`() async throws {
        let result = try await vt.transcribe(scratch.path("note.wav"), engine: "command:/no/such {file}")
        #expect(result.exit == 66 && result.errorText == "vt: cannot run '/no/such': no such file or directory\n")
    }

    @Test(arguments: ["exec sleep 1000", "trap '' TERM; sleep 1000"])
    func `a program that hangs is ended`(_ script: String) async throws {
        let result = try await transcribe("note.wav", "--timeout", "300ms", script: script)
        #expect(result.exit == 124 && result.text == "", "\(result.errorText)")
        #expect(try temporaryFiles == [])
        #expect(await eventually { vt.processes.isEmpty })
    }

    @Test func `an interruption removes the files`() async throws {
        let program = try scratch.write(
            "#!/bin/sh\necho >\(scratch.path("started"))\nexec sleep 1000",
            to: "engine",
            mode: 0o700
        )
        let running = try vt.start(
            "transcribe",
            scratch.path("note.wav"),
            "--engine",
            "command:\(program) {file}",
            environment: ["TMPDIR": scratch.path("tmp")]
        )
        #expect(await eventually { FileManager.default.fileExists(atPath: scratch.path("started")) })
        #expect(try temporaryFiles.count == 1)
        running.signal(SIGINT)
        #expect(try await running.wait() == .signalled(SIGINT))
        #expect(try temporaryFiles == [])
        #expect(await eventually { vt.processes.isEmpty })
    }

    @Test func `a program requires mono with 16,000 Hz`() async throws {
        try scratch.write(SpeechFixture.wave(channels: 2, rate: 44_100), to: "cd.wav")
        try scratch.write("fLaC", to: "a.flac")
        for file in ["cd.wav", "a.flac"] {
            let result = try await transcribe(file, script: "echo bad")
            #expect(result.exit == 65 && result.text == "")
            #expect(result.errorText.contains("sox IN -r 16000 -c 1 -b 16 OUT.wav"))
        }
    }

    @Test func `phrases`() async throws {
        try scratch.write("# commands\nlist all files\tls -la\nlog 5\ttail -n 5\n", to: "phrases")
        let matched = try await transcribe("note.wav", "--phrases", "phrases", "--json", script: "echo List all FILES.")
        let json = try matched.json()
        #expect(json["text"] as? String == "ls -la" && json["phrase"] as? String == "list all files")
        let other = try await transcribe("note.wav", "--phrases", "phrases", script: "echo please list all files")
        #expect(other.exit == 1 && other.text == "")
        #expect(other.errorText == "vt: 'note.wav': no phrase matches 'please list all files'\n")
        try scratch.write("list all files\n", to: "bad")
        #expect(try await transcribe("note.wav", "--phrases", "bad", script: "echo x").exit == 65)
    }

    @Test func `several files are a line each, and failures are reported`() async throws {
        try scratch.write(SpeechFixture.wave(milliseconds: 50), to: "short.wav")
        let result = try await transcribe("note.wav", "short.wav", "none.wav", "note.wav", script: "echo ok")
        #expect(result.text == "ok\nok\n" && result.exit == 66)
        #expect(
            result.errorText.contains("'short.wav': no speech: less than 100ms")
                && result.errorText.contains("none.wav")
        )
    }

    @Test func `a list of phrases is checked`() async throws {
        let list = try scratch.write("list files\tls\nno tab\nLIST files!\tls -l\nc++\tg++\n", to: "phrases")
        let result = try await vt.run("transcribe", "--check", list)
        #expect(result.exit == 1)
        #expect(
            result.text == """
                \(list):2: no tab between the phrase and its text
                \(list):3: the phrase is the same as in line 1
                \(list):4: a grammar cannot contain the word 'c++'

                """
        )
        #expect(try await vt.run("transcribe", "--check", list, "--json").json()["phrases"] as? Int == 2)
        try scratch.write("list files\tls\n", to: "phrases")
        let good = try await vt.run("transcribe", "--check", list)
        #expect(good.exit == 0 && good.text == "")
    }

    @Test func `a text arrives in a session as one harmless line`() async throws {
        let typed = scratch.path("typed")
        let program = "stty raw -echo; exec cat >\(typed)"
        try await vt.check("sessions", "create", "shell", "--", "/bin/sh", "-c", "\(program)")
        let script = "printf 'rm\\r\\nx\\033[31m \\342\\200\\256y\\0z\\007\\033]0;t\\007 end\\n'"
        let engine = try scratch.write("#!/bin/sh\n\(script)\n", to: "engine", mode: 0o700)
        #expect(await eventually { FileManager.default.fileExists(atPath: typed) })
        let line = "vt sessions send shell -- \"$(vt transcribe \"$1\" --engine \"command:$2 {file}\")\""
        #expect(try await vt.bash(line, scratch.path("note.wav"), engine).errorText == "")
        #expect(await eventually { (try? scratch.read("typed").count) ?? 0 >= 11 })
        #expect(String(decoding: try scratch.read("typed"), as: UTF8.self) == "rm x yz end")
        try await vt.check("sessions", "kill", "shell")
    }
}
