import Foundation
import Synchronization
import TestSupport
import Testing

/// Sessions of servers that repeat, omit, delay and interrupt what they send.
struct VibeTunnelFaultTests {
    typealias Era = VibeTunnelDouble.Era
    typealias Lab = VibeTunnelLab

    @Test(arguments: [Era.legacy, .v3])
    func `output that is in the history and arrives again is printed once`(_ era: Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.overlap = 4 })
        let session = lab.server.add("s")
        let lines = (1...20).map { "this is line \($0)\r\n" }
        for line in lines { session.emit(line) }
        session.end(0)
        let result = try await lab.run("sessions", "logs", "mac:s")
        #expect(result.text == lines.joined(), "\(result.errorText)")
    }

    @Test(arguments: Era.allCases)
    func `each byte is printed once over cut connections`(_ era: Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.cutsStreams = true })
        let session = lab.server.add("s")
        let lines = (1...50).map { "line \($0)\r\n" }
        for line in lines { session.emit(line) }
        session.end(7)
        let result = try await lab.run("sessions", "logs", "mac:s", "--follow")
        #expect(result.text == lines.joined(), "\(result.errorText)")
        #expect(session.streamCount >= 50)
        #expect(try await lab.run("sessions", "wait", "mac:s", "--exit").exit == 7)
    }

    @Test(arguments: [Era.legacy, .v3])
    func `an attached client continues over cut connections`(_ era: Era) async throws {
        let lab = try await Lab(era)
        let session = lab.server.add("s")
        let client = try lab.vt.start("attach", "mac:s", "--read-only")
        try await waitUntilAttached(client, to: session)
        var received = ""
        for number in 1...50 {
            session.emit("line \(number)\r\n")
            if number % 2 == 0 { received += try await client.output.read(until: "line \(number)\r\n") }
            let streams = session.streamCount
            lab.server.cut()
            #expect(await eventually { session.streamCount > streams })
        }
        session.emit("end\r\n")
        session.end(0)
        received += String(decoding: await client.output.readToEnd(), as: UTF8.self)
        #expect(received == (1...50).map { "line \($0)\r\n" }.joined() + "end\r\n")
        #expect(try await client.wait(deadline: .seconds(60)) == .exited(0))
    }

    @Test(arguments: [Era.legacy, .v3])
    func `a reader that is slower than the server gets all output`(_ era: Era) async throws {
        let lab = try await Lab(era)
        let session = lab.server.add("s")
        let client = try lab.vt.start("attach", "mac:s", "--read-only")
        #expect(await eventually { session.streamCount > 0 })
        try await waitUntilAttached(client, to: session)
        let line = String(repeating: "x", count: 65_534) + "\r\n"
        let count = 320
        for number in 1...count { session.emit("\(number) \(line)") }
        session.end(3)
        // The server reports the end while output is still being held back.
        try await Task.sleep(for: .seconds(8))
        let received = String(decoding: await client.output.readToEnd(), as: UTF8.self)
        #expect(received.hasSuffix("\(count) \(line)") && received.contains("\n\(count / 2) x"))
        #expect(try await client.wait(deadline: .seconds(60)) == .exited(3))
    }

    /// Emits lines until the client prints one: what is written before it has attached is not printed.
    private func waitUntilAttached(_ client: RunningProgram, to session: VibeTunnelDoubleSession) async throws {
        let isAttached = Mutex(false)
        let reader = Task {
            defer { isAttached.withLock { $0 = true } }
            try await client.output.read(until: "ready")
        }
        #expect(
            await eventually {
                session.emit("ready\r\n")
                return isAttached.withLock { $0 }
            }
        )
        _ = try await reader.value
        session.emit("begin\r\n")
        try await client.output.read(until: "begin\r\n")
    }

    @Test(arguments: [Era.legacy, .v3])
    func `a pause in the history of an ended session is not its end`(_ era: Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.historyPause = 4.5 })
        let session = lab.server.add("s")
        for line in 1...3 { session.emit("line \(line)\r\n") }
        session.end(0)
        lab.server.change { $0.hasNoExitEvent = true }
        let result = try await lab.run("sessions", "logs", "mac:s", "--follow")
        #expect(result.text == "line 1\r\nline 2\r\nline 3\r\n" && result.exit == 0, "\(result.errorText)")
    }

    @Test(arguments: ["while :; do seq 2000; sleep 0.05; done", "while :; do echo tick; sleep 0.1; done"])
    func `a program that is never silent does not delay commands`(_ program: String) async throws {
        let lab = try await Lab(.v3)
        _ = try await lab.create("s", program)
        for words in [["logs", "mac:s", "--tail", "1"], ["screen", "mac:s"]] {
            let result = try await lab.vt.call(["sessions"] + words).run(deadline: .seconds(60))
            #expect(result.exit == 0 && !result.text.isEmpty, "\(words): \(result.errorText)")
        }
        let idle = try await lab.run("sessions", "wait", "mac:s", "--idle", "5s", "--timeout", "500ms")
        #expect(idle.exit == 124, "\(idle.errorText)")
        _ = try await lab.run("sessions", "kill", "mac:s")
    }

    @Test(arguments: Era.allCases)
    func `the screen and output of a program that never pauses`(_ era: Era) async throws {
        let lab = try await Lab(era)
        _ = try await lab.create("s", "while :; do yes | head -c 2000; sleep 0.02; done")
        let screen = try await lab.run("sessions", "screen", "mac:s")
        #expect(screen.text.hasPrefix(String(repeating: "y\n", count: 23)), "\(screen.errorText)")
        let logs = try await lab.run("sessions", "logs", "mac:s", "--tail", "3")
        #expect(logs.text.hasPrefix("y\r\ny\r\n"), "\(logs.errorText)")
        let idle = try await lab.run("sessions", "wait", "mac:s", "--idle", "300ms", "--timeout", "2s")
        #expect(idle.exit == 124, "\(idle.errorText)")
        _ = try await lab.run("sessions", "kill", "mac:s")
    }

    @Test(arguments: [Era.legacy, .v3])
    func `a history that begins late is waited for`(_ era: Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.headerPause = 4 })
        lab.server.add("s").emit("first\r\n")
        async let idle = lab.run("sessions", "wait", "mac:s", "--idle", "300ms", "--timeout", "3s")
        #expect(try await lab.run("sessions", "screen", "mac:s").text == "first\n")
        #expect(try await lab.run("sessions", "logs", "mac:s", "--tail", "1").text == "first\r\n")
        #expect(try await idle.exit == 124)
    }

    @Test func `a history that does not begin is an error`() async throws {
        let lab = try await Lab(.v3, faults: Lab.faults { $0.headerPause = 60 })
        _ = lab.server.add("s")
        let result = try await lab.run("sessions", "screen", "mac:s")
        #expect(result.exit == 124 && result.text == "")
        #expect(result.errorText == "vt: the server has not sent the output of 's'\n")
    }

    @Test(arguments: [Era.legacy, .v3])
    func `lines that a program repeats are kept`(_ era: Era) async throws {
        let lab = try await Lab(era)
        let session = lab.server.add("s")
        let build = ["$ make\r\n", "compiling the first file\r\n", "compiling the second file\r\n"]
        let lines = build + build + [String](repeating: "done\r\n", count: 3)
        for line in lines { session.emit(line) }
        session.end(0)
        let result = try await lab.run("sessions", "logs", "mac:s")
        #expect(result.text == lines.joined(), "\(result.errorText)")
    }

    @Test(arguments: Era.allCases)
    func `everything can be split within characters and frames`(_ era: Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.pieceBytes = 3 })
        let session = lab.server.add("s")
        session.emit("é世界😀 \u{1B}[1mbold\u{1B}[m\r\n")
        session.end(0)
        #expect(try await lab.run("sessions", "logs", "mac:s").text == "é世界😀 \u{1B}[1mbold\u{1B}[m\r\n")
    }

    @Test(arguments: [Era.legacy, .v3])
    func `an end that is not reported is noticed`(_ era: Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.hasNoExitEvent = true })
        let session = lab.server.add("s")
        let waiter = try lab.vt.start("sessions", "wait", "mac:s", "--exit")
        #expect(await eventually { session.streamCount > 0 })
        session.end(137)
        #expect(try await waiter.wait(deadline: .seconds(30)) == .exited(137))
    }

    @Test(arguments: [Era.legacy, .v3])
    func `without an event and a code, a session is lost`(_ era: Era) async throws {
        let faults = Lab.faults { ($0.hasNoExitEvent, $0.hasNoExitCode) = (true, true) }
        let lab = try await Lab(era, faults: faults)
        lab.server.add("s").end(0)
        let result = try await lab.run("sessions", "wait", "mac:s", "--exit")
        #expect(result.exit == 255 && result.errorText.contains("was lost"))
    }

    @Test(arguments: Era.allCases)
    func `a session of a server that is killed is lost`(_ era: Era) async throws {
        let lab = try await Lab(era)
        let session = lab.server.add("s")
        session.emit("x")
        let waiter = try lab.vt.start("sessions", "wait", "mac:s", "--exit")
        #expect(await eventually { session.streamCount > 0 })
        lab.server.stop()
        #expect(try await waiter.wait(deadline: .seconds(60)) == .exited(255))
    }

    @Test(arguments: [Era.legacy, .v3])
    func `a token that the server has forgotten is replaced`(_ era: Era) async throws {
        let lab = try await Lab(era)
        func logins() -> Int { lab.server.requests.filter { $0.path == "/api/auth/password" }.count }
        for _ in 0..<3 { #expect(try await lab.run("sessions", "list", "mac").exit == 0) }
        #expect(logins() == 1)
        lab.server.revokeTokens()
        let session = lab.server.add("s")
        session.end(0)
        #expect(try await lab.run("sessions", "wait", "mac:s", "--exit").exit == 0)
        #expect(logins() == 2)
        _ = try await lab.vt.call(["profile", "edit", "mac", "--password-stdin"]).check(input: Array("wrong".utf8))
        lab.server.revokeTokens()
        let denied = try await lab.run("sessions", "list", "mac")
        #expect(denied.exit == 77 && denied.errorText.contains("rejected"))
        #expect(denied.errorText.contains("vt profile edit mac --password-stdin"))
    }

    @Test(arguments: Era.allCases)
    func `a server that never answers is given up`(_ era: Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.silentPaths = ["/input"] })
        _ = lab.server.add("s")
        let result = try await lab.run("sessions", "send", "mac:s", "x", "--timeout", "500ms")
        #expect(result.exit == 124)
        lab.server.change { $0.silentPaths = ["/api/sessions"] }
        try await lab.vt.check("profile", "edit", "mac", "--connect-timeout", "500ms")
        #expect(try await lab.run("sessions", "list", "mac").exit == 124)
    }

    @Test func `a server that answers with pages is not one of VibeTunnel`() async throws {
        let lab = try await Lab(.v3, faults: Lab.faults { $0.answersWithPages = true }, hasPassword: false)
        let result = try await lab.run("sessions", "list", "mac")
        #expect(result.exit == 76 && result.errorText.contains("with a page"))
        #expect(try await lab.run("profile", "test", "mac").exit == 76)
    }

    @Test(arguments: [(302, 76), (404, 66), (429, 75), (500, 76), (503, 69)])
    func `a status of the server determines the exit status`(_ status: Int, _ exit: Int32) async throws {
        let lab = try await Lab(.v3, faults: Lab.faults { $0.status = status })
        let result = try await lab.run("sessions", "list", "mac")
        #expect(result.exit == exit, "\(result.errorText)")
        switch status {
        case 302:
            #expect(
                result.errorText.contains("answered GET /api/sessions with a redirect (302), which is not followed")
            )
        case 429: #expect(result.errorText.contains("wait a minute"))
        default: #expect(result.errorText.contains("answered \(status): no 1"))
        }
    }

    @Test func `values that are not sessions are counted`() async throws {
        let lab = try await Lab(.v3, faults: Lab.faults { $0.listsOtherValues = true })
        _ = lab.server.add("s")
        let result = try await lab.run("sessions", "list", "mac", "--ids", "--verbose")
        #expect(result.text == "mac:s\n")
        #expect(result.errorText.contains("2 of 3 elements"), "\(result.errorText)")
    }

    @Test func `a message that is too large ends the stream`() async throws {
        let lab = try await Lab(.v3, faults: Lab.faults { $0.largeMessageBytes = 5 << 20 })
        _ = lab.server.add("s")
        let result = try await lab.run("sessions", "logs", "mac:s")
        #expect(result.exit == 76, "\(result.exit) \(result.errorText)")
    }

    @Test(arguments: [Era.legacy, .v3])
    func `after clearings and cuts, the screen is the same`(_ era: Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.cutsStreams = true })
        let session = lab.server.add("s")
        for round in 1...5 {
            session.emit("\u{1B}[H\u{1B}[2J")
            for line in 1...8 { session.emit("round \(round) line \(line)\r\n") }
        }
        session.end(0)
        let result = try await lab.run("sessions", "logs", "mac:s", "--follow", "--plain")
        #expect(result.text.contains("round 5 line 8"), "\(result.errorText)")
        lab.server.change { $0.cutsStreams = false }
        let screen = try await lab.run("sessions", "screen", "mac:s")
        #expect(screen.text.hasPrefix("round 5 line 1\n"))
    }
}
