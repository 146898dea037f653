import Foundation
import TestSupport
import Testing

/// `vt mcp`, with clients of the Model Context Protocol.
@Suite(.crowded)
struct MCPTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// Sends lines, and returns the messages that the server sends until the end of its input.
    private func answers(_ lines: [String]) async throws -> [[String: Any]] {
        let input = lines.map { $0 + "\n" }.joined()
        let result = try await vt.call(["mcp"]).run(input: Array(input.utf8))
        #expect(result.status == .exited(0), "\(result.errorText)")
        return try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    private static let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#

    private func code(_ answer: [String: Any]) -> Int? { (answer["error"] as? [String: Any])?["code"] as? Int }

    /// In the mode `auto`, the client begins with `server/discover`, in `legacy` with a handshake.
    @Test(arguments: ["auto", "legacy"])
    func `a client of the Python SDK calls every tool`(mode: String) async throws {
        let script = TestTree.support("mcp_client.py")
        let client = ProgramCall(TestTree.python, [script, TestTree.vt, mode], environment: vt.environment)
        let result = try await client.run()
        #expect(result.text == "ok\n", "\(result.errorText)")
    }

    @Test func `a canceled command continues, and a message says where its output starts`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "exec", "s", "echo", "first")
        let server = try vt.start("mcp")
        let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":"#
        try server.input.write(call + #"{"target":"s","line":"echo begun; read x; echo got $x"},"# + Self.meta + "}}\n")
        try await vt.check("sessions", "wait", "s", "--match", "^begun")
        try server.input.write(
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"# + "\n"
        )
        let message = try await server.errors.read(until: "\n")
        let offset = try #require(message.split(separator: " ").last.flatMap { Int($0.dropLast()) }, "\(message)")
        let log = try await vt.check("sessions", "logs", "s", "--from", "\(offset)")
        #expect(log.hasPrefix("begun\r\n"), "\(message)")
        try await vt.check("sessions", "send", "s", "it", "--enter", "--wait", "match=got it")
    }

    @Test func `output is cut at the ends of lines, and the echo of input does not match`() async throws {
        func result(_ tool: String, _ arguments: String) async throws -> [String: Any] {
            let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":""# + tool
            let answers = try await answers([call + #"","arguments":"# + arguments + "," + Self.meta + "}}"])
            let result = try #require(answers.first?["result"] as? [String: Any], "\(answers)")
            return try #require(result["structuredContent"] as? [String: Any])
        }
        try await vt.check("sessions", "create", "s", "--", "bash")
        let run = try await result("run", #"{"target":"s","line":"seq 100000 120000"}"#)
        let lines = try #require(run["output"] as? String).split(separator: "\n")
        #expect(lines.count { $0.count != 6 } == 1 && lines.first == "100000" && lines.last == "120000")
        let gap = try #require(run["gap"] as? [String: Int])
        let rest = #"{"target":"s","from":\#(gap["from"] ?? 0),"max_bytes":20}"#
        #expect(try await result("read", rest)["output"] as? String == "100512\n100513\n")
        try await vt.check("sessions", "create", "py", "--", "python3", "-q")
        try await vt.check("sessions", "wait", "py", "--match", "^>>> ")
        let line = "import time; time.sleep(.3); print('DONE')"
        _ = try await result("send", #"{"target":"py","text":"\#(line)","enter":true}"#)
        #expect(try await result("wait", #"{"target":"py","match":"'?DONE'?"}"#)["line"] as? String == "DONE")
    }

    @Test func `malformed messages get errors, and do not end the server`() async throws {
        let answers = try await answers([
            "nonsense", "[]", #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "",
            #"{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}"#, #"{"jsonrpc":"2.0","method":"notifications/x"}"#,
            #"{"jsonrpc":"2.0","id":"a","method":"ping"}"#, #"{"jsonrpc":"2.0","id":3,"method":"other"}"#,
        ])
        #expect(answers.count { $0["error"] != nil } == 6)
        #expect(Set(answers.compactMap(code)) == [-32700, -32600, -32602, -32601])
        #expect(answers.contains { $0["id"] as? String == "a" && $0["result"] != nil })
    }

    @Test func `a client of an unknown revision is told the supported ones`() async throws {
        let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}"#
        let answers = try await answers([
            #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"# + meta + "}}",
            #"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
        ])
        #expect(answers.map(code) == [-32022, -32022])
        let data = (answers[0]["error"] as? [String: Any])?["data"] as? [String: Any]
        #expect(data?["supported"] as? [String] == ["2026-07-28"])
        #expect(data?["requested"] as? String == "2099-01-01")
    }

    @Test(arguments: 0..<8)
    func `random messages neither end the server nor get anything but answers`(seed: Int) async throws {
        var random = SeededGenerator(spreading: seed)
        let parts = [
            "{", "}", "[", "]", ":", ",", "\"", "\\", "null", "1", "-", "\"jsonrpc\":\"2.0\"", "\"id\":7",
            "\"method\":",
            "\"tools/call\"", "\"initialize\"", "\"params\":{", "\"name\":\"sessions\"", "\"arguments\":{}", Self.meta,
            "\u{FFFD}", "\"notifications/cancelled\"", "\"requestId\":7", "é", "\u{1}",
        ]
        let lines = (0..<300).map { _ in
            (0..<Int.random(in: 1..<12, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        let answers = try await answers(
            lines + [#"{"jsonrpc":"2.0","id":"last","method":"server/discover","params":{"# + Self.meta + "}}"]
        )
        #expect(answers.contains { $0["id"] as? String == "last" && $0["result"] != nil })
    }

    @Test func `a server in a session does not end that session`() async throws {
        let call =
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kill","arguments":{"target":"s"}}}"#
        try await vt.call(["sessions", "create", "s", "--", "cat"]).check()
        let id = try await vt.run("sessions", "show", "s", "--json").json()["id"] as? String ?? ""
        let server = vt.call(["mcp"], environment: ["VT_SESSION": id])
        #expect(try await server.run(input: Array("\(call)\n".utf8)).text.contains("in which this server is running"))
        #expect(try await vt.run("sessions", "show", "s", "--json").json()["state"] as? String == "running")
    }
}
