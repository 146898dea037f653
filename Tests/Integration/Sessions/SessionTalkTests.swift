import Foundation
import TestSupport
import Testing

/// `vt sessions` on this machine: output, input and waiting.
@Suite(.crowded)
struct SessionTalkTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    @Test func `the same offsets always return the same bytes`() async throws {
        try await vt.create("lines", "seq 1 20000")
        #expect(try await vt.run("sessions", "wait", "lines", "--exit").status == .exited(0))
        let all = try await vt.run("sessions", "logs", "lines").output
        #expect(all == (1...20_000).flatMap { Array("\($0)\r\n".utf8) })
        #expect(try await vt.run("sessions", "logs", "lines", "-f").output == all)
        #expect(try await vt.run("sessions", "logs", "lines", "--from", "100000").output == Array(all[100_000...]))
        #expect(try await vt.check("sessions", "logs", "lines", "--tail", "2") == "19999\r\n20000\r\n")
        #expect(try await vt.check("sessions", "logs", "lines", "--tail", "1", "--plain") == "20000\n")
        #expect(try await vt.run("sessions", "logs", "lines", "--since", "1h").output == all)
        #expect(try await vt.check("sessions", "logs", "lines", "--since", "2999-01-01T00:00:00Z") == "")
        let events = try await vt.run("sessions", "logs", "lines", "--json", "--tail", "1").jsonLines()
        #expect(events.map { $0["event"] as? String } == ["output", "end"])
        #expect(events[0]["offset"] as? Int == all.count - 7)
        #expect(events[0]["text"] as? String == "20000\r\n")
    }

    @Test func `following ends with the session, and exits with its status on request`() async throws {
        try await vt.create("count", "for i in 1 2 3; do echo $i; sleep 0.2; done; exit 5")
        async let second = vt.run("sessions", "logs", "count", "-f")
        let first = try await vt.run("sessions", "logs", "count", "--follow", "--exit-status")
        #expect(first.text == "1\r\n2\r\n3\r\n")
        #expect(first.status == .exited(5))
        #expect(try await second.output == first.output)
        #expect(try await second.status == .exited(0))
        #expect(try await vt.run("sessions", "logs", "count", "--exit-status").status == .exited(5))
        #expect(try await vt.run("sessions", "logs", "nothing", "--exit-status").status == .exited(255))
    }

    @Test func `a log that exceeds its limit keeps its offsets and reports discarded output`() async throws {
        try await vt.create("capped", "yes 0123456789 | head -n 200000; echo end", ["--log-max", "256K"])
        #expect(try await vt.run("sessions", "wait", "capped", "--exit").status == .exited(0))
        let session = try await vt.run("sessions", "show", "capped", "--json").json()
        let first = try #require(session["first_offset"] as? Int)
        let size = try #require(session["output_bytes"] as? Int)
        #expect(size == 200_000 * 12 + 5)
        #expect(size - first <= 1 << 20)
        let logs = try await vt.run("sessions", "logs", "capped", "--from", "7")
        #expect(logs.output.count == size - first)
        #expect(logs.errorText == "vt: output from offset 7 to \(first) is not in the log\n")
        let kept = try await vt.run("sessions", "logs", "capped", "--from", "\(size - 17)")
        #expect(kept.text == "0123456789\r\nend\r\n")
    }

    @Test func `a log reader that pauses loses no output`() async throws {
        try await vt.create("flood", "head -c 30000000 /dev/zero | tr '\\0' x")
        let reader = try vt.start("sessions", "logs", "flood", "-f")
        #expect(try await vt.run("sessions", "wait", "flood", "--exit").status == .exited(0))
        let output = await reader.output.readToEnd()
        #expect(output.count == 30_000_000)
        #expect(try await reader.wait() == .exited(0))
    }

    @Test func `waiting from the offset of sent input ignores earlier output`() async throws {
        try await vt.create("echo", "stty -echo; echo ready; while read line; do sleep 0.2; echo \"got $line\"; done")
        let ready = try await vt.run("sessions", "wait", "echo", "--match", "^ready", "--from", "0", "--json").json()
        #expect(ready["match"] as? String == "ready")
        for word in ["one", "two"] {
            let offset = String(try await vt.check("sessions", "send", "echo", word, "--enter").dropLast())
            let found = try await vt.call(
                ["sessions", "wait", "echo", "--match", "got .*", "--from", offset, "--timeout", "20s", "--json"]
            ).run().json()
            #expect(found["line"] as? String == "got \(word)")
        }
        let none = try await vt.run("sessions", "wait", "echo", "--match", "got one", "--timeout", "100ms")
        #expect(none.status == .exited(124))
        let end = try vt.start("sessions", "wait", "echo", "--match", "never")
        _ = try await vt.check("sessions", "send", "echo", "--key", "C-d")
        #expect(try await end.wait() == .exited(1))
    }

    @Test func `waits for a prompt on an incomplete line, and for a pause in the output`() async throws {
        try await vt.create("prompt", "printf '\\033[1mlogin\\033[0m: '; read name; echo \"hello $name\"; sleep 1000")
        let found = try await vt.run("sessions", "wait", "prompt", "--match", "login: $", "--from", "0")
        #expect(found.text == "15 login: \n")
        let offset = String(try await vt.check("sessions", "send", "prompt", "ann", "--enter").dropLast())
        _ = try await vt.check("sessions", "wait", "prompt", "--match", "hello ann", "--from", offset)
        let idle = try await vt.run("sessions", "wait", "prompt", "--idle", "100ms", "--timeout", "20s")
        #expect(idle.text == "31\n")
    }

    @Test func `rejects the whole of a line that the terminal would truncate`() async throws {
        try await vt.create("lines", "cat >\(vt.home)/got; sync")
        let long = [UInt8](repeating: 0x61, count: 5000)
        let result = try await vt.run("sessions", "send", "lines", "--stdin", input: long)
        #expect(result.status == .exited(65))
        _ = try await vt.check("sessions", "send", "lines", "short", "--enter")
        _ = try await vt.check("sessions", "send", "lines", "--key", "C-d")
        #expect(try await vt.run("sessions", "wait", "lines", "--exit").status == .exited(0))
        #expect(try String(contentsOfFile: "\(vt.home)/got", encoding: .utf8) == "short\n")
    }

    @Test func `keys are encoded for the modes that the program has set`() async throws {
        let script = "stty -icanon -echo; printf '\\033[?1hup'; head -c 6 | od -An -c"
        try await vt.create("keys", script)
        _ = try await vt.check("sessions", "wait", "keys", "--match", "up", "--from", "0")
        try await vt.check("sessions", "send", "keys", "--key", "Up", "--key", "F1")
        #expect(try await vt.run("sessions", "wait", "keys", "--exit").status == .exited(0))
        #expect(try await vt.check("sessions", "logs", "keys", "--plain") == "up 033   O   A 033   O   P\n")
    }

    @Test func `binary input arrives unchanged`() async throws {
        let bytes = noise(1_300_000)
        try await vt.create("raw", "stty raw -echo; echo ready; head -c \(bytes.count) >\(vt.home)/got")
        _ = try await vt.check("sessions", "wait", "raw", "--match", "ready", "--from", "0")
        #expect(try await vt.run("sessions", "send", "raw", "--stdin", input: bytes).status == .exited(0))
        #expect(try await vt.run("sessions", "wait", "raw", "--exit").status == .exited(0))
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(vt.home)/got")) == Data(bytes))
    }

    @Test func `resizes and renames a running session`() async throws {
        try await vt.create("old", "trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done")
        _ = try await vt.check("sessions", "wait", "old", "--match", "24 80", "--from", "0")
        try await vt.check("sessions", "resize", "old", "132x43")
        _ = try await vt.check("sessions", "wait", "old", "--match", "43 132", "--from", "0")
        try await vt.check("sessions", "rename", "old", "new")
        #expect(try await vt.run("sessions", "show", "old").status == .exited(66))
        let session = try await vt.run("sessions", "show", "new", "--json").json()
        #expect(session["size"] as? [String: Int] == ["columns": 132, "rows": 43])
        #expect(try await vt.check("complete", "sessions", "n") == "new\n")
        try await vt.check("sessions", "kill", "new")
        #expect(try await vt.run("sessions", "send", "new", "x").status == .exited(1))
    }

    @Test func `waits for several sessions at once`() async throws {
        try await vt.create("a", "exit 0")
        try await vt.create("b", "sleep 0.2; exit 3")
        #expect(try await vt.run("sessions", "wait", "a", "b", "--exit").status == .exited(1))
        let lines = try await vt.run("sessions", "wait", "a", "b", "--exit", "--json").jsonLines()
        #expect(lines.map { $0["name"] as? String } == ["a", "b"])
        #expect(try await vt.run("sessions", "wait", "a", "gone", "--exit").status == .exited(255))
        #expect(try await vt.run("sessions", "wait", "a").status == .exited(64))
    }

    @Test func `an error in one session does not affect the others`() async throws {
        for name in ["a", "b"] { try await vt.create(name, "exec sleep 1000") }
        let kill = try await vt.run("sessions", "kill", "a", "gone", "b", "nowhere", "--json")
        #expect(kill.status == .exited(66))
        let errors = kill.errorText.split(separator: "\n").map {
            $0.contains(/"message": ?"no such session: '(gone|nowhere)'"/)
        }
        #expect(errors == [true, true], "\(kill.errorText)")
        let text = try await vt.run("sessions", "kill", "gone", "nowhere")
        #expect(text.status == .exited(66))
        #expect(text.errorText.hasPrefix("vt: no such session: 'gone'\nvt: no such session: 'nowhere'\n"))
        let wait = try await vt.run("sessions", "wait", "a", "gone", "b", "--exit", "--json")
        #expect(wait.status == .exited(255))
        #expect(try wait.jsonLines().map { $0["name"] as? String } == ["a", "b"])
    }

    @Test func `an SSH agent is reachable through a link in the session's directory`() async throws {
        let call = vt.call(
            ["sessions", "create", "agent", "--", "sh", "-c", "echo $SSH_AUTH_SOCK; readlink $SSH_AUTH_SOCK"],
            environment: ["SSH_AUTH_SOCK": "/run/agent.sock"]
        )
        let id = String(try await call.check().dropLast())
        _ = try await vt.run("sessions", "wait", id, "--exit")
        let text = try await vt.check("sessions", "logs", id, "--plain")
        #expect(text == "\(vt.stateHome)/sessions/\(id)/agent\n/run/agent.sock\n")
    }

    @Test func `sessions logs ends when its reader exits, and fails if the disk is full`() async throws {
        try await vt.create("lines", "seq 1 50000")
        _ = try await vt.check("sessions", "wait", "lines", "--exit")
        let head = try await vt.bash("vt sessions logs lines | head -n 1; echo ${PIPESTATUS[0]}")
        #expect(head.text == "1\r\n141\n")
        #expect(head.errorText == "")
        let full = try await vt.bash("vt sessions logs lines --json >/dev/full")
        #expect(full.exit == 74)
    }

    @Test func `a watched list prints one line per update`() async throws {
        try await vt.create("one", "exec sleep 1000", ["--tag", "x"])
        try await vt.create("two", "exec sleep 1000")
        let watch = try vt.start("sessions", "list", "--watch", "100ms", "--tag", "x", "--json")
        _ = try await watch.output.read(until: "]\n")
        _ = try await watch.output.read(until: "]\n")
        watch.signal(SIGINT)
        #expect(try await watch.wait() == .signalled(SIGINT))
        #expect(try await vt.check("sessions", "list", "--state", "exited").hasPrefix("NAME"))
    }
}
