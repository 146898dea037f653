import Foundation
import TestSupport
import Testing

/// `vt sessions wait` with several conditions and sessions, on this machine and a server.
@Suite(.crowded)
struct WaitTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await .withVt()
    }

    @Test(arguments: ["build", "p:build"])
    func `ends with the first of several conditions, and says which`(session: String) async throws {
        try await vt.create(session, "echo OK; read line; echo error: 7; read line; exit 5")
        let conditions = ["--match", "OK", "--fail-match", "error:", "--exit", "--timeout", "60s"]
        let ok = try await vt.call(["sessions", "wait", session, "--from", "0"] + conditions).run()
        #expect(ok.text == "match 2 OK\n")
        #expect(ok.status == .exited(0))
        try await vt.check("sessions", "send", session, "--enter")
        let failed = try await vt.call(["sessions", "wait", session, "--json"] + conditions).run()
        let result = try failed.json()
        #expect(failed.status == .exited(1))
        #expect(result["condition"] as? String == "fail-match")
        #expect(result["expression"] as? String == "error:")
        #expect(result["line"] as? String == "error: 7")
        try await vt.check("sessions", "send", session, "--enter")
        let ended = try await vt.call(["sessions", "wait", session] + conditions).run()
        #expect(ended.text.hasPrefix("exit "))
        #expect(ended.text.hasSuffix(" exited 5\n"))
        #expect(ended.status == .exited(5))
    }

    @Test func `waits for one or all of several sessions, local and remote`() async throws {
        try await vt.create("near", "read line; exit 3")
        try await vt.create("p:far", "echo ready; read line; exit 4")
        let words = ["sessions", "wait", "near", "p:far", "--timeout", "60s"]
        let ready = try await vt.call(words + ["--any", "--match", "ready"]).run()
        #expect(ready.text == "p:far: 5 ready\n")
        #expect(ready.status == .exited(0))
        try await vt.check("sessions", "send", "near", "--enter")
        let near = try await vt.call(words + ["--any", "--exit"]).run()
        #expect(near.text.hasPrefix("near: exit "))
        #expect(near.status == .exited(3))
        try await vt.check("sessions", "send", "p:far", "--enter")
        let all = try await vt.call(words + ["--all", "--exit", "--idle", "60s"]).run()
        #expect(all.text.split(separator: "\n").map { $0.prefix(10) } == ["near: exit", "p:far: exi"])
        #expect(all.status == .exited(1))
        let none = try await vt.call(words + ["--any", "--match", "never"]).run()
        #expect(none.status == .exited(1))
        #expect(none.errorText.contains("'near'") && none.errorText.contains("far"))
    }

    @Test(arguments: ["lines", "p:lines"])
    func `logs end before an offset, also while they follow`(session: String) async throws {
        try await vt.create(session, "echo 1234; echo 5678; read line")
        try await vt.check("sessions", "wait", session, "--match", "5678", "--from", "0")
        for words in [["--from", "2", "--to", "8", "-f"], ["--from", "2", "--to", "8"]] {
            #expect(try await vt.call(["sessions", "logs", session] + words).check() == "34\r\n56")
        }
        #expect(try await vt.check("sessions", "logs", session, "--to", "0") == "")
        #expect(try await vt.check("sessions", "logs", session, "--plain", "--to", "5") == "1234")
    }

    @Test(arguments: ["show", "p:show"])
    func `reports a screen that does not change`(session: String) async throws {
        try await vt.create(session, "stty -echo; printf one; read line; printf two; read line")
        try await vt.check("sessions", "wait", session, "--match", "one", "--from", "0")
        let words = ["sessions", "screen", session, "--wait-change"]
        #expect(try await vt.call(words + ["--timeout", "100ms"]).run().status == .exited(124))
        for _ in 0..<2 { try await vt.check("sessions", "send", session, "--enter") }
        #expect(try await vt.run("sessions", "wait", session, "--exit").status == .exited(0))
        #expect(try await vt.call(words).run().status == .exited(1))
    }

    @Test(arguments: ["count", "p:count"])
    func `prints the first screen that differs`(session: String) async throws {
        try await vt.create(session, "i=0; while :; do i=$((i+1)); printf \"\\r$i\"; sleep 0.01; done")
        let words = ["sessions", "screen", session]
        var last = 0
        for _ in 0..<5 {
            let screen = try await vt.call(words + ["--wait-change", "--timeout", "60s"]).check()
            let number = try #require(Int(screen.filter(\.isNumber)))
            #expect(number > last)
            last = number
        }
    }

    @Test func `a condition is required, and failures alone are none`() async throws {
        for words in [["--fail-match", "x"], [], ["--exit", "--from", "0"], ["--exit", "-i"]] {
            let result = try await vt.call(["sessions", "wait", "x"] + words).run()
            #expect(result.status == .exited(words.contains("--exit") ? 255 : 64), "\(result.errorText)")
        }
    }
}
