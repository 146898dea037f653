import Foundation
import TestSupport
import Testing

/// Runs in batches: `--rolling`, `--canary` and `--pause`.
@Suite(.crowded)
struct BatchTests {
    private let vt: Vt

    /// A vt with six servers that need no SSH, `s1` to `s6`.
    init() async throws {
        vt = try Vt()
        let adding = "for number in $(seq 6); do vt profile add s$number --via env || exit; done"
        try #require(try await vt.bash(adding).status == .exited(0))
    }

    @Test func `a batch starts when all commands of the one before have ended`() async throws {
        // A command ends once both of its batch have started.
        let line =
            "echo start >>~/log; until [ $(($(grep -c start ~/log) % 2)) = 0 ]; do sleep 0.02; done; echo end >>~/log"
        let result = try await vt.run("exec", "--rolling", "2", "--pause", "10ms", "s*", line)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let log = try String(contentsOfFile: "\(vt.home)/log", encoding: .utf8)
        #expect(log == String(repeating: "start\nstart\nend\nend\n", count: 3))
    }

    @Test func `targets after a failed canary are not run, and are listed for a retry`() async throws {
        let file = "\(vt.home)/failed"
        let words = ["exec", "--json", "--canary", "2", "--rolling", "50%", "--retry-failed", file, "s*"]
        // The command succeeds on the first target, fails on the second one, and then succeeds.
        let line = "mkdir ~/1 2>/dev/null || ! mkdir ~/2 2>/dev/null"
        let result = try await vt.call(words + [line]).run()
        #expect(result.status == .exited(1))
        let kinds = try result.jsonLines().map { "\($0["event"] ?? "")" }.sorted()
        #expect(kinds == ["exit", "exit", "skipped", "skipped", "skipped", "skipped"])
        #expect(result.errorText.hasSuffix("vt: 1 of 6 targets failed, 4 not run\n"), "\(result.errorText)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 5)
        let again = try await vt.call(words + [line]).run()
        #expect(again.status == .exited(0), "\(again.errorText)")
        #expect(try again.jsonLines().count { $0["event"] as? String == "exit" } == 5)
    }

    @Test func `the options of a deployment can be combined, and the same line continues it`() async throws {
        // The command fails on the second target that runs it.
        let script = """
            cd; for number in $(seq 6); do vt profile edit s$number --tag web || exit; done
            printf '#!/bin/sh\\nmkdir first 2>/dev/null || ! mkdir second 2>/dev/null\\n' >deploy; chmod +x deploy
            for run in 1 2; do
                vt exec --tag web --canary 1 --rolling 2 --pause 10ms --stop-on-failure --output-dir logs \\
                    --retry-failed failed.txt --summary -- ./deploy 2>log || echo $?
                tail -n 1 log; jq length logs/status.json; [ ! -e failed.txt ] || wc -l <failed.txt
            done
            jq -r '.[].exit.code' logs/status.json | uniq; ls logs | wc -l
            """
        let result = try await vt.bash(script)
        let lines = result.text.split(separator: "\n").map(String.init)
        try #require(lines.count == 8, "\(result.text)\(result.errorText)")
        #expect(lines[..<4] == ["1", "vt: 1 of 6 targets failed, 3 not run", "6", "4"])
        #expect(lines[4].hasPrefix("exit 0  "))
        #expect(lines[5...] == ["6", "0", "13"])
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interruption ends the pause`(_ signal: Int32) async throws {
        let file = "\(vt.home)/failed"
        let run = try vt.start("exec", "--rolling", "1", "--pause", "1h", "--retry-failed", file, "s1,s2", "echo up")
        run.input.close()
        try await run.output.read(until: "up")
        // The command has ended once its process is gone.
        #expect(await eventually { vt.processes.count == 1 })
        run.signal(signal)
        #expect(try await run.wait() == .signalled(signal))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "s2\n")
    }

    @Test func `a pause requires batches`() async throws {
        let result = try await vt.run("exec", "--pause", "1s", "s1", "true")
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("--pause requires --rolling or --canary"))
        #expect(try await vt.run("exec", "--rolling", "0", "s1", "true").status == .exited(255))
        let merge = try await vt.run("exec", "--merge", vt.home, "--rolling", "1")
        #expect(merge.errorText.contains("cannot be used together"), "\(merge.errorText)")
    }
}
