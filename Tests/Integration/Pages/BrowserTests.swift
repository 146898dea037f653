import TestSupport
import Testing

/// The page of `vt serve` in Chromium.
///
/// Each scenario is a function in browser.py.
@Suite(.crowded)
struct BrowserTests {
    @Test(arguments: [
        "listing", "typing", "pasting", "composing", "key_bar", "fit", "read_only", "revoked", "expired", "once",
        "reconnecting", "renaming", "timeline", "downloading", "hostile", "accessible", "scrolling", "ended", "cells",
        "rows", "foreign_choices", "remembered", "question",
    ])
    func `the page does what it promises`(scenario: String) async throws {
        let vt = try Vt()
        let script = TestTree.support("browser.py")
        let call = ProgramCall(TestTree.python, ["-B", script, TestTree.vt, scenario], environment: vt.environment)
        let result = try await call.run(deadline: .seconds(300))
        #expect(result.text == "ok\n", "\(result.errorText)")
    }

    @Test func `a session on a server is shown across lost connections to the server`() async throws {
        let lab = try await Lab()
        try lab.linkVt()
        let words = ["-B", TestTree.support("browser.py"), TestTree.vt, "on_server"]
        let address = ["\(lab.server.port)", lab.server.user, lab.server.userKeys.path(.ed25519)]
        let call = ProgramCall(TestTree.python, words + address, environment: lab.vt.environment)
        let result = try await call.run(deadline: .seconds(300))
        #expect(result.text == "ok\n", "\(result.errorText)")
    }
}
