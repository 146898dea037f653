import Foundation
import TestSupport
import Testing

/// `vt record` with local sessions.
@Suite(.crowded)
struct RecordTests {
    private let vt: Vt
    private let scratch: ScratchDirectory
    private var file: String { scratch.path("out.cast") }

    init() throws {
        vt = try Vt()
        scratch = try ScratchDirectory()
    }

    private func contents() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    private func events(_ text: String) throws -> [(code: String, data: String)] {
        try text.split(separator: "\n").dropFirst().map { line in
            let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
            return (try #require(event[1] as? String), try #require(event[2] as? String))
        }
    }

    /// The program's output in a recording.
    private func output(_ text: String) throws -> String {
        try events(text).filter { $0.code == "o" }.map(\.data).joined()
    }

    @Test func `a recording contains the markers of its session`() async throws {
        try await vt.check("sessions", "create", "s", "--", "cat")
        #expect(try await vt.check("sessions", "mark", "s") == "0\n")
        try await vt.check("sessions", "send", "s", "one", "--enter")
        try await vt.check("sessions", "wait", "s", "--match", "one.*", "--from", "5")
        let marked = try await vt.run("--json", "sessions", "mark", "s", "half way").json()
        #expect((8...10).contains(try #require(marked["offset"] as? Int)))
        #expect(marked["label"] as? String == "half way")
        try await vt.check("sessions", "send", "s", "two", "--key", "C-j", "--key", "C-d")
        try await vt.check("sessions", "wait", "s", "--exit")
        let ended = try await vt.run("sessions", "mark", "s", "late")
        #expect(ended.exit == 1)
        #expect(ended.errorText.hasPrefix("vt: 's' has ended\n"))
        #expect(try await vt.run("sessions", "mark", "s", "a\nb").exit == 64)
        let lines = try await vt.check("record", "s", "-o", "-").split(separator: "\n")
        let markers = lines.indices.filter { lines[$0].contains(#", "m", "#) }
        #expect(markers.map { lines[$0].drop { $0 != " " } } == [#" "m", ""]"#, #" "m", "half way"]"#])
        #expect(markers.first == 1)
        let output = try #require(lines.firstIndex { $0.contains("two") })
        #expect(markers.last ?? output < output)
        let part = try await vt.check("record", "s", "-o", "-", "--from", "marker:half way")
        #expect(part.contains(#"two\r\n"#))
    }

    @Test func `records a running session and a session that has ended`() async throws {
        try await vt.create("build", "echo one; read line; echo \"got $line\"; exit 4")
        try await vt.check("sessions", "wait", "build", "--match", "one", "--from", "0")
        let early = try await vt.check("record", "build", "-o", "-")
        #expect(try events(early).map(\.code) == ["o"])
        try await vt.check("sessions", "send", "build", "two", "--enter")
        #expect(try await vt.run("sessions", "wait", "build", "--exit").status == .exited(4))
        #expect(try await vt.check("record", "build", "-o", file) == "\(file)\n")
        #expect(try output(contents()) == "one\r\ntwo\r\ngot two\r\n")
        #expect(try events(contents()).last?.data == "4")
        #expect(try contents().hasPrefix(early))
        #expect(try await vt.check("record", "build", "--follow", "-o", "-") == contents())
    }

    @Test func `records fast output completely while it is written`() async throws {
        try await vt.create(
            "fast",
            "stty -echo -onlcr; echo ready; read x; seq -f 'line %.0f' 400000",
            ["--log-max", "1G"]
        )
        // Until then, the terminal might echo the input.
        try await vt.check("sessions", "wait", "fast", "--match", "ready")
        let recorder = try vt.start("record", "fast", "-f", "-o", file)
        #expect(await eventually { FileManager.default.fileExists(atPath: file) })
        try await vt.check("sessions", "send", "fast", "go", "--enter")
        #expect(try await recorder.wait() == .exited(0))
        let lines = try output(contents()).split(separator: "\n").dropFirst()
        #expect(lines.count == 400_000)
        #expect(lines.enumerated().allSatisfy { $1 == "line \($0 + 1)" })
        #expect(try await vt.check("record", "fast", "-o", "-") == contents())
    }

    @Test func `a killed recorder leaves a readable recording`() async throws {
        try await vt.create("steady", "while :; do echo tick; sleep 0.01; done")
        let recorder = try vt.start("record", "steady", "-f", "-o", file)
        #expect(try await eventually { try FileManager.default.fileExists(atPath: file) && contents().count > 2000 })
        recorder.kill()
        _ = try await recorder.wait()
        #expect(try output(contents()).split(separator: "\r\n").allSatisfy { $0 == "tick" })
        try await vt.check("record", "steady", "-o", file, "--append", "--to", "0.2")
        #expect(try events(contents()).contains { $0.code == "r" })
        try await vt.check("sessions", "kill", "steady")
    }

    @Test func `an interrupted recorder keeps the output recorded so far`() async throws {
        try await vt.create("idle", "echo here; exec sleep 1000")
        let recorder = try vt.start("record", "idle", "-f", "-o", file)
        #expect(
            try await eventually { try FileManager.default.fileExists(atPath: file) && contents().contains("here\\r") }
        )
        recorder.signal(SIGINT)
        #expect(try await recorder.wait() == .signalled(SIGINT))
        #expect(try output(contents()) == "here\r\n")
        #expect(try await vt.run("sessions", "show", "idle", "--json").json()["state"] as? String == "running")
        try await vt.check("sessions", "kill", "idle")
    }

    @Test func `a failed recording leaves no file`() async throws {
        try await vt.create("done", "echo x")
        let result = try await vt.run("record", "done", "-o", file, "--from", "marker:none")
        #expect(result.status == .exited(66))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("")).isEmpty)
    }

    @Test func `records a session to its end even if it is removed during the recording`() async throws {
        try await vt.create("brief", "read line; echo last; exit 5")
        let recorder = try vt.start("record", "brief", "-f", "-o", file)
        #expect(await eventually { FileManager.default.fileExists(atPath: file) })
        let line = "vt sessions send brief x --enter; vt sessions wait brief --exit; vt sessions cleanup brief"
        _ = try await vt.bash(line)
        #expect(try await recorder.wait() == .exited(0))
        #expect(try events(contents()).last.map { $0 == ("x", "5") } == true)
        #expect(try output(contents()).hasSuffix("last\r\n"))
    }
}
