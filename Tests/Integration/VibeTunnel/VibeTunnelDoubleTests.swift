import Foundation
import TestSupport
import Testing

/// Compares the servers that the other tests of this folder use with what upstream's programs have answered.
struct VibeTunnelDoubleTests {
    typealias Facts = VibeTunnelFacts

    private static let password = "secret"

    private static func client(_ era: VibeTunnelDouble.Era) throws -> (VibeTunnelDouble, VibeTunnelClient) {
        let server = try VibeTunnelDouble(era, password: password)
        return (server, VibeTunnelClient(Int(server.port), [VibeTunnelClient.basic(password)]))
    }

    /// The requests to the server of June 2025, except that for a snapshot, which vt does not use, and its streams.
    @Test func `the double answers requests as the server of June 2025 does`() async throws {
        let (server, client) = try Self.client(.go)
        var names: [String: String] = [:]
        func hasEnded() async throws -> Bool {
            try await eventually { try await client.state(names["{id}"] ?? "") == "exited" }
        }
        for request in Facts.requests where request.name != "buffer" {
            if ["get-exit3", "get-exit0", "input-ended"].contains(request.name) { #expect(try await hasEnded()) }
            guard let status = request.status else {
                let body = #"{"text":"x"}"#
                #expect(try await !client.isAnswered(request.method, request.path(names), body))
                continue
            }
            let answer = try await request.send(by: client, names)
            try request.check(answer, status, request.answer, &names)
            if status == 401 { #expect(answer.fields("WWW-Authenticate") == [#"Basic realm="VibeTunnel""#]) }
            guard ["create-exit3", "create-exit0"].contains(request.name) else { continue }
            let isLost = request.name == "create-exit0"
            if isLost { #expect(try await hasEnded()) }
            let session = try #require(names["{id}"])
            let first = try await client.stream(session)
            #expect(try await eventually { try !first.output.isEmpty })
            var events = Facts.joined(try await client.stream(session).ended())
            var expected = try #require(Facts.streams[isLost ? "ended" : "exit3"])[...]
            if isLost {
                // The output of this session had been lost.
                #expect(events.remove(at: 1) as? String == "ok\r\n")
            } else if events.count == 3 {
                // On a busy machine, the program can end before the stream begins.
                expected = expected.dropFirst(2)
            }
            expect(events, is: Array(expected), names)
        }
        server.stop()
    }

    /// A program that writes the first of these outputs, each of the others when it gets a line, and one when resized.
    private static func replay(_ outputs: [String], redrawn: String = "") -> [String] {
        let script = #"""
            import json, os, signal, sys
            outputs, redrawn = json.loads(sys.argv[1])
            write = lambda text: os.write(1, text.replace("\r\n", "\n").encode())
            signal.signal(signal.SIGWINCH, lambda *_: write(redrawn))
            for text in outputs:
                write(text)
                sys.stdin.readline()
            while True:
                signal.pause()
            """#
        return [TestTree.python, "-c", script, JSON.text([outputs, redrawn])]
    }

    @Test func `the double sends the events of the server of June 2025`() async throws {
        let (server, client) = try Self.client(.go)
        let session = try await client.create(Self.replay(Facts.live))
        let first = try await client.stream(session)
        #expect(try await eventually { try first.output.contains(Facts.live[0]) })
        let live = try await client.stream(session)
        let shown = Facts.live[0] + Facts.live[0]
        #expect(try await eventually { try live.output.utf8.count >= shown.utf8.count })
        #expect(try live.output == shown)
        var names = ["{first}": session]
        for request in Facts.requests
        where ["input-text", "input-key", "input-key-field", "input-2"].contains(request.name) {
            try request.check(await request.send(by: client, names), #require(request.status), request.answer, &names)
        }
        let all = Facts.live[0] + Facts.live.joined()
        #expect(try await eventually { try live.output.utf8.count >= all.utf8.count })
        #expect(try live.output == all)
        _ = try await client.delete("/api/sessions/\(session)")
        expect(Facts.joined(try await live.ended()), is: Facts.streams["live"] ?? [], ["{id}": session])
        #expect(live.comments == [":ok"])
        // The output of this session had been lost.
        let lost = try await client.create(["true"])
        #expect(try await eventually { try await client.state(lost) == "exited" })
        let ended = try await client.stream(lost).ended()
        expect(Facts.joined(ended), is: Facts.streams["ended"] ?? [], ["{id}": lost])
        server.stop()
    }

    /// The frames of the hub, without snapshots, with programs that write what those of the captures wrote.
    @Test func `the double sends the frames of version 3`() async throws {
        let (server, stranger) = try Self.client(.v3)
        let login = try await stranger.post("/api/auth/password", #"{"userId":"ann","password":"secret"}"#)
        let client = stranger.bearing(try #require(try login.object["token"] as? String))
        #expect(try await client.with().frames().status == 401)
        let outputs = [Facts.start, Facts.echo, Facts.enter]
        let commands = ["s1": Self.replay(outputs, redrawn: Facts.redrawn), "s2": Facts.exit3Version3]
        var names = [Facts.bash.joined(separator: " "): commands["s1"]?.joined(separator: " ") ?? ""]
        let peer = try await client.frames()
        #expect(peer.status == 101)
        #expect(try await peer.next() == VibeTunnelMessage(.welcome, #"{"ok":true,"version":3}"#))
        for (message, answers) in Facts.frames {
            switch message {
            case .garbage: try peer.socket.send(2, Array("garbage".utf8))
            case .text: try peer.socket.send(1, Array("text".utf8))
            case .frame(let kind, let session, let payload):
                if names[session] == nil, let command = commands[session] {
                    names[session] = try await client.create(command)
                }
                try peer.send(kind, names[session] ?? session, payload)
            }
            for answer in answers where answer.kind != .snapshot {
                var found = try await peer.next()
                func check() throws {
                    try #require(found.kind == answer.kind)
                    #expect(found.session == names[answer.session] ?? answer.session)
                }
                try check()
                guard answer.kind == .output else {
                    let isJSON = answer.kind != .pong
                    if isJSON { try expect(json: found.payload, is: answer.text, names) }
                    if !isJSON { #expect(found.payload == answer.payload) }
                    continue
                }
                var text = try found.text
                while text.utf8.count < answer.payload.count {
                    found = try await peer.next()
                    try check()
                    text += try found.text
                }
                #expect(try text == answer.text)
            }
        }
        // Nothing else has been sent.
        try peer.send(40, "", "end".utf8)
        #expect(try await peer.next() == VibeTunnelMessage(.pong, "end"))
        let state = try await client.get("/api/sessions/\(names["s1"] ?? "")").object
        #expect(state["status"] as? String == "exited" && state["exitCode"] as? Int == 137)
        server.stop()
    }
}
