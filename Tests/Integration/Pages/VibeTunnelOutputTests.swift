import Foundation
import TestSupport
import Testing

/// The output of sessions for clients of `vt serve --vibetunnel`, and clients that break the protocol.
@Suite(.crowded)
struct VibeTunnelOutputTests {
    private func path(_ session: String) -> String { "/api/sessions/\(session)" }

    @Test func `a client that starts late sees the whole screen at once, and receives everything from then on`()
        async throws
    {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let client = lab.client
        let script =
            "i=0; while [ $i -lt 20000 ]; do echo line $i of many; i=$((i+1)); done; "
            + #"printf '\033[5;10HHERE'; read x; echo end-$x; exit 7"#
        let made = try await client.create(["sh", "-c", script])
        #expect(try await eventually { try await lab.vt.check("sessions", "screen", made).contains("HERE") })
        let stream = try await client.stream(made)
        #expect(try await eventually { try stream.output.contains("HERE") })
        #expect(try stream.output.utf8.count < 100_000)
        #expect(try stream.output.contains("line 19999 of many"))
        let peer = try await client.frames()
        try peer.subscribe(made, 7)
        #expect(try await peer.until(.event).object["kind"] as? String == "header")
        var (text, lines) = ("", [String]())
        while lines.isEmpty || !text.contains("line 19999 of many") || !text.contains("HERE") {
            let message = try await peer.next()
            switch message.kind {
            case .snapshot:
                #expect(!text.isEmpty, "the snapshot precedes the output")
                lines = try VibeTunnelScreen(message.payload).lines
            case .output: text += String(decoding: message.payload, as: UTF8.self)
            default: break
            }
        }
        #expect(lines[4].contains("HERE") && text.utf8.count < 100_000)
        // Previews receive snapshots and events only.
        let preview = try await client.frames()
        try preview.subscribe(made, 6)
        #expect(try await preview.next().kind == .welcome)
        #expect(try await preview.next().object["kind"] as? String == "header")
        #expect(try await VibeTunnelScreen(preview.until(.snapshot).payload).lines.joined().contains("HERE"))
        _ = try await client.post("\(path(made))/resize", #"{"cols":100,"rows":30}"#)
        #expect(try await preview.until(.event).text == #"{"dimensions":"100x30","kind":"resize"}"#)
        _ = try await client.post("\(path(made))/input", #"{"text":"now\r"}"#)
        expect(try #require(try await stream.ended().last), is: ["exit", 7, made])
        #expect(try stream.output.hasSuffix("end-now\r\n"))
        for one in [peer, preview] {
            var event = try await one.until(.event).object
            while event["kind"] as? String != "exit" { event = try await one.until(.event).object }
            #expect(event["exitCode"] as? Int == 7)
        }
        try await lab.endQuietly()
    }

    @Test func `all output arrives unchanged at clients of both eras, also if characters are split`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let client = lab.client
        let script =
            "stty -echo; read x; head -c 3000000 /dev/urandom | base64 -w 0 | "
            + "sed 's/a/\u{E9}/g;s/b/\u{4E16}/g;s/c/\u{1F600}/g'; sleep 1"
        let made = try await client.create(["sh", "-c", script])
        let (stream, peer) = (try await client.stream(made), try await client.frames())
        try peer.subscribe(made, 5)
        #expect(try await peer.until(.event).object["kind"] as? String == "header")
        #expect(try await eventually { try !stream.events.isEmpty })
        _ = try await client.post("\(path(made))/input", #"{"text":"\r"}"#)
        var bytes: [UInt8] = []
        while true {
            let message = try await peer.next()
            if message.kind == .output { bytes += Array(try message.text.utf8) }
            if message.kind == .event, try message.object["kind"] as? String == "exit" { break }
        }
        let expected = try await lab.vt.run("sessions", "logs", made)
        #expect(expected.exit == 0 && expected.output.count > 4_000_000)
        #expect(bytes.elementsEqual(expected.output))
        _ = try await stream.ended()
        #expect(try stream.output.utf8.elementsEqual(expected.output))
        try await lab.endQuietly()
    }

    @Test func `how programs end`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        for (command, code) in [
            (["true"], 0), (["sh", "-c", "exit 3"], 3), (["sh", "-c", "kill -TERM $$"], 143),
            (["sh", "-c", "kill -KILL $$"], 137),
        ] {
            let made = try await lab.client.create(command)
            expect(try #require(try await lab.client.stream(made).ended().last), is: ["exit", code, made])
            #expect(try await lab.client.get(path(made)).object["exitCode"] as? Int == code)
        }
        try await lab.endQuietly()
    }

    @Test func `a holder that is killed ends its session`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let client = lab.client
        let made = try await client.create(["sleep", "60"])
        let (stream, peer) = (try await client.stream(made), try await client.frames())
        try peer.subscribe(made, 5)
        #expect(try await peer.until(.event).object["kind"] as? String == "header")
        #expect(try await eventually { try !stream.events.isEmpty })
        let killed = try await lab.vt.bash(
            #"kill -9 $(sed -n 's/.*"holder_pid" *: *\([0-9]*\).*/\1/p' "$(find "$VT_HOME" -path "*/$1/session.json")")"#,
            made
        )
        #expect(killed.exit == 0, "\(killed.errorText)")
        expect(try #require(try await stream.ended().last), is: ["exit", -1, made])
        #expect(try await peer.until(.event).text == #"{"exitCode":-1,"kind":"exit"}"#)
        let got = try await client.get(path(made)).object
        #expect(got["status"] as? String == "exited" && got["exitCode"] == nil)
        try await lab.endQuietly()
    }

    // MARK: - Clients that break the protocol

    @Test func `malformed, long and random frames`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let client = lab.client
        let made = try await client.create(["cat"])
        var peer = try await client.frames()
        let good = RawVibeTunnelFrame.encode(10, made, [5] + [UInt8](repeating: 0, count: 11))
        for length in good.indices { try peer.socket.send(2, Array(good.prefix(length))) }
        for _ in 0..<500 {
            var bad = good
            for _ in 0..<3 { bad[.random(in: bad.indices)] = .random(in: .min ... .max) }
            // A signal would end the program.
            if bad[3] != 33 { try peer.socket.send(2, bad) }
        }
        try peer.socket.send(2, RawVibeTunnelFrame.encode(40, "", [1]), isFinal: false)
        try peer.socket.send(0, Array("rest of the message is ignored".utf8))
        _ = try await peer.until(.pong)
        peer = try await client.frames()
        #expect(try await peer.next().kind == .welcome)
        if (try? peer.socket.send(2, [UInt8](repeating: 120, count: (4 << 20) + 1))) != nil {
            #expect([1006, 1009].contains(try await peer.socket.closing()))
        }
        peer = try await client.frames()
        for number in 0..<65 { try peer.subscribe("\(number)", 5) }
        #expect(try await peer.until(.failure).text == #"{"message":"Session paths not found"}"#)
        try await lab.endQuietly()
    }

    @Test func `connections without a complete request do not keep others out`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let made = try await lab.client.create(["cat"])
        let post = "POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:\(lab.port)\r\nContent-Length: 10\r\n\r\n"
        let idle = try (0..<150).map { number in
            let connection = try RawConnection(to: lab.port)
            try connection.send((number % 2 == 1 ? "GET /api/se" : post).utf8)
            return connection
        }
        let start = ContinuousClock.now
        #expect(try await lab.client.with().get("/api/health").status == 200)
        #expect(try await lab.client.get(path(made)).object["id"] as? String == made)
        #expect(try await lab.client.frames().next().kind == .welcome)
        // They are closed after 10 and 30 seconds.
        #expect(ContinuousClock.now - start < .seconds(5))
        withExtendedLifetime(idle) {}
        try await lab.endQuietly()
    }
}
