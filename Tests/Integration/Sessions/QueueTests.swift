import Foundation
import TestSupport
import Testing

/// Input that is delivered to sessions later.
@Suite(.crowded)
struct QueueTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private func entries(_ session: String = "s") async throws -> [[String: Any]] {
        let result = try await vt.run("queue", "list", session, "--json")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: Any]])
    }

    /// Adds an entry, and returns its ID.
    private func add(_ words: String...) async throws -> String {
        let text = try await vt.call(["queue", "add", "s"] + words).check()
        return text.trimmingCharacters(in: .newlines)
    }

    /// A session that appends each line of its input to a file.
    private func collect(_ name: String = "s") async throws -> String {
        let path = "\(vt.home)/\(name).lines"
        try await vt.check("sessions", "create", name, "--", "sh", "-c", "stty -echo; exec cat >>\(path)")
        return path
    }

    private func lines(in path: String) -> [String] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `entries are delivered in order, once the session exists`() async throws {
        let first = try await add("one", "--enter")
        let second = try await add("two", "--enter")
        #expect(try await entries().map { $0["id"] as? String } == [first, second])
        let early = try await vt.run("queue", "flush")
        #expect(early.exit == 66, "\(early.errorText)")
        #expect(try await entries().map { $0["state"] as? String } == ["waiting", "waiting"])
        let path = try await collect()
        let flushed = try await vt.run("queue", "flush")
        #expect((flushed.text, flushed.exit) == ("\(first)\ts\n\(second)\ts\n", 0), "\(flushed.errorText)")
        #expect(try await entries().isEmpty)
        #expect(await eventually { lines(in: path) == ["one", "two"] })
        #expect(try await vt.run("queue", "flush").text.isEmpty)
    }

    @Test(arguments: [(["make", "Enter"], true), (["make", "Enter", "--line"], false), (["make", "--enter"], false)])
    func `a word that looks like a key is added as text, with a note`(_ words: [String], _ isNoted: Bool) async throws {
        let result = try await vt.call(["queue", "add", "s"] + words).run()
        let note = "vt: 'Enter' is added as text; to press Enter, use --enter\n"
        #expect(result.exit == 0 && result.errorText == (isNoted ? note : ""), "\(result.errorText)")
    }

    @Test func `a line has its status and output`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let id = try await add("--exec", "echo run | tee -a ~/ran; sh -c 'exit 3'")
        #expect(try await vt.check("queue", "flush", "s") == "\(id)\ts\t3\n")
        let entry = try #require(try await entries().first)
        #expect(entry["state"] as? String == "delivered")
        #expect(entry["status"] as? Int == 3)
        #expect(entry["output"] as? String == "run\n")
        // A command that takes longer is not run again.
        _ = try await add("--exec", "echo slow | tee -a ~/ran; read x; echo got $x")
        let slow = try await vt.run("queue", "flush", "--timeout", "300ms")
        #expect(slow.exit == 124 && slow.errorText.contains("is still running"), "\(slow.errorText)")
        #expect(try await entries().last?["state"] as? String == "sending")
        try await vt.check("sessions", "send", "s", "it", "--enter")
        try await vt.check("queue", "flush")
        #expect((try await entries().last?["output"] as? String)?.hasSuffix("got it\n") == true)
        #expect(lines(in: "\(vt.home)/ran") == ["run", "slow"])
    }

    @Test func `an entry that fails stops its queue, and a busy shell is waited for`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "exec", "s", "true")
        try await vt.check("sessions", "send", "s", "echo up; read x", "--enter", "--wait", "match=^up")
        _ = try await add("--exec", "echo first")
        _ = try await add("--exec", "echo second")
        let busy = try await vt.run("queue", "flush", "--timeout", "200ms")
        #expect(busy.exit == 75, "\(busy.errorText)")
        #expect(try await entries().map { $0["state"] as? String } == ["failed", "waiting"])
        let waiting = try vt.start("queue", "flush")
        #expect(try await eventually { try await entries().first?["state"] as? String == "sending" })
        #expect(try await vt.run("queue", "flush").exit == 75)
        try await vt.check("sessions", "send", "s", "--key", "Enter")
        #expect(try await waiting.wait() == .exited(0))
        #expect(try await entries().map { $0["output"] as? String } == ["first\n", "second\n"])
    }

    @Test func `entries expire, the queue is limited, and entries can be removed`() async throws {
        let path = try await collect()
        let old = try await add("old", "--enter", "--ttl", "1s")
        let new = try await add("new", "--enter")
        // vt reads the clock with time(2), which can lag behind Date by a tick.
        #expect(await eventually { Date.now.timeIntervalSince1970 - 0.05 >= (Self.expiry(old, vt) ?? .infinity) })
        let result = try await vt.run("queue", "flush")
        #expect(result.exit == 1 && result.errorText.contains("entry \(old) has expired"), "\(result.errorText)")
        #expect(result.text == "\(new)\ts\n")
        #expect(await eventually { lines(in: path) == ["new"] })
        #expect(try await entries().map { $0["state"] as? String } == ["expired"])
        #expect(try await vt.check("queue", "drop", old) == "\(old)\n")
        for number in 1...50 { _ = try await add("\(number)", "--enter") }
        let full = try await vt.run("queue", "add", "s", "51")
        #expect(full.exit == 75 && full.errorText.contains("is full"), "\(full.errorText)")
        #expect(try await vt.run("queue", "drop", "0123456789abcdef").exit == 66)
        try await vt.check("queue", "drop", "--session", "s")
        #expect(try await entries().isEmpty)
        #expect(try await vt.run("queue", "add", "s", "--exec", "x", "--enter").exit == 64)
        #expect(try await vt.run("queue", "add", "s").exit == 64)
        let long = try await vt.run("queue", "add", "s", "--stdin", input: [UInt8](repeating: 120, count: 70_000))
        #expect(long.exit == 65, "\(long.errorText)")
    }

    @Test(arguments: ["a b", ".hidden", "two/parts", "web:-x", "web:"])
    func `an entry for a session that cannot exist is refused`(_ session: String) async throws {
        let result = try await vt.run("queue", "add", session, "text")
        #expect(result.exit == 64 && result.errorText.contains("invalid session"), "\(result.errorText)")
        #expect(try await vt.check("queue", "list", "--ids") == "")
    }

    /// When an entry expires, in seconds since 1970.
    private static func expiry(_ id: String, _ vt: Vt) -> TimeInterval? {
        let directory = "\(vt.stateHome)/queue"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in names where name.hasSuffix(".json") {
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)"),
                let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
                let entry = (document["entries"] as? [[String: Any]])?.first(where: { $0["id"] as? String == id }),
                let text = entry["expires_at"] as? String
            else { continue }
            return ISO8601DateFormatter().date(from: text)?.timeIntervalSince1970
        }
        return nil
    }

    /// Rounds of interrupted deliveries.
    private static let rounds = testRounds(12)

    @Test func `input is delivered once, wherever vt or its connection is interrupted`() async throws {
        let path = try await collect()
        let points = ["flush:marked", "flush:sent", "flush:noted"]
        let calls = ["connect", "sendto", "recvfrom", "ppoll", "rename", "fsync", "write", "close"]
        var expected: [String] = []
        for round in 0..<Self.rounds {
            for part in 0..<5 {
                expected.append("\(round).\(part)")
                _ = try await add("\(round).\(part)", "--enter")
            }
            // A crash at each of these points, or at a system call, and then a complete delivery.
            if round % 2 == 0 {
                let fault = ["VT_FAULT": points[round / 2 % points.count]]
                #expect(try await vt.run("queue", "flush", environment: fault).exit == 99)
            } else {
                let call = calls[round / 2 % calls.count]
                let injection = "inject=\(call):signal=KILL:when=\(1 + round % 7)"
                let options = ["-f", "-qq", "-o", "/dev/null", "-e", injection, TestTree.vt, "queue", "flush"]
                _ = try await ProgramCall("/usr/bin/strace", options, environment: vt.environment).run()
            }
            let last = try await vt.run("queue", "flush")
            #expect(last.exit == 0, "\(last.errorText)")
            #expect(try await entries().isEmpty)
        }
        let isComplete = await eventually { lines(in: path).count >= expected.count }
        #expect(isComplete)
        #expect(lines(in: path) == expected)
    }

    @Test func `sixty entries of three sessions are delivered once, however often vt is killed`() async throws {
        var paths: [String: String] = [:]
        for name in ["s", "t", "u"] { paths[name] = try await collect(name) }
        for number in 0..<20 {
            for name in paths.keys { try await vt.check("queue", "add", name, "\(number)", "--enter") }
        }
        let calls = ["connect", "sendto", "recvfrom", "ppoll", "rename", "fsync", "write", "close"]
        // Each delivery is killed at a later system call.
        for round in 0..<max(Self.rounds, 3 * calls.count) {
            let injection = "inject=\(calls[round % calls.count]):signal=KILL:when=\(1 + round / calls.count)"
            let options = ["-f", "-qq", "-o", "/dev/null", "-e", injection, TestTree.vt, "queue", "flush"]
            _ = try await ProgramCall("/usr/bin/strace", options, environment: vt.environment).run()
            let states = try await vt.check("queue", "list", "--fields", "state").split(separator: "\n")
            #expect(states.allSatisfy { ["waiting", "sending"].contains($0) }, "\(round): \(states)")
            if states.isEmpty { break }
        }
        #expect(try await vt.run("queue", "flush").exit == 0)
        #expect(try await vt.check("queue", "list", "--ids") == "")
        for path in paths.values {
            #expect(await eventually { lines(in: path).count >= 20 })
            #expect(lines(in: path) == (0..<20).map(String.init))
        }
    }

    @Test(arguments: ["bash", "zsh"])
    func `a line is run once, wherever vt is interrupted`(_ shell: String) async throws {
        try await vt.check("sessions", "create", "s", "--", shell)
        let calls = ["connect", "sendto", "recvfrom", "ppoll", "rename", "fsync", "write", "close"]
        var expected: [String] = []
        for round in 0..<Self.rounds {
            expected.append("\(round)")
            _ = try await add("--exec", "echo \(round) >>~/ran; echo \(round)")
            let call = calls[round % calls.count]
            let injection = "inject=\(call):signal=KILL:when=\(1 + round)"
            let options = ["-f", "-qq", "-o", "/dev/null", "-e", injection, TestTree.vt, "queue", "flush"]
            _ = try await ProgramCall("/usr/bin/strace", options, environment: vt.environment).run()
            let last = try await vt.run("queue", "flush")
            #expect(last.exit == 0, "\(round): \(last.errorText)")
            let entry = try #require(try await entries().last)
            #expect(entry["output"] as? String == "\(round)\n" && entry["status"] as? Int == 0, "\(entry)")
        }
        #expect(lines(in: "\(vt.home)/ran") == expected)
    }

    @Test(arguments: ["request:begun", "request:written"])
    func `an entry is unknown only if the session has begun with it and is gone`(_ fault: String) async throws {
        let path = "\(vt.home)/lines"
        let words = ["sessions", "create", "s", "--", "sh", "-c", "stty -echo; exec cat >>\(path)"]
        _ = try await vt.call(words, environment: ["VT_FAULT": fault]).run()
        let id = try await add("one", "--enter")
        // The holder crashes.
        #expect(try await vt.run("queue", "flush").exit != 0)
        let isGone = try await eventually {
            try await vt.run("sessions", "show", "s", "--json").json()["state"] as? String == "lost"
        }
        #expect(isGone)
        let unknown = try await vt.run("queue", "flush")
        #expect(unknown.exit == 1 && unknown.errorText.contains("it is unknown whether"), "\(unknown.errorText)")
        #expect(try await entries().first?["state"] as? String == "unknown")
        try await vt.check("sessions", "kill", "s")
        try await vt.check("sessions", "cleanup", "s")
        let new = try await collect()
        #expect(try await vt.run("queue", "flush").exit == 1)
        #expect(try await vt.check("queue", "flush", "--resend-unknown") == "\(id)\ts\n")
        #expect(await eventually { lines(in: new) == ["one"] })
    }

    @Test func `an entry for a session that has been removed is unknown`() async throws {
        _ = try await collect()
        _ = try await add("one", "--enter")
        #expect(try await vt.run("queue", "flush", environment: ["VT_FAULT": "flush:marked"]).exit == 99)
        try await vt.check("sessions", "kill", "s", "--remove")
        let new = try await collect()
        #expect(try await vt.run("queue", "flush").errorText.contains("was removed"))
        #expect(try await entries().first?["state"] as? String == "unknown")
        #expect(lines(in: new).isEmpty)
    }

    @Test func `an entry that an ended session has not received goes to the next one of the name`() async throws {
        _ = try await collect()
        _ = try await add("one", "--enter")
        #expect(try await vt.run("queue", "flush", environment: ["VT_FAULT": "flush:marked"]).exit == 99)
        try await vt.check("sessions", "kill", "s")
        let ended = try await vt.run("queue", "flush")
        #expect(ended.exit == 1 && ended.errorText.contains("has ended"), "\(ended.errorText)")
        try await vt.check("sessions", "rename", "s", "old")
        let new = try await collect()
        #expect(try await vt.run("queue", "flush").exit == 0)
        #expect(await eventually { lines(in: new) == ["one"] })
    }
}

/// Queues for sessions on a server.
@Suite(.crowded, .sharing)
struct RemoteQueueTests {
    @Test func `entries for a server are delivered once if the connection is lost at any packet`() async throws {
        let lab = try await Lab()
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("r", port: relay.port)
        try await lab.meet("r")
        try lab.linkVt()
        let path = "\(lab.server.home)/lines"
        try await lab.vt.check("sessions", "create", "r:s", "--", "sh", "-c", "stty -echo; exec cat >>\(path)")
        var expected: [String] = []
        for number in 0... {
            expected.append("\(number)")
            try await lab.vt.check("queue", "add", "r:s", "\(number)", "--enter")
            relay.cut(afterChunks: number)
            _ = try await lab.vt.run("queue", "flush", "r:s")
            let isLast = relay.willCut
            relay.cancelCut()
            let next = try await lab.vt.run("queue", "flush")
            #expect(next.exit == 0, "\(number): \(next.errorText)")
            if isLast { break }
        }
        let isComplete = await eventually {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init) == expected
        }
        #expect(isComplete)
    }
}
