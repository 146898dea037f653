import Foundation
import TestSupport
import Testing

/// Profiles with a link of `vt serve` on another machine, which here is another state directory.
@Suite(.crowded)
struct LinkTests {
    private let lab: PageLab
    private let desk: Vt
    private let relay: Relay

    init() async throws {
        desk = try Vt()
        relay = try Relay(to: try LoopbackPort.free())
        lab = try await PageLab(
            "--origin",
            "http://127.0.0.1:\(relay.port)/",
            sessions: ["shell": ["bash", "-i"], "cat": ["cat"]]
        )
        relay.redirect(to: UInt16(lab.port))
    }

    private func link(_ token: String, port: Int? = nil) -> [UInt8] {
        Array("http://127.0.0.1:\(port ?? lab.port)/#k=\(token)\n".utf8)
    }

    private func add(_ name: String, _ link: [UInt8]) async throws -> ProgramResult {
        try await desk.run(
            "profile",
            "add",
            name,
            "--link-stdin",
            "--secret-store",
            "file",
            "--replace",
            "--json",
            input: link
        )
    }

    /// Makes a link with `vt share`, and a profile for it.
    private func share(_ name: String, _ words: String...) async throws -> String {
        let url = try await lab.vt.call(["share"] + words).check()
        #expect(try await add(name, Array(url.utf8)).exit == 0)
        return String(url.trimmingCharacters(in: .newlines).split(separator: "#k=")[1])
    }

    private func run(_ words: String..., input: [UInt8] = []) async throws -> ProgramResult {
        try await desk.call(words).run(input: input)
    }

    private func code(_ words: [String]) async throws -> String? {
        let result = try await desk.call(["--json"] + words).run()
        return result.errorText.isEmpty ? nil : try result.jsonError()["code"] as? String
    }

    @Test func `the owner's link leads to everything about the sessions`() async throws {
        let added = try await add("desk", link(lab.token))
        #expect(added.exit == 0 && !added.text.contains(lab.token), "\(added.errorText)")
        let document = try added.json()
        #expect(document["link"] as? String == "http://127.0.0.1:\(lab.port)/")
        #expect(try await run("profile", "test", "desk").exit == 0)
        #expect(try await desk.check("sessions", "list", "desk", "--fields", "name").contains("shell"))
        let send = try await run("sessions", "send", "desk:cat", "one", "--enter")
        #expect(send.exit == 0, "\(send.errorText)")
        #expect(try await run("sessions", "wait", "desk:cat", "--match", "^one$", "--from", "0").exit == 0)
        #expect(try await desk.check("sessions", "logs", "desk:cat", "--plain").contains("one\none\n"))
        #expect(try await desk.check("sessions", "screen", "desk:cat").contains("one"))
        #expect(try await desk.check("sessions", "show", "desk:cat").contains("cat"))
        #expect(try await desk.check("record", "desk:cat", "-o", "-").contains(#""version": 3"#))
        let exec = try await run("sessions", "exec", "desk:shell", "echo a; exit_with() { return 3; }; exit_with")
        #expect(exec.text == "a\n" && exec.exit == 3, "\(exec.errorText)")
        try await desk.check("sessions", "resize", "desk:cat", "100x30")
        try await desk.check("sessions", "mark", "desk:cat", "here")
        try await desk.check("sessions", "rename", "desk:cat", "dog")
        #expect(try await lab.vt.check("sessions", "show", "dog", "--json").contains("100"))
        let new = try await run("sessions", "create", "desk:new", "--", "sh", "-c", "echo made; exit 4")
        #expect(new.exit == 0, "\(new.errorText)")
        #expect(try await run("attach", "desk:new").exit == 4)
        try await desk.check("sessions", "kill", "desk:dog")
        try await desk.check("sessions", "cleanup", "desk:dog", "desk:new")
        #expect(try await lab.vt.check("sessions", "list", "--ids").split(separator: "\n").count == 1)
        try await lab.end()
    }

