import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct SessionLogTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test func `beyond its limit, the log keeps the latest bytes at their offsets`() async throws {
        var request = try lab.request("x", "seq", "1", "400000")
        request.creation.logLimitBytes = 1 << 20
        let record = try await lab.host.create(request)
        let ended = try await lab.end(of: record)
        let all = Array((1...400_000).map { "\($0)\r\n" }.joined().utf8)
        #expect(ended.outputBytes == UInt64(all.count))
        let log = try lab.host.log(of: record.id)
        let first = try log.firstOffset()
        #expect(first == ended.firstOffset)
        // The log keeps at least the limit, and at most one step and one block more.
        #expect(UInt64(all.count) - first >= 1 << 20)
        #expect(UInt64(all.count) - first <= 1 << 20 + 192 << 10)
        #expect(try lab.output(of: record) == Array(all[Int(first)...]))
        var status = stat()
        stat(lab.files(record).output, &status)
        #expect(status.st_blocks * 512 <= 1 << 20 + 256 << 10)
        let events = try String(contentsOfFile: lab.files(record).events, encoding: .utf8)
        #expect(events.hasSuffix("\"x\",{\"code\":0}]\n"))
    }

    @Test(arguments: [1, 4096, 100_000, 200_000] as [UInt64])
    func `a log with a small limit also keeps at least that much output`(limit: UInt64) async throws {
        var request = try lab.request("x", "seq", "1", "60000")
        request.creation.logLimitBytes = limit
        let ended = try await lab.end(of: try await lab.host.create(request))
        #expect(ended.firstOffset > 0)
        #expect(ended.outputBytes - ended.firstOffset >= limit)
    }

    @Test func `the record contains the offset of the output before the last sent input`() async throws {
        let record = try await lab.create("x", "stty -echo; echo ready; read a; echo one; read b; echo two; read c")
        #expect(try await lab.output(of: record, holds: "ready\r\n"))
        let typist = try await HolderClientConnection(lab.files(record))
        _ = try await typist.attach(from: 0)
        #expect(try lab.host.session("x").sentOffset == nil)
        let sender = try await HolderClientConnection(lab.files(record))
        try sender.send(.input(sequence: 1, isChecked: true, bytes: [0x0a]))
        guard case .accepted(1, let offset, _) = try await sender.next() else { throw FixtureError("not accepted") }
        #expect(try await lab.output(of: record, holds: "one\r\n"))
        // Input typed by an attached client does not count as sent.
        try typist.send(.input(sequence: 1, isChecked: false, bytes: [0x0a]))
        #expect(try await lab.output(of: record, holds: "two\r\n"))
        try sender.send(.status)
        guard case .record(let session) = try await sender.next() else { throw FixtureError("no record") }
        #expect(session.sentOffset == offset)
        try typist.send(.input(sequence: 2, isChecked: false, bytes: [0x0a]))
        #expect(try await lab.end(of: record).sentOffset == offset)
    }

    @Test func `a client receives a gap for discarded output`() async throws {
        var request = try lab.request("x", "sh", "-c", "seq 1 100000; echo ready; sleep 1000")
        request.creation.logLimitBytes = 128 << 10
        let record = try await lab.host.create(request)
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        let first = try lab.host.log(of: record.id).firstOffset()
        #expect(try await client.attach(from: 0) == .attached(offset: first, lastInput: 0, size: .standard))
        #expect(try await client.next() == .gap(from: 0, to: first))
        guard case .output(first, _) = try await client.next() else {
            Issue.record("no output after the gap")
            return
        }
    }

    /// A file size limit simulates a full disk: both make a write fail in the middle.
    @Test func `a log that cannot grow stops, but the program continues`() async throws {
        var request = try lab.request("x", "sh", "-c", "read line; seq 1 20000; echo end; exit 6")
        request.launchPrefix = ["prlimit", "--fsize=50000"]
        let record = try await lab.host.create(request)
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach(from: 0)
        try client.send(.input(sequence: 1, isChecked: false, bytes: [0x0a]))
        var (last, end) = ([UInt8](), UInt64(0))
        var isLate = false
        var exit: SessionFrame?
        while let frame = try await client.nextOrEnd() {
            switch frame {
            case .output(let offset, let bytes):
                #expect(offset == end)
                end = offset + UInt64(bytes.count)
                last = (last + bytes).suffix(100)
                isLate = false
            case .gap(let from, let to):
                // This client has been too slow for what is not in the log.
                #expect(from == end && to > 50_000)
                end = to
                isLate = true
            default: exit = frame
            }
        }
        #expect(isLate || String(decoding: last, as: UTF8.self).hasSuffix("end\r\n"))
        #expect(exit == .exit(.exited(6), offset: end))
        let ended = try await lab.end(of: record)
        #expect(ended.logStoppedAt == 50_000)
        #expect(ended.outputBytes == end)
        #expect(ended.failure != nil)
        #expect(try lab.output(of: record).count == 50_000)
    }

    @Test func `converts a point in time to an offset`() async throws {
        let record = try await lab.create("x", "echo one; sleep 2.2; echo two; read line")
        #expect(try await lab.output(of: record, holds: "two"))
        let log = try lab.host.log(of: record.id)
        let started = try #require(record.startedAt)
        #expect(try log.offset(at: Timestamp(seconds: started.seconds - 10)) == 0)
        #expect(try log.offset(at: Timestamp(seconds: started.seconds + 2)) == 5)
        #expect(try log.offset(at: Timestamp(seconds: started.seconds + 100)) == 10)
        #expect(await eventually { Timestamp.now().seconds > started.seconds + 4 })
        #expect(try log.offset(at: Timestamp(seconds: started.seconds + 4)) == 10)
    }

    @Test func `finds a point in time in a long timeline`() async throws {
        let record = try await lab.create("x", "true")
        _ = try await lab.end(of: record)
        var lines = [UInt8](repeating: 0, count: 8192)
        lines += Array("7,\"o\",1]\n".utf8)
        for second in 100..<20_000 { lines += Array("[\(second).500000,\"o\",\(second * 10)]\n".utf8) }
        try lab.scratch.write(lines, to: "sessions/\(record.id.text)/events")
        try lab.scratch.write([UInt8](repeating: 0x61, count: 10), to: "sessions/\(record.id.text)/output")
        let log = try lab.host.log(of: record.id)
        for second in [101, 102, 5000, 12_345, 19_999] as [Int64] {
            #expect(try log.offset(at: Timestamp(seconds: second)) == UInt64(second - 1) * 10)
        }
        #expect(try log.offset(at: Timestamp(seconds: 100)) == 0)
        #expect(try log.offset(at: Timestamp(seconds: 90_000)) == 199_990)
    }

    @Test func `finds a point in time in a timeline with much input between output`() async throws {
        let record = try await lab.create("x", "true")
        _ = try await lab.end(of: record)
        let input = String(repeating: "[50.000000,\"i\",1]\n", count: 20_000)
        let text = "[10.000000,\"o\",5]\n" + input + "[90.000000,\"o\",9]\n" + input.replacing("[50.", with: "[95.")
        try lab.scratch.write(Array(text.utf8), to: "sessions/\(record.id.text)/events")
        try lab.scratch.write([UInt8](repeating: 0x61, count: 9), to: "sessions/\(record.id.text)/output")
        let log = try lab.host.log(of: record.id)
        #expect(try log.offset(at: Timestamp(seconds: 5)) == 0)
        #expect(try log.offset(at: Timestamp(seconds: 20)) == 5)
        #expect(try log.offset(at: Timestamp(seconds: 60)) == 5)
        #expect(try log.offset(at: Timestamp(seconds: 92)) == 9)
        #expect(try log.offset(at: Timestamp(seconds: 99)) == 9)
    }

    @Test func `the timeline contains output, sizes, the amount of input, and the exit`() async throws {
        let record = try await lab.create("x", "read line; echo $line; exit 2")
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.resize(TerminalSize(columns: 90, rows: 30)))
        #expect(try await client.next() == .done)
        try client.send(.input(sequence: 1, isChecked: true, bytes: Array("secret\n".utf8)))
        _ = try await lab.end(of: record)
        let text = try String(contentsOfFile: lab.files(record).events, encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.drop { $0 != "," } }
        #expect(lines.prefix(2) == [",\"r\",\"80x24\"]", ",\"r\",\"90x30\"]"])
        #expect(lines.contains(",\"i\",7]"))
        #expect(lines.contains(",\"o\",16]"))
        #expect(lines.last == ",\"x\",{\"code\":2}]")
        #expect(!text.contains("secret"))
    }

    @Test func `a session ends with its program, even if a daemon keeps the terminal open`() async throws {
        let record = try await lab.create("x", "trap '' HUP; sleep 1000 & echo bye; exit 8")
        defer { for process in lab.processes(markedBy: record).compactMap(pid_t.init) { kill(process, SIGKILL) } }
        let ended = try await lab.end(of: record)
        #expect(ended.exit == .exited(8))
        #expect(try lab.text(of: record) == "bye\r\n")
    }
}
