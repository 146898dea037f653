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
        try await vt.check("sessions", "create", "x", "--", "sh", "-c", "echo up; exec sleep 1000")
        _ = try await vt.check("sessions", "wait", "x", "--match", "up", "--from", "0")
        let id = try #require(try await vt.run("sessions", "show", "x", "--json").json()["id"] as? String)
        let record = try Data(contentsOf: URL(fileURLWithPath: "\(vt.stateHome)/sessions/\(id)/session.json"))
        let members = try JSONSerialization.jsonObject(with: record) as? [String: Any]
        holder = pid_t(try #require(members?["holder_pid"] as? Int))
        kill(holder, SIGSTOP)
    }

    @Test func `record with --follow writes the logged output and then fails`() async throws {
        let result = try await vt.run("record", "x", "-f", "-o", "-", "--format", "raw")
        #expect(result.status == .exited(76))
        #expect(result.text == "up\r\n")
        #expect(
            result.errorText == """
                vt: the holder of 'x' did not answer within 2s
                hint: to end the session, use 'vt sessions kill x'

                """
        )
        let file = "\(vt.home)/x.cast"
        #expect(try await vt.run("record", "x", "-f", "-o", file).status == .exited(76))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("up"))
    }

    @Test func `local and remote followers fail if the holder is stopped later`() async throws {
        kill(holder, SIGCONT)
        let lab = try await Lab()
        try lab.linkVt()
        try await lab.vt.check("sessions", "create", "p:x", "--", "sh", "-c", "echo up; exec sleep 1000")
        let followers = [["sessions", "logs", "x", "-f"], ["record", "x", "-f", "-o", "-"]]
        let local = try followers.map { try vt.call($0).start() }
        let remote = try followers.map { words in
            try lab.vt.call(words.map { $0 == "x" ? "p:x" : $0 }).start()
        }
        for follower in local + remote { _ = try await follower.output.read(until: "up") }
        let text = try await lab.exec("cat $HOME/.local/state/vt/sessions/*/session.json").text
        let members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        for holder in [holder, pid_t(try #require(members?["holder_pid"] as? Int))] { kill(holder, SIGSTOP) }
        for follower in local + remote {
            let errors = String(decoding: await follower.errors.readToEnd(), as: UTF8.self)
            #expect(try await follower.wait() == .exited(76))
            #expect(errors.contains(": the holder of 'x' did not answer within 10s\nhint: "), "\(errors)")
        }
        _ = try await lab.vt.check("sessions", "kill", "p:x", "--grace", "200ms")
    }

    @Test(arguments: [["--idle", "100ms"], ["--match", "down"], ["--prompt"]])
    func `sessions wait reports that the holder does not respond`(condition: [String]) async throws {
        let result = try await vt.call(["sessions", "wait", "x"] + condition).run()
        #expect(result.status == .exited(76))
        #expect(result.text == "")
        #expect(result.errorText.hasPrefix("vt: the holder of 'x' did not answer within 2s\n"))
    }
}