    @Test func `what needs a shell on the server is a usage error`() async throws {
        #expect(try await add("desk", link(lab.token)).exit == 0)
        for words in [
            ["exec", "desk", "true"], ["copy", "desk:a", "/nowhere/b"], ["forward", "desk", "-L", "1:a:2"],
            ["ls", "desk:"], ["doctor", "desk"],
        ] {
            let result = try await desk.call(["--json"] + words).run()
            #expect(try result.jsonError()["code"] as? String == "usage", "\(words) \(result.errorText)")
        }
        for words in [["--host-key-policy", "strict"], ["--user", "a"], ["--jump", "x"]] {
            #expect(try await desk.call(["profile", "edit", "desk"] + words).run().exit == 64)
        }
        for text in ["", "http://127.0.0.1/", "ftp://a/#k=b", "http://a@b/#k=SECRET", "http://a/#k="] {
            let result = try await add("other", Array(text.utf8))
            #expect(result.exit != 0 && !result.errorText.contains("SECRET"))
        }
        // The token does not become the password of a server.
        try await desk.check("profile", "edit", "desk", "--host", "web.example")
        let profile = try await desk.run("profile", "show", "desk", "--json").json()
        #expect((profile["password"] as? [String: any Sendable])?["from"] as? String == "none")
        try await lab.end()
    }

    @Test func `a link allows what its role allows`() async throws {
        let token = try await share("read", "cat")
        _ = try await share("write", "cat", "--write")
        for words in [["sessions", "show"], ["sessions", "logs"], ["sessions", "screen"]] {
            #expect(try await code(words + ["read:cat"]) == nil, "\(words)")
        }
        #expect(try await code(["sessions", "wait", "read:cat", "--idle", "1ms"]) == nil)
        #expect(try await code(["record", "read:cat", "-o", "-"]) == nil)
        let writing = [
            ["sessions", "send", "R:cat", "x", "--enter"], ["sessions", "resize", "R:cat", "90x20"],
            ["sessions", "mark", "R:cat", "a"], ["sessions", "ask", "R:cat", "--detach", "log in"],
            ["sessions", "send", "R:cat", "--enter", "--force"], ["sessions", "ask", "R:cat", "--done"],
        ]
        let owning = [
            ["sessions", "rename", "R:cat", "b"], ["sessions", "kill", "R:cat"],
            ["sessions", "create", "R:n", "--", "true"],
            ["sessions", "cleanup", "R:cat"],
        ]
        func words(_ words: [String], _ role: String) -> [String] {
            words.map { $0.hasPrefix("R") ? role + $0.dropFirst() : $0 }
        }
        for call in writing {
            #expect(try await code(words(call, "read")) == "auth.denied", "\(call)")
            #expect(try await code(words(call, "write")) == nil, "\(call)")
        }
        for call in owning {
            #expect(try await code(words(call, "read")) == "auth.denied", "\(call)")
            #expect(try await code(words(call, "write")) == "auth.denied", "\(call)")
        }
        for role in ["read", "write"] {
            #expect(try await code(["sessions", "show", "\(role):shell"]) == "not-found")
            let list = try await desk.check("sessions", "list", role, "--fields", "name")
            #expect(list.contains("cat") && !list.contains("shell"))
        }
        let question = try await lab.vt.run("sessions", "show", "cat", "--json").json()["question"]
        #expect((question as? [String: any Sendable])?["answer"] as? String == "done")
        // Attaching is for those who type, unless it is read-only.
        let denied = try await run("attach", "read:cat")
        #expect(denied.exit == 255 || denied.exit == 77, "\(denied.errorText)")
        #expect(denied.errorText.contains("watching"))
        let client = try desk.start("attach", "read:cat", "--read-only")
        // It shows what is printed once it is connected.
        let typing = Task {
            while !Task.isCancelled { try await lab.vt.check("sessions", "send", "cat", "seen", "--enter") }
        }
        try await client.output.read(until: "seen")
        typing.cancel()
        _ = await typing.result
        client.kill()
        #expect(try await code(["sessions", "screen", "read:cat"]) == nil)
        #expect(!(try await lab.vt.check("sessions", "logs", "cat")).contains("b"))
        #expect(!token.isEmpty)
        try await lab.end()
    }

