import Core
import Testing

@Suite struct SessionTests {
    static func record() throws -> Session {
        var record = Session(
            id: try #require(SessionID("0123456789ab")),
            name: "build",
            state: .running,
            command: ["sh", "-c", "echo \"a\\b\"\n\u{1b}é"],
            directory: "/srv",
            size: .standard,
            terminalType: "xterm",
            createdAt: Timestamp(seconds: 1_795_250_000),
            host: "h",
            bootID: "b",
            version: "0.1.0"
        )
        record.tags = ["ci"]
        record.outputBytes = 1 << 40
        record.program = SessionProcess(processID: 12, startTicks: 99)
        return record
    }

    @Test(
        arguments: [
            nil, .exited(3), .signalled(SignalName("KILL"), coreDumped: true),
        ] as [Core.ExitStatus?]
    )
    func `a conversion to JSON and back preserves a record`(_ exit: Core.ExitStatus?) throws {
        var record = try Self.record()
        record.exit = exit
        record.keepFor = .seconds(90)
        #expect(try Session(json: record.json, source: "session.json") == record)
    }

    @Test func `rejects a newer schema`() throws {
        let text = String(decoding: try Self.record().json, as: UTF8.self).replacing(
            "\"schema\":1",
            with: "\"schema\":2"
        )
        #expect { try Session(json: Array(text.utf8), source: "p") } throws: { ($0 as? VTError)?.code == .config }
    }

    @Test(arguments: ["", "{", "[]", "{\"schema\":1}"])
    func `rejects a document that is not a record`(_ text: String) {
        #expect { try Session(json: Array(text.utf8), source: "p") } throws: { ($0 as? VTError)?.code == .config }
    }

    @Test(arguments: [
        ("build", nil, "build"), ("web:build", "web", "build"), ("local:build", nil, "build"),
        ("root@web:build", "root@web", "build"), ("a@b.example:22:build", "a@b.example:22", "build"),
        ("a@[::1]:22:build", "a@[::1]:22", "build"), ("ssh://a@b:22/build", "ssh://a@b:22", "build"),
    ])
    func `parses the server and session of a reference`(_ text: String, profile: String?, session: String) throws {
        #expect(try SessionReference(parsing: text) == SessionReference(profile: profile, session: session))
        #expect(try SessionReference(parsing: text).text == (profile == nil ? session : text))
    }

    @Test(arguments: ["", ":a", "web:", ":", "a@b", "ssh://a@b:22", "ssh://a@b:22/", "ssh:///a"])
    func `rejects an incomplete reference`(_ text: String) {
        #expect(throws: VTError.self) { try SessionReference(parsing: text) }
    }

    @Test(arguments: ["", "a/b", "-a", ".a", "a b", "a\n", "0123456789ab", "\u{1b}"])
    func `rejects an invalid name`(_ text: String) {
        #expect(throws: VTError.self) { try SessionName(text) }
    }
}
