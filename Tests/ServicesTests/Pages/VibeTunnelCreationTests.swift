import Core
@testable import Services
import Testing

struct VibeTunnelCreationTests {
    private static func read(_ body: String) throws -> VibeTunnelCreation {
        try VibeTunnelCreation(Array(body.utf8))
    }

    @Test func `a request has a command, and may have a directory, a name and a size`() throws {
        let plain = try Self.read(#"{"command":["/bin/zsh","-l"]}"#)
        #expect(plain.command == ["/bin/zsh", "-l"])
        #expect((plain.name, plain.directory, plain.size) == ("zsh", nil, .standard))
        let full = try Self.read(
            #"{"command":["top"],"workingDir":"~/x","name":"a b","cols":120,"rows":30,"spawn_terminal":true}"#
        )
        #expect((full.name, full.directory) == ("a b", "~/x"))
        #expect(full.size == TerminalSize(columns: 120, rows: 30))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"command":"zsh"}"#, #"{"command":[]}"#, #"{"command":[""]}"#, #"{"command":["a",1]}"#,
        #"{"command":["a"],"cols":80}"#, #"{"command":["a"],"cols":0,"rows":24}"#,
        #"{"command":["a"],"cols":1001,"rows":24}"#, #"{"command":["a"],"cols":"80","rows":24}"#,
    ])
    func `other requests are invalid`(_ body: String) {
        #expect(throws: VibeTunnelRefusal.self) { try Self.read(body) }
    }

    @Test(arguments: [
        ("zsh", 1, "zsh"), ("zsh", 2, "zsh-2"), ("npm test (~/app)", 1, "npm-test-app"), ("", 1, "session"),
        ("…", 3, "session-3"), ("-.x", 1, "x"), ("0123456789ab", 1, "0123456789ab-1"),
        (String(repeating: "x", count: 100), 1000, String(repeating: "x", count: 56) + "-1000"),
    ])
    func `a name is as close as possible to the given one`(_ text: String, _ number: Int, _ name: String) throws {
        #expect(try SessionName(nearestTo: text, number: number).text == name)
    }
}
