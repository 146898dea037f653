import Foundation
import TestSupport
import Testing

/// Runs divided into parts, and their merged results.
@Suite(.crowded)
struct ShardRunTests {
    private let lab: Lab
    private let names = (1...12).map { "t\($0)" }

    init() async throws {
        lab = try await Lab()
        let key = lab.server.userKeys.path(.ed25519)
        let configuration = names.map {
            "Host \($0)\nHostName 127.0.0.1\nPort \(lab.server.port)\nUser \(lab.server.user)\nIdentityFile \(key)\n"
        }
        try await lab.vt.check("profile", "import", try lab.vt.writeElsewhere(configuration.joined(), to: "config"))
        try await lab.meet()
    }

    private func path(_ name: String) -> String { "\(lab.vt.home)/\(name)" }

    /// Runs all parts as GNU parallel does, and returns the merged result.
    private func merged(_ options: String, _ command: String, parts: Int) async throws -> ProgramResult {
        try FileManager.default.createDirectory(atPath: path("parts"), withIntermediateDirectories: true)
        // The shell that GNU parallel starts for each line of its input expands $command.
        let line = """
            export command=$1 PARALLEL_TOTAL=\(parts)
            seq \(parts) | parallel --will-cite -j2 \
                'vt --json exec "t*" --shard auto \(options) -- sh -c "$command" >\(path("parts"))/{#}.json # {}'
            vt exec --merge \(path("parts"))
            """
        return try await lab.vt.bash(line, command)
    }

    @Test func `parts run by GNU parallel give the same result as a single run`() async throws {
        let command = "echo out; echo err >&2"
        let whole = try await lab.vt.run("--json", "exec", "--gather", "t*", "--", "sh", "-c", command)
        #expect(whole.status == .exited(0), "\(whole.errorText)")
        let merged = try await merged("--gather", command, parts: 4)
        #expect(merged.status == .exited(0), "\(merged.errorText)")
        func withoutTimes(_ result: ProgramResult) -> String {
            result.text.replacing(/"(duration_ms|started_at)":("[^"]*"|[0-9]+),/, with: "")
        }
        #expect(withoutTimes(merged) == withoutTimes(whole))
        #expect(withoutTimes(whole) != whole.text)
    }

    @Test func `each target runs once, and a failure in one part fails the whole run`() async throws {
        let log = "\(lab.server.home)/log"
        let command = "echo $SSH_CONNECTION >>\(log); mkdir \(lab.server.home)/first 2>/dev/null && exit 3; true"
        let merged = try await merged("", command, parts: 3)
        #expect(merged.status == .exited(1))
        #expect(merged.errorText.contains("1 of 12 targets failed"))
        #expect(try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count == 12)
        let exits = try merged.jsonLines().filter { $0["event"] as? String == "exit" }
        #expect(Set(exits.compactMap { $0["target"] as? String }) == Set(names))
        #expect(exits.count == 12)
    }

    @Test func `a missing part, an unfinished target and a repeated target are detected`() async throws {
        let exit = #"{"event":"exit","exit":{"code":0},"target":"#
        let files = [
            "missing/1.json": #"{"shard":1,"shards":2,"targets":1}"# + "\n" + exit + #""a"}"#,
            "unfinished/1.json": #"{"event":"stdout","target":"a","text":"x"}"# + "\n" + exit + #""b"}"#,
            "twice/1.json": exit + #""a"}"#, "twice/2.json": exit + #""a"}"#,
            "cut/1.json": exit + #""a"}"# + "\n" + #"{"event":"std"#,
            "empty/1.json": "", "partly/1.json": exit + #""a"}"#, "partly/2.json": "",
        ]
        for (name, text) in files {
            let file = path(name)
            let directory = (file as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try (text + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        }
        for (name, status, message) in [
            ("missing", 1, "part 2/2 is missing"), ("unfinished", 1, "a: '1.json' contains no result for this target"),
            ("twice", 255, "'1.json' and '2.json' both contain results for 'a'"),
            ("cut", 255, "1.json', line 2 is not output of 'vt exec --json'"), ("none", 255, "contains no files"),
            ("empty", 255, "1.json' is empty"), ("partly", 255, "2.json' is empty"),
        ] as [(String, Int32, String)] {
            let result = try await lab.vt.run("exec", "--merge", path(name))
            #expect(result.exit == status, "\(name)")
            #expect(result.errorText.contains(message), "\(result.errorText)")
        }
    }

    @Test func `a part without targets succeeds`() async throws {
        var output = ""
        for part in 1...8 {
            let result = try await lab.vt.run("exec", "t1", "--shard", "\(part)/8", "echo x")
            #expect(result.status == .exited(0), "\(result.errorText)")
            output += result.text
        }
        #expect(output == "t1: x\n")
    }

    @Test func `parts of any size are merged without holding them in memory`() async throws {
        let directory = path("large")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let text = String(repeating: "x", count: 1 << 20)
        func line(_ part: Int, _ target: String, _ number: Int) -> String {
            #"{"event":"stdout","target":"\#(target)\#(part)","text":"\#(number)\#(text)"}"# + "\n"
        }
        for part in 1...2 {
            let file = "\(directory)/\(part).json"
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            let handle = try #require(FileHandle(forWritingAtPath: file))
            for number in 1...35 {
                for target in ["b", "a"] { try handle.write(contentsOf: Data(line(part, target, number).utf8)) }
            }
            for target in ["b", "a"] {
                let exit = #"{"event":"exit","exit":{"code":0},"target":"\#(target)\#(part)"}"# + "\n"
                try handle.write(contentsOf: Data(exit.utf8))
            }
            try handle.close()
        }
        let merge = try lab.vt.start("exec", "--merge", directory)
        // The rest of the output is not read, so that vt is still running.
        let start = await merge.output.read(atLeast: 48).prefix(48)
        #expect(String(decoding: start, as: UTF8.self) == #"{"event":"stdout","target":"a1","text":"1xxxxxxx"#)
        #expect(try merge.peakResidentBytes() < 36 << 20)
        merge.kill()
        let counts = try await lab.vt.bash(
            #"vt exec --merge "$1" | jq -r '"\(.target) \(.event)"' | uniq -c | tr -s ' '"#,
            directory
        )
        let expected = ["a1", "a2", "b1", "b2"].map { " 35 \($0) stdout\n 1 \($0) exit\n" }
        #expect(counts.text == expected.joined(), "\(counts.errorText)")
    }
}