    @Test func `expired, revoked and used links are refused, and revoking ends what runs`() async throws {
        _ = try await share("late", "cat", "--expires", "1s")
        #expect(await eventually { (try? await code(["sessions", "show", "late:cat"])) == "auth.denied" })
        _ = try await share("once", "cat", "--once")
        #expect(try await code(["sessions", "show", "once:cat"]) == "auth.denied")
        _ = try await share("gone", "cat")
        let client = try desk.start("sessions", "logs", "gone:cat", "-f")
        try await lab.vt.check("sessions", "send", "cat", "seen", "--enter")
        try await client.output.read(until: "seen")
        _ = try await lab.vt.bash("vt share --list --ids | tail -1 | xargs vt share --revoke")
        _ = try await client.wait()
        #expect(String(decoding: await client.errors.readToEnd(), as: UTF8.self).contains("has been revoked"))
        #expect(try await code(["sessions", "show", "gone:cat"]) == "auth.denied")
        #expect(try await add("desk", link("wrong")).exit == 0)
        #expect(try await code(["sessions", "list", "desk"]) == "auth.denied")
        try await lab.end()
        #expect(try await code(["sessions", "list", "desk"]) == "host.unreachable")
    }

    @Test func `a server that sends pings and reads no answers takes no memory`() async throws {
        let script = TestTree.support("pinging_server.py")
        let server = try ProgramCall(TestTree.python, ["-B", script], environment: [:]).start()
        let port = try await server.output.read(until: "\n").trimmingCharacters(in: .newlines)
        #expect(try await add("desk", link("x", port: Int(port))).exit == 0)
        var outcome = ""
        // On a busy machine, the client can give up before the buffers of the system are full.
        for _ in 0..<20 where outcome != "full\n" {
            let client = try desk.start("sessions", "list", "desk")
            outcome = try await server.output.read(until: "\n")
            if outcome == "full\n" { #expect(try client.peakResidentBytes() < 40 << 20) }
            client.kill()
            try await client.wait()
        }
        #expect(outcome == "full\n")
        server.kill()
        try await lab.end()
    }

    @Test func `output and input continue across cut connections`() async throws {
        #expect(try await add("desk", link(lab.token, port: Int(relay.port))).exit == 0)
        let lines = 400
        let loop = "while [ $i -lt \(lines) ]; do i=$((i+1)); echo line $i; sleep 0.005; done"
        let counter = "echo ready; read go; i=0; \(loop); exit 4"
        try await lab.vt.call(["sessions", "create", "count", "--", "sh", "-c", counter]).check()
        let logs = try desk.start("sessions", "logs", "desk:count", "-f", "--plain")
        // vt does not reconnect before a client has connected once.
        try await logs.output.read(until: "ready\n")
        let client = try desk.start("attach", "desk:count")
        async let followed = logs.output.readToEnd()
        async let errors = client.errors.readToEnd()
        try client.input.write("go\n")
        let start = try await client.output.read(until: "line 1")
        async let output = client.output.readToEnd()
        for _ in 0..<8 {
            let count = relay.bytesToClient
            #expect(await eventually { relay.bytesToClient > count || !client.isRunning })
            relay.cut()
        }
        let status = try await client.wait()
        let told = await String(decoding: errors, as: UTF8.self)
        #expect(status == .exited(4), "\(told)")
        let text = start + String(decoding: await output, as: UTF8.self)
        let numbers = text.split(separator: "\r\n").compactMap { Int($0.dropFirst("line ".count)) }
        #expect(numbers == Array(1...lines))
        let log = String(decoding: await followed, as: UTF8.self)
        #expect(log.split(separator: "\n").compactMap { Int($0.dropFirst("line ".count)) } == Array(1...lines))
        try await lab.end()
    }
}
