import Core
import Testing

@testable import VibeTunnel

struct ServerSessionTests {
    private func session(_ json: String) throws -> ServerSession? {
        let bytes = Array(json.utf8)
        return ServerSession(try JSONOutlineParser.parse(bytes), in: bytes)
    }

    @Test func `a session of the Go server`() throws {
        let session = try #require(
            try session(
                #"{"id":"8e9ad76c-0d3b","command":"bash --norc","workingDir":"/tmp","name":"work","status":"exited","#
                    + #""startedAt":"2026-11-23T22:23:37.554092466Z","lastModified":"2026-11-23T22:23:45Z","pid":6887}"#
            )
        )
        #expect(session.id.text == "8e9ad76c-0d3b" && session.name == "work" && session.directory == "/tmp")
        #expect(session.command == ["bash", "--norc"] && session.processID == 6887)
        #expect(session.hasEnded && session.exitCode == nil)
        #expect(session.startedAt == Timestamp(rawValue: "2026-11-23T22:23:37Z"))
    }

    @Test func `a session of a later server, with fields that vt does not know`() throws {
        let json =
            #"{"id":"fwd_1","command":["a b","c"],"name":"n","status":"waiting","exitCode":null,"initialCols":100,"#
            + #""initialRows":30,"gitBranch":"main","activityStatus":{"isActive":true},"note":"\u001b[2J"}"#
        let session = try #require(try session(json))
        #expect(session.command == ["a b", "c"] && session.status == .other("waiting") && !session.hasEnded)
        #expect(session.size == TerminalSize(columns: 100, rows: 30) && session.startedAt == nil)
        #expect(session.json.json == Array(json.utf8))
    }

    @Test func `the session of the first servers`() throws {
        let session = try #require(
            try session(
                #"{"session_id":"a","cmdline":["sh"],"cwd":"/","exit_code":3,"started_at":"2025-06-20T10:00:00+02:00"}"#
            )
        )
        #expect(session.name == "sh" && session.directory == "/" && session.hasEnded && session.exitCode == 3)
        #expect(session.startedAt == Timestamp(rawValue: "2025-06-20T08:00:00Z"))
    }

    @Test(arguments: [#"{}"#, #"{"id":7}"#, #"{"id":""}"#, #"{"id":"../a"}"#, #"{"id":"a/b"}"#, "[]", "3"])
    func `a value without a usable ID is not a session`(_ json: String) throws {
        #expect(try session(json) == nil)
    }

    @Test(arguments: [
        ("2026-11-23T22:23:37Z", "2026-11-23T22:23:37Z"), ("2026-11-23T22:23:37.1Z", "2026-11-23T22:23:37Z"),
        ("2026-11-23T22:23:37.554092466Z", "2026-11-23T22:23:37Z"),
        ("2026-11-23T22:23:37.554092-05:30", "2026-11-24T03:53:37Z"),
        ("2026-11-23T22:23:37+0200", "2026-11-23T20:23:37Z"),
    ])
    func `times have any number of fractional digits, and offsets`(_ text: String, _ time: String) {
        #expect(Timestamp(ofServer: text)?.rawValue == time)
    }

    @Test(arguments: [
        "", "2026-11-23", "2026-11-23T22:23:37", "2026-11-23T22:23:37.5", "2026-11-23T22:23:37+2",
        "yesterday, at noon!!",
    ])
    func `other texts are not times`(_ text: String) {
        #expect(Timestamp(ofServer: text) == nil)
    }
}
