import Foundation
import TestSupport
import Testing

/// Sessions whose holders are stopped, so that their state is not fully known.
@Suite(.crowded)
struct StoppedHolderTests {
    private let vt: Vt
    private let holder: pid_t

    init() async throws {
        vt = try Vt()
        try await vt.check("sessions", "create", "x", "--", "sh", "-c", "echo up; exec sleep 60")
        _ = try await vt.check("sessions", "wait", "x", "--match", "up", "--from", "0")
        let id = try #require(try await vt.run("sessions", "show", "x", "--json").json()["id"] as? String)
        let record = try Data(contentsOf: URL(fileURLWithPath: "\(vt.stateHome)/sessions/\(id)/session.json"))
        let members = try JSONSerialization.jsonObject(with: record) as? [String: Any]
        holder = pid_t(try #require(members?["holder_pid"] as? Int))
        kill(holder, SIGSTOP)
    }

    @Test func `a recording that follows writes what is logged and then fails`() async throws {
        let result = try await vt.run("record", "x", "-f", "-o", "-", "--format", "raw")
        #expect(result.status == .exited(76))
        #expect(result.text == "up\r\n")
        #expect(
            result.errorText == """
                vt: the holder of 'x' did not answer within 2s
                hint: vt sessions kill x

                """
        )
        let file = "\(vt.home)/x.cast"
        #expect(try await vt.run("record", "x", "-f", "-o", file).status == .exited(76))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("up"))
    }

    @Test(arguments: [["--idle", "100ms"], ["--match", "down"], ["--prompt"]])
    func `a wait reports that the holder does not respond`(condition: [String]) async throws {
        let result = try await vt.call(["sessions", "wait", "x"] + condition).run()
        #expect(result.status == .exited(76))
        #expect(result.text == "")
        #expect(result.errorText.hasPrefix("vt: the holder of 'x' did not answer within 2s\n"))
    }
}
