import Foundation
import TestSupport
import Testing

/// `vt serve` and `vt share`, with raw requests and a client that is not a browser.
@Suite(.crowded)
struct PageTests {
    @Test(arguments: [
        "requests", "heads", "frames", "logins", "roles", "links", "clients", "answers", "equality", "history", "flood",
        "timeline",
    ])
    func `pages of a shell`(_ name: String) async throws {
        let lab = try await PageLab()
        let result = try await lab.run(name)
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
        let (events, errors) = await (lab.server.output.readToEnd(), lab.server.errors.readToEnd())
        #expect(!String(decoding: events + errors, as: UTF8.self).contains(lab.token))
    }

    @Test func `input arrives once and in order across cut connections`() async throws {
        let lab = try await PageLab(sessions: ["cat": ["sh", "-c", "stty -echo; exec cat"]])
        let result = try await lab.run("input")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
    }

    @Test func `a page shows a recording at any time`() async throws {
        let files = try ScratchDirectory()
        let events = [
            #"{"version":3,"term":{"cols":80,"rows":24}}"#, #"[1,"o","one"]"#, #"[0.5,"m","mark"]"#,
            #"[0.5,"r","100x30"]"#, #"[0,"o","two"]"#,
        ]
        let path = try files.write(events.joined(separator: "\n") + "\n", to: "demo.cast")
        let lab = try await PageLab(path, sessions: [:])
        let result = try await lab.run("recording")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
    }

    @Test func `a page shows how a program ended`() async throws {
        let lab = try await PageLab(sessions: ["short": ["sh"]])
        let result = try await lab.run("ended")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
    }

    @Test func `another address must be allowed, and the server must be running`() async throws {
        let vt = try Vt()
        for words in [["192.0.2.1:0"], ["0.0.0.0:0", "--plain-http"]] {
            let refused = try await vt.call(["serve", "--listen"] + words).run()
            #expect(refused.status == .exited(64))
        }
        let missing = try await vt.run("share", "shell", "--json")
        #expect(missing.status == .exited(66))
        #expect(missing.errorText.contains(#""hint":"vt serve""#))
    }
}
