import Foundation
import TestSupport
import Testing

/// `vt serve --vibetunnel`, with clients of both of VibeTunnel's protocols.
@Suite(.crowded)
struct VibeTunnelServerTests {
    typealias Facts = VibeTunnelFacts

    /// The prompt of this machine's bash, which may be another version for another user.
    private static func prompt() async throws -> String {
        try await ProgramCall("bash", ["--norc", "-c", #"prompt='\s-\v\$ '; printf %s "${prompt@P}""#]).check()
    }

    private static func isEnded(_ client: VibeTunnelClient, _ names: [String: String]) async throws -> Bool {
        try await eventually { try await client.state(names["{id}"] ?? "") == "exited" }
    }

    @Test func `the requests and streams of a client of June 2025`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let (client, prompt) = (lab.client, try await Self.prompt())
        var names: [String: String] = [:]
        var (live, short): (VibeTunnelClient.EventStream?, VibeTunnelClient.EventStream?)
        for request in Facts.requests {
            switch request.name {
            case "get-exit3", "get-exit0", "input-ended": #expect(try await Self.isEnded(client, names))
            case "input-text": #expect(try await eventually { try live?.output.contains(prompt) ?? false })
            case "resize":
                #expect(
                    try await eventually {
                        try live?.output.components(separatedBy: "command not found").dropFirst().joined()
                            .contains("$ ") ?? false
                    }
                )
            case "kill":
                #expect(try await eventually { try live?.output.hasSuffix("5\r\n\u{1B}[?2004h$ ") ?? false })
                let ended = try await client.stream(#require(names["{id}"]))
                expect(Facts.joined(try await ended.ended()), is: Facts.ownStreams["ended"] ?? [], names)
                #expect(ended.comments == [":ok"])
            default: break
            }
            let answer = try await request.send(
                by: client,
                names,
                more: request.name == "v3-probe" ? "Upgrade: websocket" : nil
            )
            let (status, expected) = Facts.differences[request.name] ?? (request.status ?? 0, request.answer)
            try request.check(answer, status, expected, &names)
            if status == 401 {
                let realms = [#"Basic realm="VibeTunnel""#, #"Bearer realm="VibeTunnel""#]
                #expect(answer.fields("WWW-Authenticate") == realms)
            }
            switch request.name {
            case "create": live = try await client.stream(#require(names["{id}"]))
            case "create-exit3": short = try await client.stream(#require(names["{id}"]))
            case "buffer":
                #expect(answer.type == "application/octet-stream")
                let screen = try VibeTunnelScreen(answer.body)
                #expect(screen.columns == 60)
                #expect(screen.lines.contains("$ arrow_up"))
                #expect(screen.lines.contains("bash: arrow_up: command not found"))
            case "text": #expect(answer.text.hasSuffix("bash: arrow_up: command not found\n$"))
            case "get-exit3":
                expect(Facts.joined(try await #require(short).ended()), is: Facts.ownStreams["exit3"] ?? [], names)
            case "get-killed": try await checkKilled(#require(live), prompt, names)
            default: break
            }
        }
        try await lab.endQuietly()
    }

    /// Checks the stream of the shell that has been killed.
    private func checkKilled(
        _ stream: VibeTunnelClient.EventStream,
        _ prompt: String,
        _ names: [String: String]
    ) async throws {
        let events = try await stream.ended()
        #expect((events.first as? [String: Any])?["width"] as? Int == 100)
        let resizes = events.compactMap { $0 as? [Any] }.filter { $0[1] as? String == "r" }
        #expect(resizes.map { $0[2] as? String } == ["60x12"])
        expect(try #require(events.last), is: ["exit", "{any}", "{first}"], names)
        var text = try stream.output[...]
        for part in [
            "\u{1B}[?2004h\(prompt)", "héllo \u{1B}[1;31mred\u{1B}[0m \u{1B}[48;2;1;2;3mrgb\u{1B}[0m 世界\r\n",
            "arrow_up\r\n", "bash: arrow_up: command not found\r\n", "clear; echo hi; seq 1 5\r\n", "\u{1B}[H\u{1B}[2J",
            "hi\r\n", "1\r\n2\r\n3\r\n4\r\n5\r\n",
        ] {
            let range = try #require(text.range(of: part, options: .literal), "\(part) in \(text)")
            text = text[range.upperBound...]
        }
    }

    // MARK: - Frames

    @Test func `the messages of a client of version 3`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let (client, prompt) = (lab.client, try await Self.prompt())
        var names = ["s1": try await client.create(Facts.bash)]
        let peer = try await client.bearing(lab.token).frames()
        #expect(peer.status == 101)
        #expect(try await peer.next() == VibeTunnelMessage(.welcome, #"{"ok":true,"version":3}"#))
        var news: [VibeTunnelMessage] = []
        for (message, answers) in Facts.frames {
            switch message {
            case .garbage: try peer.socket.send(2, [0, 1] + Array("garbage-garbage".utf8))
            case .text: try peer.socket.send(1, Array("text".utf8))
            case .frame(let kind, let session, let payload):
                if session == "s2", names["s2"] == nil { names["s2"] = try await client.create(Facts.exit3Version3) }
                try peer.send(kind, names[session] ?? session, payload)
            }
            for answer in answers { try await receive(answer, from: peer, names, prompt, &news) }
        }
        func exits() throws -> [[String: Any]] {
            try news.map { try $0.object }.filter { $0["type"] as? String == "session-exit" }
        }
        while try exits().count < 2 {
            let message = try await peer.next()
            #expect(try message.kind == .event && message.object["type"] != nil)
            news.append(message)
        }
        // Which of the sessions ends first is open.
        let exit = try #require(try exits().first { $0["sessionId"] as? String == names["s2"] })
        expect(exit, is: try JSON.value(Facts.news.utf8), names)
        // Nothing else has been sent.
        try peer.send(40, "", "end".utf8)
        #expect(try await peer.next() == VibeTunnelMessage(.pong, "end"))
        try await lab.endQuietly()
    }

    /// Receives a message; output may arrive in parts.
    private func receive(
        _ expected: VibeTunnelMessage,
        from peer: VibeTunnelClient.Frames,
        _ names: [String: String],
        _ prompt: String,
        _ news: inout [VibeTunnelMessage]
    ) async throws {
        let usual = "bash-5.2# "
        let whole = expected.kind == .output ? try expected.text.replacingOccurrences(of: usual, with: prompt) : ""
        var text = ""
        while true {
            let message = try await peer.next()
            if message.kind == .event, try message.object["type"] != nil, try message.object["sessionId"] != nil {
                news.append(message)
                continue
            }
            try #require(message.kind == expected.kind)
            #expect(message.session == names[expected.session] ?? expected.session)
            switch message.kind {
            case .snapshot:
                let screen = try VibeTunnelScreen(message.payload)
                #expect([screen.columns, screen.rows] == [132, 43] && screen.cursor == [prompt.count, 3])
                let rows = message.payload.dropFirst(28).map { String(format: "%02x", $0) }.joined()
                if prompt == usual { #expect(rows == Facts.snapshotRows) }
            case .output:
                text += try message.text
                if text != whole {
                    try #require(whole.hasPrefix(text), "\(text) is not \(whole)")
                    continue
                }
            case .pong: #expect(message.payload == expected.payload)
            default: try expect(json: message.payload, is: expected.text, names)
            }
            return
        }
    }

    // MARK: - What the captures do not have

    @Test func `snapshots for clients of 2025`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let client = lab.client
        let bash = try await client.create(Facts.bash, ["workingDir": "/tmp"])
        #expect(try await client.with().buffers().status == 401)
        #expect(try await client.adding("Origin: http://evil.example").buffers().status == 403)
        let peer = try await client.buffers()
        func send(_ members: [String: String]) throws { try peer.send(1, Array(JSON.text(members).utf8)) }
        func next() async throws -> [String: Any] {
            let (opcode, message) = try await peer.message()
            try #require(opcode == 1)
            return try JSON.object(message)
        }
        func snapshot(of session: String) async throws -> [UInt8] {
            let (opcode, message) = try await peer.message()
            try #require(opcode == 2 && message.first == 0xBF)
            let end = 5 + LittleEndian.number(message[1..<5])
            #expect(String(decoding: message[5..<end], as: UTF8.self) == session)
            return Array(message[end...])
        }
        try send(["type": "ping"])
        #expect(try await next()["type"] as? String == "pong")
        _ = try await client.post("/api/sessions/\(bash)/input", #"{"text":"PS1='$ '; clear; echo hi; seq 1 5\r"}"#)
        try send(["type": "subscribe", "sessionId": bash])
        var found = try await snapshot(of: bash)
        while try VibeTunnelScreen(found).lines.last != "$" { found = try await snapshot(of: bash) }
        #expect(
            found.map { String(format: "%02x", $0) }.joined()
                == "54560100500000000700000000000000020000000600000000000000"
                + "fd020001680169fd01000131fd01000132fd01000133fd01000134fd01000135fd0200012400"
        )
        try send(["type": "unsubscribe", "sessionId": bash])
        try send(["type": "subscribe", "sessionId": "no-such"])
        #expect(JSON.text(try await next()) == #"{"message":"Session not found","type":"error"}"#)
        // Snapshots of an empty screen are not too short for upstream's client.
        let empty = try await client.create(["sleep", "60"])
        try send(["type": "subscribe", "sessionId": empty])
        #expect(try await snapshot(of: empty).count == 32)
        _ = try await client.delete("/api/sessions/\(empty)")
        try await lab.endQuietly()
    }

    @Test func `names, sizes, keys and verbs that the captures do not have`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: [:])
        let client = lab.client
        let command = ["sh", "-c", "stty raw -echo; printf ready; exec cat -vT"]
        let made = try await client.create(command, ["name": "my séssion (1)", "cols": 90, "rows": 20])
        let path = "/api/sessions/\(made)"
        let got = try await client.get(path).object
        #expect(got["name"] as? String == "my-s-ssion-1")
        #expect(got["initialCols"] as? Int == 90 && got["initialRows"] as? Int == 20)
        let other = try await client.create(["true"], ["name": "my-s-ssion-1"])
        #expect(try await client.get("/api/sessions/\(other)").object["name"] as? String == "my-s-ssion-1-2")
        let renamed = try await client.call("PATCH", path, #"{"name":"new name"}"#)
        #expect(try renamed.json == #"{"name":"new-name","success":true}"#)
        #expect(try await client.call("PATCH", path, #"{"name":""}"#).status == 400)
        #expect(try await eventually { try await lab.vt.check("sessions", "logs", made).contains("ready") })
        // The times of answers are in seconds.
        try await Task.sleep(for: .seconds(1))
        for key in ["arrow_up", "enter", "ctrl_enter", "shift_enter", "f5", "tab"] {
            #expect(try await client.post("\(path)/input", #"{"key":"\#(key)"}"#).json == Facts.success)
        }
        let shown = "^[[A^M^J^M^J^[[15~^I"
        #expect(
            try await eventually {
                let log = try await lab.vt.check("sessions", "logs", made).unicodeScalars.filter { $0 != "\r" }
                return String(log).replacingOccurrences(of: "\n", with: "^J").hasSuffix(shown)
            }
        )
        let active = try await lab.vt.run("sessions", "show", made, "--json").json()["active_at"] as? String
        let later = try await client.get(path).object
        let (modified, started) = (later["lastModified"] as? String, later["startedAt"] as? String)
        #expect(modified == active)
        #expect(try #require(modified) > #require(started))
        for body in [#"{"key":"nonsense"}"#, #"{"key":"tab","text":"x"}"#, "no JSON"] {
            #expect(try await client.post("\(path)/input", body).status == 400, "\(body)")
        }
        // What comes from a client is typed by the person whom a question is for.
        try await lab.vt.check("sessions", "ask", made, "log in", "--detach")
        #expect(try await client.post("\(path)/input", #"{"text":"asked"}"#).json == Facts.success)
        try await lab.vt.check("sessions", "wait", made, "--screen", "asked", "--timeout", "1m")
        #expect(try await client.post("\(path)/reset-size").json == Facts.success)
        #expect(try await client.delete("\(path)/cleanup").object["success"] as? Bool == true)
        #expect(try await client.get(path).status == 404)
        let long = String(repeating: "x", count: (1 << 20) + 1)
        #expect(try await client.post("\(path)/input", long).status == 413)
        #expect(try await client.call("PUT", path, "{}").status == 405)
        try await lab.endQuietly()
    }

    @Test func `other servers have none of this`() async throws {
        let lab = try await PageLab()
        for path in ["/api/health", "/api/sessions", "/buffers"] {
            #expect(try await lab.client.get(path).status == 404, "\(path)")
        }
        #expect(try await lab.client.post("/api/sessions").status == 405)
        #expect(try await lab.client.frames().status == 400)
        try await lab.end()
    }
}
