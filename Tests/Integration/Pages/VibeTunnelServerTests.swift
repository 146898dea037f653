import Foundation
import TestSupport
import Testing

/// `vt serve --vibetunnel`, with clients of both of VibeTunnel's protocols.
@Suite(.crowded)
struct VibeTunnelServerTests {
    private static let captures = ProcessInfo.processInfo.environment["VT_CONFORMANCE"]

    private func run(_ name: String, sessions: [String: [String]] = [:]) async throws {
        let lab = try await PageLab("--vibetunnel", sessions: sessions)
        let result = try await lab.run(name, in: "vibetunnel_cases.py")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
        let (events, errors) = await (lab.server.output.readToEnd(), lab.server.errors.readToEnd())
        #expect(!String(decoding: events + errors, as: UTF8.self).contains(lab.token))
    }

    @Test(arguments: ["requests", "frames", "buffers", "verbs", "late", "flood", "ends", "hostile", "crowd"])
    func `clients of VibeTunnel`(_ name: String) async throws {
        try await run(name)
    }

    @Test func `credentials and links of clients of VibeTunnel`() async throws {
        try await run("logins", sessions: ["shell": ["bash", "--norc", "-i"], "other": ["cat"]])
    }

    @Test(arguments: ["v3", "legacy"])
    func `vt uses the sessions that another vt serves`(_ era: String) async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let result = try await lab.run(era, in: "vibetunnel_peers.py")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
    }

    /// The answers in `vibetunnel_facts.py` are compared with the captures in the folder that `VT_CONFORMANCE` names.
    @Test(.enabled(if: captures != nil))
    func `the expected answers are those of upstream's programs`() async throws {
        let folder = try #require(Self.captures)
        let words = [TestTree.support("vibetunnel_captures.py"), "\(folder)/vibetunnel"]
        let result = try await ProgramCall(TestTree.python, words, environment: [:]).run()
        #expect(result.text == "ok\n", "\(result.errorText)")
    }

    @Test func `other servers have none of this`() async throws {
        let lab = try await PageLab()
        let result = try await lab.run("absent", in: "vibetunnel_cases.py")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
    }
}
