import Foundation
import TestSupport
import Testing

/// `vt record` with sessions and commands on a server.
@Suite(.crowded, .sharing)
struct RemoteRecordTests {
    private let lab: Lab
    private let scratch: ScratchDirectory
    private var vt: Vt { lab.vt }
    private var file: String { scratch.path("out.cast") }

    init() async throws {
        lab = try await Lab()
        scratch = try ScratchDirectory()
        try lab.linkVt()
        try await lab.meet()
    }

    private func contents() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    @Test(arguments: ["v3", "v2", "raw", "txt"])
    func `a recording of a remote session equals one made on the server`(_ format: String) async throws {
        let script = "printf 'a\\303\\251\\377\\033[31mred\\033[m\\r\\n'; sleep 0.1; seq 3000; exit 3"
        try await vt.check("sessions", "create", "p:build", "--size", "100x30", "--", "sh", "-c", script)
        #expect(try await vt.run("sessions", "wait", "p:build", "--exit").status == .exited(3))
        try await vt.check("record", "p:build", "-o", file, "--format", format, "--title", "it's", "--from", "event:2")
        let there = "vt record build -o - --format \(format) --title \"it's\" --from event:2"
        let result = try await lab.exec("$HOME/.local/bin/\(there)")
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(try contents() == result.text)
        #expect(try contents().count > 10_000)
    }

    @Test func `follows a remote session to its end`() async throws {
        try await vt.check("sessions", "create", "p:slow", "--", "sh", "-c", "read x; echo last; exit 2")
        let recorder = try vt.start("record", "p:slow", "-f", "-o", file)
        #expect(
            try await eventually { try FileManager.default.fileExists(atPath: file) && contents().contains("version") }
        )
        try await vt.check("sessions", "send", "p:slow", "go", "--enter")
        #expect(try await recorder.wait() == .exited(0))
        #expect(try contents().contains("last"))
        #expect(try contents().hasSuffix(#", "x", "2"]"# + "\n"))
    }

    @Test func `records a remote command locally, and removes its session on the server`() async throws {
        let options = ["--profile", "p", "-o", file, "--pass-env", "STAGE*", "--env", "STAGE_B=3"]
        let command = ["--", "sh", "-c", "echo $HOME $STAGE_A $STAGE_B; exit 6"]
        let call = vt.call(["record"] + options + command, environment: ["STAGE_A": "1", "STAGE_B": "2"])
        let result = try await call.run()
        #expect(result.status == .exited(6), "\(result.errorText)")
        #expect(result.text == "\(lab.server.home) 1 3\r\n")
        #expect(try contents().contains(lab.server.home))
        #expect(try await vt.check("sessions", "list", "p", "--json") == "[]\n")
    }

    @Test func `types a script into a remote shell, and adds markers on the server`() async throws {
        try scratch.write("exec cd /usr\nmark there\nexec pwd\nexec exit 3\n", to: "demo.txt")
        let options = ["--profile", "p", "-o", file, "--script", scratch.path("demo.txt"), "--typing-delay", "1ms"]
        let result = try await vt.call(["record"] + options + ["--", "bash"]).run()
        #expect(result.exit == 0, "\(result.errorText)")
        #expect(try contents().contains(#", "m", "there"]"#))
        #expect(try contents().contains(#"/usr\r\n"#))
        try await vt.check("sessions", "create", "p:s", "--", "cat")
        #expect(try await vt.check("sessions", "mark", "p:s", "here") == "0\n")
        #expect(try await vt.check("record", "p:s", "-o", "-").contains(#", "m", "here"]"#))
    }

    @Test func `resumes after lost connections`() async throws {
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("r", port: relay.port)
        try await lab.meet("r")
        let script = "read x; i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo line $i; sleep 0.005; done; exit 4"
        try await vt.check("sessions", "create", "p:build", "--", "sh", "-c", script)
        let recorder = try vt.start("record", "r:build", "-f", "-o", file)
        #expect(
            try await eventually { try FileManager.default.fileExists(atPath: file) && contents().contains("version") }
        )
        try await vt.check("sessions", "send", "p:build", "go", "--enter")
        for line in [50, 150, 250] {
            #expect(try await eventually { try contents().contains("line \(line)") })
            relay.cut()
        }
        #expect(try await recorder.wait() == .exited(0))
        try await vt.check("record", "p:build", "-o", "\(file).whole.cast")
        #expect(try contents() == String(contentsOfFile: "\(file).whole.cast", encoding: .utf8))
    }

    @Test func `exits with the status of the remote vt's error`() async throws {
        #expect(try await vt.run("record", "p:none", "-o", file).status == .exited(66))
        try await vt.check("sessions", "create", "p:done", "--", "true")
        #expect(try await vt.run("record", "p:done", "-o", file, "--input").status == .exited(64))
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
