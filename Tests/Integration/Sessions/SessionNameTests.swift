import Foundation
import TestSupport
import Testing

/// Session names on the command line.
@Suite(.crowded, .sharing)
struct SessionNameTests {
    private static let calls = [
        ["sessions", "kill"], ["sessions", "cleanup"], ["sessions", "show"], ["sessions", "logs"],
        ["sessions", "wait", "--exit"], ["sessions", "screen"], ["sessions", "send", "--enter"],
    ]

    @Test(arguments: calls)
    func `a port is not mistaken for a session`(words: [String]) async throws {
        let vt = try Vt()
        let result = try await vt.call(words + ["u@127.0.0.1:2222"]).run()
        #expect([.exited(64), .exited(255)].contains(result.status))
        #expect(
            result.errorText.contains(
                """
                vt: 'u@127.0.0.1:2222' does not include a session name
                """
            )
        )
        #expect(
            result.errorText.hasSuffix(
                "hint: use u@127.0.0.1:2222:SESSION, or u@127.0.0.1:22:2222 for a session named '2222'\n"
            )
        )
    }

    @Test func `other commands also reject a port in place of a session name`() async throws {
        let vt = try Vt()
        for words in [
            ["sessions", "create", "u@h:2222", "--", "true"], ["sessions", "rename", "u@h:2222", "x"],
            ["sessions", "resize", "u@h:2222", "80x24"], ["record", "u@h:2222", "-o", "-"],
        ] {
            #expect(try await vt.call(words).run().status == .exited(64), "\(words)")
        }
        let attach = try await vt.run("--json", "attach", "u@h:2222")
        #expect(try attach.jsonError()["code"] as? String == "usage")
    }

    @Test func `a session of a profile can be named like a port`() async throws {
        let lab = try await Lab()
        try lab.linkVt()
        try await lab.vt.check("sessions", "create", "p:2222", "--", "true")
        let shown = try await lab.vt.run("sessions", "show", "\(lab.server.user)@p:2222", "--json").json()
        #expect(shown["name"] as? String == "2222")
    }
}
