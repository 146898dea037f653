import Foundation
import TestSupport
import Testing

/// How long commands ran on the targets of a run.
@Suite(.crowded)
struct TimingTests {
    private func path(_ name: String, of vt: Vt) -> String { "\(vt.home)/\(name)" }

    private func checkTiming(_ document: [String: any Sendable], started: Bool) throws {
        guard started else {
            #expect(document["started_at"] == nil && document["duration_ms"] == nil, "\(document)")
            return
        }
        let start = try #require(document["started_at"] as? String)
        let date = try #require(ISO8601DateFormatter().date(from: start))
        #expect(abs(date.timeIntervalSinceNow) < 600)
        #expect(try #require(document["duration_ms"] as? Int) >= 300, "\(document)")
    }

    @Test func `all documents say when a command was started and how long it ran, if it was started`() async throws {
        let vt = try Vt()
        try await vt.check("profile", "add", "down", "x@127.0.0.1:\(try LoopbackPort.free())")
        let words = ["exec", "--parallel", "1", "--stop-on-failure", "local,down,x@127.0.0.1:1", "sleep 0.3"]
        let events = try await vt.call(["exec", "--json"] + words.dropFirst()).run()
        #expect(events.status == .exited(1), "\(events.errorText)")
        let part = path("part.json", of: vt)
        let options = [["--json", "--shard", "1/1"], ["--json", "--gather"], ["--output-dir", path("out", of: vt)]]
        for option in options {
            let result = try await vt.call(["exec"] + option + words.dropFirst()).run()
            #expect(result.status == .exited(1), "\(result.errorText)")
            var documents = try result.jsonLines().filter { $0["shard"] == nil }
            if option.first == "--output-dir" {
                let status = try Data(contentsOf: URL(fileURLWithPath: path("out/status.json", of: vt)))
                documents = try #require(JSONSerialization.jsonObject(with: status) as? [[String: any Sendable]])
            }
            #expect(documents.count == 3)
            for document in documents { try checkTiming(document, started: document["target"] as? String == "local") }
            if option.last == "1/1" { try Data(result.output).write(to: URL(fileURLWithPath: part)) }
        }
        let merged = try await vt.run("exec", "--merge", vt.home, "--summary")
        let lines = try merged.jsonLines()
        #expect(lines.count == 3)
        for line in lines { try checkTiming(line, started: line["target"] as? String == "local") }
        #expect(merged.errorText.hasPrefix("STATUS            DURATION  TARGET\nexit 0 "), "\(merged.errorText)")
        // The third target was not reached.
        #expect(merged.errorText.split(separator: "\n").count { $0.hasSuffix("x@127.0.0.1:1") } == 0)
    }

    @Test func `the time of a login does not count`() async throws {
        let lab = try await Lab()
        let proxy = "python3 -c 'import time; time.sleep(2)\n\(TransportTests.proxy)' %h %p 100%%"
        try await lab.addProfile("slow", ["--no-agent", "--proxy-command", proxy])
        let result = try await lab.vt.run("exec", "--json", "slow", "true")
        let event = try #require(try result.jsonLines().last)
        #expect(event["event"] as? String == "exit", "\(result.errorText)")
        #expect(try #require(event["duration_ms"] as? Int) < 2000)
    }

    @Test(arguments: ["--gather", "--prefix", "--json", "--output-dir out"])
    func `a summary lists the slowest targets, and is followed by the failures`(_ options: String) async throws {
        let vt = try Vt()
        let script = """
            for number in $(seq 24); do vt profile add s$number --via env || exit; done
            cd; vt exec --summary \(options) 's*' 'mkdir ~/1 2>&- && { sleep 0.5; exit 3; }; true' >/dev/null
            """
        let lines = try await vt.bash(script).errorText.split(separator: "\n").map(String.init)
        try #require(lines.count == 24, "\(lines)")
        #expect(lines[0] == "STATUS  DURATION  TARGET")
        let first = try #require(lines[1].wholeMatch(of: /exit 3 +[0-9]+\.[0-9][0-9]s +(s[0-9]+)/), "\(lines)")
        let durations = lines[1...20].compactMap { $0.firstMatch(of: /([0-9.]+)s/).flatMap { Double($0.1) } }
        #expect(durations.count == 20 && durations == durations.sorted(by: >))
        #expect(lines[21...] == ["and 4 more", "vt: \(first.1): exit 3", "vt: 1 of 24 targets failed"])
    }

    @Test func `a summary of one target leaves its output and status alone`() async throws {
        let vt = try Vt()
        let result = try await vt.run("exec", "--summary", "local", "printf out; exit 5")
        #expect(result.status == .exited(5))
        #expect(result.text == "out")
        #expect(result.errorText.contains(/^STATUS  DURATION  TARGET\nexit 5  [0-9.]+s     local\n$/))
        let terminal = try await vt.run("exec", "--summary", "--pty", "local", "true")
        #expect(terminal.status == .exited(255))
        #expect(terminal.errorText.contains("--summary cannot be used with a terminal"))
    }

    @Test func `names in a summary cannot control the terminal`() async throws {
        let vt = try Vt()
        let line = #"{"event":"exit","exit":{"code":0},"duration_ms":3723456,"started_at":"2026-11-28T00:00:00Z","#
        for (name, target) in [("1", #"a\u001b[31mb\u202e"#), ("2", "z")] {
            let text = line + #""target":"\#(target)"}"# + "\n"
            try text.write(toFile: path("\(name).json", of: vt), atomically: true, encoding: .utf8)
        }
        let result = try await vt.run("exec", "--merge", vt.home, "--summary")
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.errorText.contains("exit 0  1h02m03.46s  a\\x1b[31mb\\u{202e}\n"), "\(result.errorText)")
    }
}
