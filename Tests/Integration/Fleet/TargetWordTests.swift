import Foundation
import TestSupport
import Testing

/// The words that select targets, in the commands that take them.
@Suite(.crowded)
struct TargetWordTests {
    /// A lab with the profiles `web-1`, `web-2` (tag `spare`) and `db` in addition to `p`.
    private func lab() async throws -> Lab {
        let lab = try await Lab()
        try await lab.addProfile("web-1")
        try await lab.addProfile("web-2", ["--no-agent", "--tag", "spare"])
        try await lab.addProfile("db")
        try await lab.meet()
        return lab
    }

    private func run(_ lab: Lab, _ words: [String]) async throws -> Set<Substring> {
        let result = try await lab.vt.call(["exec", "--prefix"] + words + ["echo x"]).run()
        #expect(result.status == .exited(0), "\(result.errorText)")
        return Set(result.text.split(separator: "\n").compactMap { $0.split(separator: ":").first })
    }

    @Test func `exec takes patterns, files, exclusions and limits`() async throws {
        let lab = try await lab()
        let file = try lab.vt.writeElsewhere("# servers\nweb-1\ndb # the database\n", to: "hosts")
        #expect(try await run(lab, ["web-*"]) == ["web-1", "web-2"])
        #expect(try await run(lab, ["web-*,db", "--exclude", "spare"]) == ["web-1", "db"])
        #expect(try await run(lab, ["--all", "--exclude", "web-*,p"]) == ["db"])
        #expect(try await run(lab, ["@\(file)"]) == ["web-1", "db"])
        #expect(try await run(lab, ["--targets-file", file, "--limit", "50%"]) == ["web-1"])
        #expect(try await run(lab, ["--all", "--exclude", "@\(file)", "--limit", "1"]) == ["p"])
    }

    @Test func `targets on standard input are not the input of the command`() async throws {
        let lab = try await lab()
        let input = Array("web-1\ndb\n".utf8)
        let result = try await lab.vt.run("exec", "--targets-file", "-", "cat; echo end", input: input)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(Set(result.text.split(separator: "\n")) == ["web-1: end", "db: end"])
        let both = try await lab.vt.run("exec", "@-", "--stdin", "-", "cat", input: Array("db\n".utf8))
        #expect(both.errorText.contains("standard input cannot be both"))
        #expect(both.status == .exited(255))
    }

    @Test func `sessions are listed and removed on the servers that words select`() async throws {
        let lab = try await lab()
        try lab.linkVt()
        try await lab.vt.check("sessions", "create", "db:done", "--", "true")
        try await lab.vt.check("sessions", "wait", "db:done", "--exit")
        let list = try await lab.vt.run("--json", "sessions", "list", "web-*,db", "--exclude", "web-2")
        let sessions = try #require(
            try JSONSerialization.jsonObject(with: Data(list.output)) as? [[String: any Sendable]]
        )
        #expect(Set(sessions.compactMap { $0["profile"] as? String }) == ["web-1", "db"])
        let removed = try await lab.vt.run("sessions", "cleanup", "--all", "d*", "--limit", "1")
        #expect(removed.text.split(separator: "\n").count == 1, "\(removed.errorText)")
        #expect(try await lab.vt.run("sessions", "list", "db", "--json").text == "[]\n")
    }

    @Test func `vt is installed on several servers, and failures are reported for each`() async throws {
        let lab = try await lab()
        try await lab.addProfile("web-down", port: LoopbackPort.free())
        let program = try await SmallProgram.path()
        let result = try await lab.vt.run("--json", "install", "web-*", "--exclude", "web-2", "--file", program)
        #expect(result.status == .exited(1))
        let documents = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: any Sendable]]
        )
        #expect(documents.map { $0["profile"] as? String } == ["web-1", "web-down"])
        #expect(documents.first?["outcome"] as? String == "installed")
        #expect((documents.last?["error"] as? [String: any Sendable])?["code"] as? String == "host.unreachable")
        #expect(result.errorText.contains("1 of 2 targets failed"))
    }
}
