import Foundation
import TestSupport
import Testing

/// What a run on many targets reports.
@Suite(.crowded)
struct RunReportTests {
    /// A vt with 40 servers that need no SSH, `s1` to `s40`.
    private func fleet() async throws -> Vt {
        let vt = try Vt()
        let adding = "for number in $(seq 40); do vt profile add s$number --via env || exit; done"
        try #require(try await vt.bash(adding).status == .exited(0))
        return vt
    }

    @Test func `failed, aborted and other targets are counted, and equal outcomes are one line`() async throws {
        let vt = try await fleet()
        // The fourth command to start fails once the others run.
        let line =
            "mkdir ~/1 2>/dev/null || mkdir ~/2 2>/dev/null || mkdir ~/3 2>/dev/null || "
            + "{ until [ -e ~/on3 ]; do sleep 0.02; done; exit 3; }; "
            + "[ -e ~/3 ] && touch ~/on3; exec sleep 1000"
        let result = try await vt.run("exec", "--all", "--fail-fast", "--parallel", "4", line)
        #expect(result.status == .exited(1))
        let lines = result.errorText.split(separator: "\n")
        #expect(lines.last == "vt: 1 of 40 targets failed, 3 aborted, 36 not run", "\(result.errorText)")
        #expect(lines.count == 4, "\(result.errorText)")
        #expect(lines.contains { $0.hasPrefix("vt: 36 targets: not run: s") })
    }

    @Test func `a key that cannot be used is reported once, with its hint, before anything runs`() async throws {
        let vt = try Vt()
        let key = try vt.writeElsewhere("x", to: "key", mode: 0o644)
        let adding =
            "for number in $(seq 40); do vt profile add s$number ann@127.0.0.1 --port 1 --identity $1 2>&- || exit; done"
        try #require(try await vt.bash(adding, key).status == .exited(0))
        let result = try await vt.run("exec", "s*,local", "--fail-fast", "echo ran")
        #expect(result.text == "")
        #expect(
            result.errorText == """
                vt: 40 targets: private key '\(key)' is readable by other users (config): s[1-40]
                hint: make the file private: chmod 600 \(key)
                vt: local: not run
                vt: 40 of 41 targets failed, 1 not run

                """
        )
        let others = try await vt.run("exec", "s*,local", "--json", "cat", input: Array("in".utf8))
        #expect(try others.jsonLines().count { $0["event"] as? String == "error" } == 40)
        #expect(try others.jsonLines().contains { $0["text"] as? String == "in" })
        let copy = try await vt.run("copy", "--all", key, ":/tmp/")
        #expect(copy.errorText.components(separatedBy: "readable by other users").count == 2, "\(copy.errorText)")
    }

    @Test func `notes about many servers are one line with a count`() async throws {
        let lab = try await Lab()
        for number in 1...12 { try await lab.addProfile("s\(number)") }
        let result = try await lab.vt.run(
            "exec",
            "s*",
            "--send-env",
            "OWN",
            "exit 2",
            environment: ["OWN": "1"]
        )
        #expect(result.status == .exited(1))
        #expect(result.errorText.hasSuffix("vt: 12 of 12 targets failed\n"), "\(result.errorText)")
        let lines = result.errorText.split(separator: "\n").filter { $0.contains("rejected the variable") }
        #expect(lines == ["vt: 12 targets: '...' rejected the variable '...'; to set it in any case, use --pass-env"])
    }
}
