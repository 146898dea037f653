import Foundation
import TestSupport
import Testing

/// Retrying, output files, scripts and complete results of runs on several targets.
@Suite(.crowded)
struct FleetTests {
    private let lab: Lab

    /// A lab with the profiles `a`, `b` and `down`; the port of `down` refuses connections.
    init() async throws {
        lab = try await Lab()
        for name in ["a", "b"] { try await lab.addProfile(name) }
        try await lab.addProfile("down", port: LoopbackPort.free())
        try await lab.meet()
    }

    private func path(_ name: String) -> String { "\(lab.vt.home)/\(name)" }

    private func contents(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    private func array(_ text: String) throws -> [[String: any Sendable]] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: any Sendable]])
    }

    // MARK: - Retrying

    @Test func `a retry runs only where the previous run failed, until nothing is left`() async throws {
        // The command fails on the first target that runs it after the directory was removed.
        let command = "echo ran; mkdir '\(lab.server.home)/failed' 2>/dev/null && exit 3; true"
        let words = ["exec", "--retry-failed", path("failed"), "--parallel", "1", "a,b", command]
        let first = try await lab.vt.call(words).run()
        #expect(first.status == .exited(1))
        #expect(first.text == "a: ran\nb: ran\n")
        #expect(try contents("failed") == "a\n")
        let second = try await lab.vt.call(words).run()
        #expect(second.status == .exited(0), "\(second.errorText)")
        #expect(second.text == "a: ran\n")
        #expect(!FileManager.default.fileExists(atPath: path("failed")))
        #expect(try await lab.vt.call(words).run().text == "a: ran\nb: ran\n")
    }

    @Test func `the list of failed targets is a targets file, and names servers completely`() async throws {
        let server = "\(lab.server.user)@127.0.0.1:\(lab.server.port)"
        let key = lab.server.userKeys.path(.ed25519)
        let words = ["exec", "--retry-failed", path("failed"), "-i", key, "\(server),a", "exit 1"]
        #expect(try await lab.vt.call(words).run().status == .exited(1))
        #expect(try contents("failed") == "\(server)\na\n")
        let result = try await lab.vt.run("exec", "--targets-file", path("failed"), "-i", key, "true")
        #expect(result.status == .exited(0), "\(result.errorText)")
    }

    @Test func `an interrupted run lists the targets that have not succeeded`() async throws {
        let run = try lab.vt.start(
            "exec",
            "--retry-failed",
            path("failed"),
            "--parallel",
            "1",
            "a,b",
            "mkdir '\(lab.server.home)/first' 2>/dev/null || { echo blocked; sleep 1000; }"
        )
        run.input.close()
        try await run.output.read(until: "b: blocked")
        run.signal(SIGINT)
        #expect(try await run.wait() == .signalled(SIGINT))
        #expect(try contents("failed") == "# may still be running: b\n")
    }

    // MARK: - Output

    @Test func `output is written to files, which are never overwritten without --force`() async throws {
        let server = "\(lab.server.user)@127.0.0.1:\(lab.server.port)"
        let words = [
            "exec", "--output-dir", path("out"), "-i", lab.server.userKeys.path(.ed25519), "a,down,\(server)",
            #"printf 'out\377'; echo err >&2; exit 3"#,
        ]
        let result = try await lab.vt.call(words).run()
        #expect(result.status == .exited(1))
        #expect(result.text == "")
        #expect(FileManager.default.contents(atPath: path("out/a.stdout")) == Data("out".utf8) + [0xff])
        #expect(try contents("out/a.stderr") == "err\n")
        #expect(try contents("out/down.stdout") == "")
        let status = try array(contents("out/status.json"))
        #expect(status.compactMap { $0["target"] as? String } == ["127.0.0.1", "a", "down"])
        #expect((status[1]["exit"] as? [String: any Sendable])?["code"] as? Int == 3)
        #expect(status[1]["stdout_file"] as? String == "a.stdout")
        #expect((status[2]["error"] as? [String: any Sendable])?["code"] as? String == "host.unreachable")

        let again = try await lab.vt.call(words).run()
        #expect(again.status == .exited(255))
        #expect(again.errorText.contains("already exists"))
        let forced = try await lab.vt.call([words[0], "--force"] + words.dropFirst()).run()
        #expect(forced.status == .exited(1), "\(forced.errorText)")
    }

    @Test func `--gather --json prints one document per target, sorted by name`() async throws {
        let result = try await lab.vt.run(
            "--json",
            "exec",
            "--gather",
            "down,b,a",
            #"echo out; [ -e /nonexistent ] || printf '\377' >&2; exit 4"#
        )
        #expect(result.status == .exited(1))
        let documents = try result.jsonLines()
        #expect(documents.map { $0["target"] as? String } == ["a", "b", "down"])
        #expect(documents.map { $0["outcome"] as? String } == ["exit", "exit", "error"])
        #expect(documents[0]["stdout"] as? String == "out\n")
        #expect(documents[0]["stderr_base64"] as? String == "/w==")
        #expect((documents[0]["exit"] as? [String: any Sendable])?["code"] as? Int == 4)
    }

    // MARK: - Scripts

    @Test func `a script runs with its arguments, and its commands do not read it`() async throws {
        let script = try lab.vt.writeElsewhere(
            "#!/usr/bin/env bash\nset -e\ncat\nprintf '<%s>' \"$@\"; x=(1 2); echo \"${x[1]} $0\"\nexit 5\n",
            to: "the script.sh"
        )
        for target in ["a", "local"] {
            let result = try await lab.vt.run("exec", target, "--script", script, "--", "b c", "$HOME")
            #expect(result.status == .exited(5), "\(result.errorText)")
            #expect(result.text == "<b c><$HOME>2 the script.sh\n")
        }
        let several = try await lab.vt.run("exec", "a,b", "--script", script)
        #expect(Set(several.text.split(separator: "\n")) == ["a: <>2 the script.sh", "b: <>2 the script.sh"])
    }

    @Test func `a script for another interpreter is rejected`() async throws {
        let script = try lab.vt.writeElsewhere("#!/usr/bin/env perl -w\nprint(1)\n", to: "script")
        let result = try await lab.vt.run("exec", "a", "--script", script)
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("is not a shell script"))
        #expect(result.errorText.contains("--stdin \(script) -- perl -w -\n"), "\(result.errorText)")
    }
}
