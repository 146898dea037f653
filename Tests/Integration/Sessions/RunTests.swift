import Foundation
import TestSupport
import Testing

/// `vt sessions run`, on this machine and a server.
@Suite(.crowded)
struct RunTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await .withVt()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted run prints the incomplete last line`(signal: CInt) async throws {
        let line = "printf 'a\\nDownloading 45%%'; sleep 1000"
        let run = try vt.call(["sessions", "run", "s", "--plain", "--", "/bin/sh", "-c", line]).start()
        _ = try await run.output.read(until: "a\n")
        try await vt.check("sessions", "wait", "s", "--match", "45%", "--from", "0")
        run.signal(signal)
        #expect(try await run.wait() == .signalled(signal))
        #expect(String(decoding: await run.output.readToEnd(), as: UTF8.self) == "Downloading 45%")
    }

    @Test(arguments: ["job", "p:job"])
    func `prints the output, and exits with the status of the program`(name: String) async throws {
        let failed = try await vt.run("sessions", "run", name, "--rm", "--", "sh", "-c", "echo out; exit 7")
        #expect(failed.text == "out\r\n")
        #expect(failed.status == .exited(7))
        #expect(try await vt.run("sessions", "show", name).status == .exited(66))
        let killed = try await vt.run("sessions", "run", name, "--", "sh", "-c", "kill -KILL $$")
        #expect(killed.status == .exited(137))
        #expect(try await vt.run("sessions", "show", name).status == .exited(0))
        let missing = try await vt.run("sessions", "run", "\(name)2", "--", "/nonexistent")
        #expect(missing.status == .exited(255))
    }

    @Test(arguments: ["job", "p:job"])
    func `the output can be printed as text, or without escape sequences`(name: String) async throws {
        let line = String(repeating: "x", count: 30)
        let script = "printf '\\033[31mred\\033[0m\\n10%%\\r100%%\\n\(line)'; exit 3"
        let words = ["sessions", "run", name, "--rm", "--size", "20x5"]
        let command = ["--", "sh", "-c", script]
        let plain = try await vt.call(words + ["--plain"] + command).run()
        #expect(plain.text == "red\n100%\n\(line)", "\(plain.errorText)")
        #expect(plain.status == .exited(3))
        let filtered = try await vt.call(words + ["--filter", "strip"] + command).run()
        #expect(filtered.text == "red\r\n10%\r100%\r\n\(line)", "\(filtered.errorText)")
        let events = try await vt.call(words + ["--plain", "--json"] + command).run().jsonLines()
        #expect(events.compactMap { $0["text"] as? String }.joined() == plain.text)
        #expect(events.last?["event"] as? String == "end")
        for options in [["--filter", "strip", "--json"], ["--filter", "strip", "--plain"]] {
            #expect(try await vt.call(words + options + command).run().status == .exited(255))
        }
        #expect(try await vt.run("sessions", "show", name).status == .exited(66))
    }

    @Test(arguments: ["kill", "detach"])
    func `an interrupted vt ends or leaves the session`(what: String) async throws {
        let words = ["sessions", "run", "job", "--on-interrupt", what, "--", "sh", "-c", "echo up; exec sleep 1000"]
        let run = try vt.call(words).start()
        _ = try await run.output.read(until: "up")
        run.signal(SIGINT)
        #expect(try await run.wait() == .signalled(SIGINT))
        let state = try await vt.run("sessions", "show", "job", "--json").json()["state"] as? String
        #expect(state == (what == "kill" ? "exited" : "running"))
        _ = try await vt.run("sessions", "kill", "job")
    }

    @Test(arguments: ["job", "far:job"])
    func `an interrupted vt leaves no session behind, whenever that happens`(name: String) async throws {
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("far", port: relay.port)
        try await lab.meet("far")
        relay.delay(by: .milliseconds(20))
        var random = SeededGenerator(seed: 5)
        for _ in 0..<8 {
            let run = try vt.start("sessions", "run", name, "--rm", "--", "sleep", "1000")
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<400, using: &random)))
            run.signal(SIGINT)
            #expect(try await run.wait() == .signalled(SIGINT))
            #expect(try await vt.check("sessions", "list", "local", "p", "--json") == "[]\n")
        }
    }

    @Test func `the options of 'create' apply`() async throws {
        let words = ["--size", "90x30", "--term", "vt100", "--keep-for", "7d", "--tag", "t", "--log-max", "1M"]
        let script = "stty size; echo $TERM"
        let run = try await vt.call(["sessions", "run", "job"] + words + ["--", "sh", "-c", script]).run()
        #expect(run.text == "30 90\r\nvt100\r\n", "\(run.errorText)")
        #expect(try await vt.run("sessions", "show", "job", "--json").json()["keep_for"] as? Int == 604_800)
        let again = try await vt.run("sessions", "run", "job", "--if-exists", "replace", "--", "echo", "again")
        #expect(again.text == "again\r\n")
        #expect(try await vt.run("sessions", "run", "x", "--rm", "--keep-for", "7d").status == .exited(255))
    }

    @Test func `a reader that closes its pipe does not end the session`() async throws {
        let script = "echo up; read go; seq 100000; read end"
        let run = try vt.start("sessions", "run", "job", "--", "sh", "-c", script)
        _ = try await run.output.read(until: "up")
        run.output.close()
        try await vt.check("sessions", "send", "job", "--enter")
        _ = try await run.wait()
        let state = try await vt.run("sessions", "show", "job", "--json").json()["state"] as? String
        #expect(state == "running")
        _ = try await vt.run("sessions", "kill", "job")
    }
}
