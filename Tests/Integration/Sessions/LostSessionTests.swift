import Foundation
import TestSupport
import Testing

/// Sessions whose holders are stopped or dead, or whose programs have ended or do not read input.
@Suite(.crowded)
struct LostSessionTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// Creates a session and returns the process IDs of its holder and its program.
    private func create(_ name: String, _ script: String, _ options: [String] = []) async throws
        -> (holder: pid_t, program: pid_t)
    {
        try await vt.call(["sessions", "create", name] + options + ["--", "sh", "-c", script]).check()
        let session = try await vt.run("sessions", "show", name, "--json").json()
        let id = try #require(session["id"] as? String)
        let record = try Data(contentsOf: URL(fileURLWithPath: "\(vt.stateHome)/sessions/\(id)/session.json"))
        let members = try JSONSerialization.jsonObject(with: record) as? [String: Any]
        let holder = try #require(members?["holder_pid"] as? Int)
        let program = try #require(members?["pid"] as? Int)
        return (pid_t(holder), pid_t(program))
    }

    @Test func `no command waits forever for a stopped holder`() async throws {
        let (holder, _) = try await create("x", "echo up; exec sleep 1000")
        _ = try await vt.check("sessions", "wait", "x", "--match", "up", "--from", "0")
        kill(holder, SIGSTOP)
        let calls: [[String]] = [
            ["sessions", "show", "x"], ["sessions", "send", "x", "a"], ["sessions", "logs", "x", "-f"],
            ["sessions", "wait", "x", "--exit", "--timeout", "20s"], ["sessions", "resize", "x", "90x30"],
            ["attach", "x"],
        ]
        // A holder's accept queue has room for 65 connections; each of these calls leaves one in it.
        let stuck = try (0..<70).map { _ in try vt.start("sessions", "resize", "x", "90x30") }
        let statuses = try await withThrowingTaskGroup(of: (Int, ProgramStatus).self) { group in
            for (index, words) in calls.enumerated() {
                group.addTask { (index, try await vt.call(words).run().status) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(statuses[0] == .exited(0))
        for index in 1..<calls.count { #expect(statuses[index] != .exited(0), "\(calls[index])") }
        for program in stuck { _ = try await program.wait() }
        #expect(try await vt.run("sessions", "kill", "x", "--grace", "200ms").status == .exited(0))
        #expect(try await vt.run("sessions", "show", "x", "--json").json()["state"] as? String == "lost")
        #expect(try await vt.run("sessions", "cleanup", "x").status == .exited(0))
    }

    @Test func `the hint for a lost session that will be removed does not refer to it`() async throws {
        let (holder, program) = try await create("x", "trap '' HUP; echo up; exec sleep 1000", ["--rm"])
        kill(holder, SIGKILL)
        for words in [["sessions", "wait", "x", "--exit"], ["attach", "x"]] {
            let result = try await vt.call(words).run()
            #expect(result.exit == 255)
            let hint = "hint: to keep a session for a while after its end, create it with --keep-for instead of --rm\n"
            #expect(result.errorText.hasSuffix(hint), "\(result.errorText)")
        }
        kill(program, SIGKILL)
    }

    @Test func `a follower detects that the holder has died`() async throws {
        let (holder, program) = try await create("x", "trap '' HUP; echo up; exec sleep 1000")
        let follower = try vt.start("sessions", "logs", "x", "-f")
        let recorder = try vt.start("record", "x", "-f", "-o", "-")
        _ = try await follower.output.read(until: "up")
        _ = try await recorder.output.read(until: "up")
        kill(holder, SIGKILL)
        for reader in [follower, recorder] {
            let errors = await reader.errors.readToEnd()
            #expect(try await reader.wait() == .exited(1))
            #expect(String(decoding: errors, as: UTF8.self).contains("'x' was lost: its holder is gone"))
        }
        #expect(try await vt.run("sessions", "cleanup", "x").status == .exited(75))
        let all = try await vt.run("sessions", "cleanup", "--all")
        #expect(all.status == .exited(0))
        #expect(all.text.isEmpty)
        #expect(all.errorText.contains("'x' was lost, but still has running processes: \(program) sleep"))
        try await vt.check("sessions", "create", "x", "--if-exists", "replace", "--", "true")
        #expect(!ProcessTable.command(program).contains("sleep"))
    }

    @Test func `killing a session that has ended succeeds, but sending it a signal fails`() async throws {
        try await vt.check("sessions", "create", "good", "--", "true")
        try await vt.check("sessions", "create", "bad", "--", "sh", "-c", "exit 3")
        let wait = try await vt.run("sessions", "wait", "good", "bad", "--exit")
        #expect(wait.status == .exited(1))
        #expect(wait.errorText == "vt: 'bad' ended with status 3\n")
        let kill = try await vt.run("sessions", "kill", "good")
        #expect(kill.status == .exited(0))
        #expect(kill.errorText == "vt: 'good' has already ended\n")
        #expect(try await vt.run("sessions", "kill", "good", "--signal", "INT").status == .exited(1))
    }

    @Test func `aborted input does not block other input`() async throws {
        let gate = "\(vt.home)/gate"
        let script = "stty raw -echo; mkfifo \(gate); echo ready; read x <\(gate); cat"
        try await vt.check("sessions", "create", "x", "--", "sh", "-c", script)
        _ = try await vt.check("sessions", "wait", "x", "--match", "ready", "--from", "0")
        let block = [UInt8](repeating: UInt8(ascii: "a"), count: 300_000)
        let call = vt.call(["sessions", "send", "x", "--stdin", "--timeout", "300ms"])
        #expect(try await call.run(input: block).status == .exited(124))
        let other = try vt.start("sessions", "send", "x", "bbb")
        let found = try vt.start("sessions", "wait", "x", "--match", "bbb", "--from", "0")
        try FileHandle(forWritingTo: URL(fileURLWithPath: gate)).write(contentsOf: Data("\n".utf8))
        #expect(try await other.wait() == .exited(0))
        #expect(try await found.wait() == .exited(0))
    }
}
