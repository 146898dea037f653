import Foundation
import TestSupport
import Testing

/// Spoken commands, from a synthetic voice through a recognizer into a session.
///
/// `make test-deps` installs flite, sox and pocketsphinx. Where it cannot, this suite is skipped and says so.
@Suite(
    .enabled("flite, sox and pocketsphinx are required: make test-deps") {
        ["flite", "sox", "pocketsphinx_continuous"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }
    }
)
struct TranscribeVoiceTests {
    private static let commands: KeyValuePairs = [
        "list files": "ls", "list all files": "ls -la", "git status": "git status", "git pull": "git pull",
        "git log": "git log", "git diff": "git diff", "make test": "make test", "make clean": "make clean",
        "run the tests": "make test", "show disk space": "df -h", "show memory": "free -h",
        "show processes": "ps aux", "go home": "cd ~", "go up": "cd ..", "clear screen": "clear",
        "restart server": "systemctl restart app", "show log": "tail -n 50 app.log", "who am i": "whoami",
        "print directory": "pwd", "stop": "exit",
    ]
    private static let others = [
        "delete everything now", "the weather is nice today", "git commit", "remove all", "hello",
        "please list files for me", "do not restart server",
    ]
    private static let engine = "command:pocketsphinx_continuous -infile {file} -jsgf {grammar} -logfn /dev/null"

    private let vt: Vt
    private let scratch: ScratchDirectory

    /// Starts a session that stores what is typed.
    init() async throws {
        vt = try Vt()
        scratch = try ScratchDirectory()
        try scratch.write(Self.commands.map { "\($0)\t\($1)\n" }.joined(), to: "phrases")
        let program = "stty raw -echo; exec cat >\(scratch.path("typed"))"
        try await vt.check("sessions", "create", "shell", "--", "/bin/sh", "-c", program)
        let typed = scratch.path("typed")
        #expect(await eventually { FileManager.default.fileExists(atPath: typed) })
    }

    /// Speaks each sentence, and returns the files.
    private func speak(_ sentences: [String]) async throws -> [String] {
        var files: [String] = []
        for sentence in sentences {
            let (voice, file) = (scratch.path("voice.wav"), scratch.path("\(files.count).wav"))
            try await ProgramCall("flite", ["-voice", "slt", "-t", sentence, "-o", voice]).check()
            try await ProgramCall("sox", [voice, "-r", "16000", "-c", "1", "-b", "16", file, "pad", "0.3", "0.4"])
                .check()
            files.append(file)
        }
        return files
    }

    /// Returns the text that each file stands for; nil if there is none.
    private func texts(of files: [String], engine: String) async throws -> [String?] {
        let words = ["transcribe", "--json", "--phrases", scratch.path("phrases"), "--engine", engine] + files
        let lines = try await vt.call(words).run().jsonLines()
        let texts = Dictionary(uniqueKeysWithValues: lines.map { ($0["file"] as? String ?? "", $0["text"] as? String) })
        return files.map { texts[$0] ?? nil }
    }

    /// Types a text without Enter, and returns what arrives; a comma shows where it ends.
    private func type(_ text: String) async throws -> String {
        let start = try scratch.read("typed").count
        try await vt.check("sessions", "send", "shell", "--", text)
        try await vt.check("sessions", "send", "shell", "--", ",")
        func typed() throws -> [UInt8] { try scratch.read("typed").dropFirst(start).map(\.self) }
        #expect(try await eventually { try typed().last == UInt8(ascii: ",") })
        return String(decoding: try typed().dropLast(), as: UTF8.self)
    }

    @Test func `spoken commands arrive in a session`() async throws {
        let files = try await speak(Self.commands.map(\.key))
        let texts = try await texts(of: files, engine: Self.engine)
        var correct = 0
        for (text, command) in zip(texts, Self.commands) {
            let typed = if let text { try await type(text) } else { "" }
            if typed == command.value {
                correct += 1
            } else {
                print("vt transcribe: '\(command.key)' became '\(typed)'")
            }
        }
        print("vt transcribe: \(correct) of \(files.count) spoken commands arrived")
        #expect(correct >= 18)
    }

    @Test func `other sentences are never followed by Enter`() async throws {
        let files = try await speak(Self.others)
        var wrong = 0
        for (sentence, text) in zip(Self.others, try await texts(of: files, engine: Self.engine)) {
            guard let text else { continue }
            wrong += 1
            print("vt transcribe: '\(sentence)' became '\(text)' with a grammar")
            #expect(try await type(text) == text)
        }
        print("vt transcribe: \(wrong) of \(files.count) other sentences became a command with a grammar")
        let typed = try scratch.read("typed")
        #expect(!typed.contains(0x0D) && !typed.contains(0x0A))
    }

    @Test func `with free speech, no other sentence is typed`() async throws {
        let files = try await speak(Self.others)
        // An engine that understands every sentence.
        let table = zip(files, Self.others).map { file, sentence in
            "cmp -s \"$1\" '\(file)' && echo '\(sentence.prefix(1).uppercased())\(sentence.dropFirst()).'\n"
        }
        let program = try scratch.write("#!/bin/sh\n\(table.joined())exit 0\n", to: "engine", mode: 0o700)
        for file in files {
            let line =
                "text=$(vt transcribe \"$1\" --engine \"command:$2 {file}\" --phrases \"$3\") "
                + "&& vt sessions send shell -- \"$text\""
            let result = try await vt.bash(line, file, program, scratch.path("phrases"))
            #expect(result.exit == 1 && result.errorText.contains("no phrase matches"), "\(result.errorText)")
        }
        #expect(try scratch.read("typed") == [])
    }
}
