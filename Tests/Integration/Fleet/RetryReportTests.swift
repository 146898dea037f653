import Foundation
import TestSupport
import Testing

/// Retries that write to the `--output-dir` directory of the run before.
@Suite(.crowded)
struct RetryReportTests {
    private typealias Report = [String: [String: any Sendable]]

    /// A vt with 40 servers that need no SSH, `s1` to `s40`.
    private let vt: Vt

    init() async throws {
        vt = try Vt()
        let adding = "for number in $(seq 40); do vt profile add s$number --via env || exit; done"
        try #require(try await vt.bash(adding).status == .exited(0))
    }

    private func path(_ name: String) -> String { "\(vt.home)/\(name)" }

    private func contents(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// The results in `status.json`, by target.
    private func report() throws -> Report {
        let data = try Data(contentsOf: URL(fileURLWithPath: path("out/status.json")))
        let results = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: any Sendable]])
        let names = results.compactMap { $0["target"] as? String }
        #expect(names == names.sorted { $0.compare($1, options: .numeric) == .orderedAscending })
        return Dictionary(zip(names, results)) { first, _ in first }
    }

    private func code(_ target: String, in report: Report) -> Int? {
        (report[target]?["exit"] as? [String: any Sendable])?["code"] as? Int
    }

    private var words: [String] { ["exec", "--retry-failed", path("failed"), "--output-dir", path("out"), "s*"] }

    /// Runs the command on all targets; it fails on three of them, which it returns.
    private func failures() async throws -> [String] {
        let line = "for n in 1 2 3; do mkdir ~/$n 2>/dev/null && exit $n; done; echo first; echo error >&2"
        let result = try await vt.call(words + [line]).run()
        #expect(result.status == .exited(1), "\(result.errorText)")
        let failed = try contents("failed").split(separator: "\n").map(String.init)
        try #require(failed.count == 3)
        return failed
    }

    @Test func `a retry keeps the entries of targets that are not selected`() async throws {
        let list = "s1\ns2\n# may still be running: s3\ns4\n"
        for (selection, rest) in [
            (["s1"], "s2\ns4\n# may still be running: s3\n"),
            (["s[1-9]", "--limit", "1"], "s2\ns4\n# may still be running: s3\n"),
            (["s[1-4]", "--exclude", "s2"], "s2\n# may still be running: s3\n"),
        ] {
            try list.write(toFile: path("list"), atomically: true, encoding: .utf8)
            let result = try await vt.call(["exec", "--retry-failed", path("list")] + selection + ["true"]).run()
            // A command may still be running.
            #expect(result.status == .exited(1), "\(result.errorText)")
            #expect(try contents("list") == rest, "\(selection)")
        }
        try "s1\ns2\n".write(toFile: path("list"), atomically: true, encoding: .utf8)
        #expect(try await vt.run("exec", "--retry-failed", path("list"), "s1", "true").status == .exited(0))
        #expect(try contents("list") == "s2\n")
    }

    @Test(arguments: ["fifo", "directory", "link"])
    func `files that cannot be replaced are found before any command runs`(kind: String) async throws {
        let make = ["fifo": "mkfifo", "directory": "mkdir", "link": "ln -s /nowhere"][kind] ?? ""
        for name in ["out/s2.stdout", "out/status.json", "failed"] {
            let line = """
                cd; rm -rf out failed; mkdir out; \(make) \(name)
                exec vt exec --force --output-dir out --retry-failed failed s1,s2 'echo ran >>~/ran'
                """
            let result = try await vt.bash(line, deadline: .seconds(60))
            #expect(result.status == .exited(255), "\(name): \(result.errorText)")
            #expect(!FileManager.default.fileExists(atPath: path("ran")), "\(name)")
        }
    }

    @Test func `the results of a retry replace those of the run before, and all others remain`() async throws {
        let failed = try await failures()
        let before = try report()
        try #require(before.count == 40)
        #expect(Set(failed.map { code($0, in: before) }) == [1, 2, 3])
        let line = "echo second; mkdir ~/4 2>/dev/null && exit 4; true"
        let retry = try await vt.call(words + [line]).run()
        #expect(retry.status == .exited(1), "\(retry.errorText)")
        #expect(retry.errorText.hasSuffix("vt: 1 of 3 targets failed\n"), "\(retry.errorText)")
        let after = try report()
        #expect(after.count == 40)
        #expect(failed.map { code($0, in: after) ?? -1 }.sorted() == [0, 0, 4])
        for (target, result) in after where !failed.contains(target) {
            #expect(NSDictionary(dictionary: result) == NSDictionary(dictionary: before[target] ?? [:]))
            #expect(try contents("out/\(target).stdout") == "first\n")
            #expect(try contents("out/\(target).stderr") == "error\n")
        }
        for target in failed {
            #expect(try contents("out/\(target).stdout") == "second\n")
            #expect(try contents("out/\(target).stderr") == "")
        }
        #expect(try contents("failed") == "\(failed.first { code($0, in: after) == 4 } ?? "")\n")
        // Without failures, the next run is not a retry.
        #expect(try await vt.call(words + ["true"]).run().status == .exited(0))
        #expect(try await vt.call(words + ["true"]).run().errorText.contains("already exists"))
    }

    @Test func `an interrupted retry keeps the results of targets on which it has not run`() async throws {
        let failed = try await failures()
        let before = try report()
        var call = words
        call.insert(contentsOf: ["--parallel", "1"], at: 1)
        // The second target never finishes.
        let line = "mkdir ~/4 2>/dev/null && exit; echo blocked; mkdir ~/5; sleep 1000"
        let run = try vt.call(call + [line]).start()
        run.input.close()
        #expect(await eventually { FileManager.default.fileExists(atPath: path("5")) })
        run.signal(SIGINT)
        #expect(try await run.wait() == .signalled(SIGINT))
        let after = try report()
        #expect(after.count == 40)
        #expect(code(failed[0], in: after) == 0)
        #expect(after[failed[1]]?["outcome"] as? String == "may-be-running", "\(after[failed[1]] ?? [:])")
        #expect(NSDictionary(dictionary: after[failed[2]] ?? [:]) == NSDictionary(dictionary: before[failed[2]] ?? [:]))
        #expect(try contents("out/\(failed[1]).stdout") == "blocked\n")
    }

    @Test func `a retry replaces no files but those of the run before`() async throws {
        let failed = try await failures()
        let other = path("out/\(failed[0]).stdout")
        try "[]".write(toFile: path("out/status.json"), atomically: true, encoding: .utf8)
        let result = try await vt.call(words + ["true"]).run()
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("'\(other)' already exists"), "\(result.errorText)")
        try "no".write(toFile: path("out/status.json"), atomically: true, encoding: .utf8)
        let invalid = try await vt.call(words + ["true"]).run()
        #expect(invalid.status == .exited(255))
        #expect(invalid.errorText.contains("is not a list of results"), "\(invalid.errorText)")
    }

    @Test func `a target that is not started has no files`() async throws {
        let words = ["exec", "--output-dir", path("new"), "--parallel", "1", "--stop-on-failure", "s1,s2", "exit 1"]
        #expect(try await vt.call(words).run().status == .exited(1))
        let files = try FileManager.default.contentsOfDirectory(atPath: path("new")).sorted()
        #expect(files == ["s1.stderr", "s1.stdout", "status.json"])
        #expect(try !contents("new/status.json").contains("s2.stdout"))
    }
}
