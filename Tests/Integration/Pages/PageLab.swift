import Foundation
import TestSupport
import Testing

/// A running `vt serve` with sessions.
struct PageLab {
    let vt: Vt
    let server: RunningProgram
    let port: Int
    /// The token of the owner's link.
    let token: String

    /// Starts the server with these operands and options.
    init(_ words: String..., sessions: [String: [String]] = ["shell": ["bash", "--norc", "-i"]]) async throws {
        vt = try Vt()
        for (name, command) in sessions { try await vt.call(["sessions", "create", name, "--"] + command).check() }
        let options = ["--listen", "127.0.0.1:0", "--json"]
        server = try vt.call(["serve"] + options + words, environment: ["LC_ALL": "C.UTF-8"]).start()
        let line = try await server.output.read(until: "\n")
        let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let url = event?["url"] as? String, let fragment = URLComponents(string: url)?.fragment,
            let address = event?["address"] as? String, let port = URLComponents(string: "http://\(address)")?.port
        else { throw FixtureError("unexpected event: \(line)") }
        self.port = port
        token = String(fragment.dropFirst(2))
    }

    /// A client of VibeTunnel's protocols with the token as its password.
    var client: VibeTunnelClient { VibeTunnelClient(port, [VibeTunnelClient.basic(token)]) }

    /// Runs `vt share`, and returns the token of the new link.
    func share(_ words: String...) async throws -> String { try await share(words) }

    func share(_ words: [String]) async throws -> String {
        let link = try await vt.call(["share"] + words).check().trimmingCharacters(in: .whitespacesAndNewlines)
        return link.components(separatedBy: "#k=").last ?? ""
    }

    /// The last link of `vt share --list`.
    func lastLink() async throws -> [String: Any] {
        let list = try JSON.value(try await vt.check("share", "--list", "--json").utf8) as? [[String: Any]]
        return try #require(list?.last)
    }

    /// Runs a case of a program, and returns what it prints.
    func run(
        _ name: String,
        _ arguments: [String] = [],
        in program: String = "page_cases.py",
        deadline: Duration = .patience
    ) async throws -> ProgramResult {
        let words = ["-B", TestTree.support(program), name, String(port), token, TestTree.vt] + arguments
        return try await ProgramCall(TestTree.python, words, environment: vt.environment).run(deadline: deadline)
    }

    /// Ends the server and the sessions, and expects that the server has not printed the token again.
    func endQuietly(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await end()
        let (events, errors) = await (server.output.readToEnd(), server.errors.readToEnd())
        let text = String(decoding: events + errors, as: UTF8.self)
        #expect(!text.contains(token), sourceLocation: sourceLocation)
    }

    /// Ends the server and the sessions.
    func end() async throws {
        server.signal(SIGTERM)
        try await server.wait()
        _ = try await vt.bash("vt sessions list --ids | xargs -r vt sessions kill --rm")
    }
}
