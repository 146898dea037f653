import Foundation
import TestSupport
import Testing

/// Consumers of a session's output that continue after an interruption.
@Suite(.crowded)
struct LogCursorTests {
    private let vt: Vt
    private let cursor: String

    init() throws {
        vt = try Vt()
        cursor = "\(vt.home)/cursor"
    }

    /// The offset in the cursor file; 0 if there is none.
    private func offset() throws -> Int {
        guard let data = FileManager.default.contents(atPath: cursor) else { return 0 }
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return try #require(object?["offset"] as? Int)
    }

    /// Rounds; each kills the consumer once.
    private static let rounds = testRounds(20)

    @Test(arguments: ["raw", "json"])
    func `each byte is delivered, however often the consumer is killed`(_ format: String) async throws {
        // Lines with characters of several bytes.
        let script = "i=0; while read -r n; do while [ $i -lt $n ]; do i=$((i+1)); echo \"línea $i €\"; done; done"
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", "stty -echo; \(script)")
        let words = ["sessions", "logs", "s", "-f", "--cursor-file", cursor] + (format == "json" ? ["--json"] : [])
        var delivered: [UInt8] = []
        for round in 1...Self.rounds {
            let before = try offset()
            #expect(delivered.count >= before)
            let consumer = try vt.call(words).start()
            try await vt.check("sessions", "send", "s", "\(round * 50)", "--enter")
            // Kill it after some of the output, at a different point in each round.
            let first = await consumer.output.read(atLeast: 1)
            if round % 3 == 0 { _ = try await eventually { try offset() > before } }
            consumer.signal(SIGKILL)
            let all = first + (await consumer.output.readToEnd())
            _ = try await consumer.wait()
            let (bytes, start) = format == "json" ? try Self.output(in: all, from: before) : (all, before)
            #expect(start == before)
            // What is repeated is what was delivered after the last note.
            let known = min(delivered.count - before, bytes.count)
            #expect(Array(bytes.prefix(known)) == Array(delivered[before...].prefix(known)))
            delivered += bytes.dropFirst(known)
            #expect(try offset() <= delivered.count)
        }
        try await vt.check("sessions", "kill", "s")
        let before = try offset()
        let rest = try await vt.call(words).run().output
        let (bytes, _) = format == "json" ? try Self.output(in: rest, from: before) : (rest, before)
        delivered = Array(delivered.prefix(before)) + bytes
        let log = try await vt.run("sessions", "logs", "s").output
        #expect(delivered == log)
        #expect(try offset() == log.count)
        // Nothing is left.
        #expect(try await vt.run("sessions", "logs", "s", "--cursor-file", cursor).output.isEmpty)
    }

    /// The output in the complete JSON lines, and its offset.
    private static func output(in bytes: [UInt8], from before: Int) throws -> ([UInt8], Int) {
        var (output, start): ([UInt8], Int?) = ([], nil)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let event = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
                event["event"] as? String == "output"
            else { continue }
            start = start ?? event["offset"] as? Int
            if let text = event["text"] as? String { output += Array(text.utf8) }
            if let text = event["base64"] as? String { output += Data(base64Encoded: text) ?? Data() }
        }
        return (output, start ?? before)
    }

    @Test func `a consumer of sessions whose holders are killed gets the rest of the log`() async throws {
        for round in 0..<testRounds(3) {
            try await vt.check("sessions", "create", "s\(round)", "--", "sh", "-c", "seq 1 2000; exec sleep 1000")
            try await vt.check("sessions", "wait", "s\(round)", "--match", "^2000$", "--from", "0")
            let path = "\(cursor)\(round)"
            let consumer = try vt.start("sessions", "logs", "s\(round)", "-f", "--cursor-file", path)
            let first = await consumer.output.read(atLeast: 1)
            let session = try await vt.run("sessions", "show", "s\(round)", "--json").json()
            let id = try #require(session["id"] as? String)
            for holder in vt.processes where ProcessTable.command(holder).contains(id) { kill(holder, SIGKILL) }
            let rest = await consumer.output.readToEnd()
            #expect(try await consumer.wait() == .exited(1))
            #expect(try await vt.run("sessions", "logs", "s\(round)").output == first + rest)
            #expect(try await vt.run("sessions", "logs", "s\(round)", "--cursor-file", path).output.isEmpty)
        }
    }

    @Test func `a cursor belongs to a session, and discarded output is reported`() async throws {
        try await vt.check("sessions", "create", "s", "--log-max", "1M", "--", "bash")
        try await vt.check("sessions", "exec", "s", "echo first")
        try await vt.check("sessions", "logs", "s", "--cursor-file", cursor)
        let old = try offset()
        for _ in 0..<4 { _ = try await vt.run("sessions", "exec", "s", "head -c 1000000 /dev/zero | tr '\\0' x") }
        let result = try await vt.run("sessions", "logs", "s", "--cursor-file", cursor)
        #expect(result.errorText.contains("output from offset \(old) to"), "\(result.errorText)")
        #expect(result.errorText.contains("is not in the log"), "\(result.errorText)")
        try await vt.check("sessions", "create", "t", "--", "true")
        let other = try await vt.run("sessions", "logs", "t", "--cursor-file", cursor)
        #expect(other.exit == 78 && other.errorText.contains("belongs to session"), "\(other.errorText)")
        try "x".write(toFile: cursor, atomically: true, encoding: .utf8)
        let bad = try await vt.run("sessions", "logs", "s", "--cursor-file", cursor)
        #expect(bad.exit == 78 && bad.errorText.contains("is not a cursor file"), "\(bad.errorText)")
        #expect(try await vt.run("sessions", "logs", "s", "--cursor-file", cursor, "--from", "0").exit == 64)
    }
}
