import Foundation
import TestSupport
import Testing

/// What clients receive when a session ends, and the state of a session that has just been killed.
@Suite(.crowded, .sharing)
struct SessionEndTests {
    @Test func `a killed session can be cleaned up immediately`() async throws {
        let vt = try Vt()
        let rounds = """
            for i in 1 2 3 4 5 6 7 8; do
                vt -q sessions create k -- cat && vt sessions kill k && vt sessions cleanup k || exit 1
            done
            """
        let result = try await vt.bash("\(rounds) >/dev/null")
        #expect(result.status == .exited(0))
        #expect(result.errorText == "")
    }

    @Test(arguments: ["x", "p:x"])
    func `a client that reads after the holder has exited receives all output`(_ session: String) async throws {
        let lab = try await Lab()
        try lab.linkVt()
        let script = "stty -opost -echo; echo $PPID up; read go; seq 1000000; echo end; exit 3"
        try await lab.vt.check("sessions", "create", session, "--", "sh", "-c", script)
        try await lab.vt.check("sessions", "wait", session, "--match", "up", "--from", "0")
        let text = try await lab.vt.check("sessions", "logs", session)
        let holder = try #require(pid_t(text.prefix { $0 != " " }))
        let client = try lab.vt.start("attach", session, "--no-reconnect")
        try client.input.write("go\n")
        #expect(await eventually { kill(holder, 0) != 0 })
        let output = await client.output.readToEnd()
        #expect(String(decoding: output.suffix(12), as: UTF8.self) == "1000000\nend\n")
        #expect(output.count == 6_888_900)
        #expect(try await client.wait() == .exited(3))
        #expect(await client.errors.readToEnd().isEmpty)
    }
}
