import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct TimelineTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test func `a session's timeline starts with its size and ends with its exit`() async throws {
        let record = try await lab.create("x", "read line; echo $line; exit 2")
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.resize(TerminalSize(columns: 90, rows: 30)))
        #expect(try await client.next() == .done)
        try client.send(.input(sequence: 1, isChecked: true, bytes: Array("secret\n".utf8)))
        let ended = try await lab.end(of: record)
        let events = try events(of: record)
        #expect(events.first?.kind == .resize(.standard))
        #expect(events.dropFirst().first?.kind == .resize(try TerminalSize(parsing: "90x30")))
        #expect(events.contains { $0.kind == .input(count: 7) })
        #expect(events.contains { $0.kind == .output(end: 16) })
        #expect(events.last?.kind == .exit(.exited(2)))
        #expect(events.map(\.time) == events.map(\.time).sorted())
        let (started, over) = (try #require(record.startedAt).seconds, try #require(ended.endedAt).seconds + 1)
        #expect((started...over).contains(try #require(events.last).time / 1_000_000))
    }

    @Test func `a marker follows the output before it`() async throws {
        let record = try await lab.create("x", "printf before; read line; printf after")
        #expect(try await lab.output(of: record, holds: "before"))
        let client = try await HolderClientConnection(lab.files(record))
        for invalid in ["a\n", String(repeating: "a", count: 257)] {
            try client.send(.marker(invalid))
            guard case .failure(let error) = try await client.next() else {
                Issue.record("no failure")
                return
            }
            #expect(error.code == .usage)
        }
        try client.send(.marker("here"))
        #expect(try await client.next() == .accepted(sequence: 0, offset: 6))
        try client.send(.input(sequence: 1, isChecked: true, bytes: Array("\n".utf8)))
        _ = try await lab.end(of: record)
        let events = try events(of: record).map(\.kind).filter { [.marker("here"), .output(end: 6)].contains($0) }
        #expect(events == [.output(end: 6), .marker("here")])
    }

    @Test func `a truncated timeline still starts with the size`() async throws {
        let program = "stty raw -echo; echo ready; head -c 3000 >/dev/null; seq 1 50000"
        var request = try lab.request("x", "/bin/sh", "-c", program)
        request.creation.logLimitBytes = 64 << 10
        request.creation.size = try TerminalSize(parsing: "100x40")
        let record = try await lab.host.create(request)
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        for number in 1...3000 {
            try client.send(.input(sequence: UInt64(number), isChecked: false, bytes: [0x61]))
            _ = try await client.next()
        }
        _ = try await lab.end(of: record)
        let events = try events(of: record)
        #expect(events.count { $0.kind == .input(count: 1) } < 200)
        let first = events.first { $0.kind != .input(count: 1) && $0.kind.isNoOutput }
        #expect(first?.kind == .resize(request.creation.size))
        #expect(events.last?.kind == .exit(.exited(0)))
    }

    // MARK: - Malformed files

    @Test func `skips NULs, incomplete lines and garbage`() async throws {
        var lines = [UInt8](repeating: 0, count: 200_000)
        lines += Array("0000,\"o\",1]\n[1.000000,\"o\",2]\n".utf8)
        lines += [UInt8](repeating: 0x5b, count: 300_000)
        lines += Array("\n\n[2.000000,\"q\",3]\n[2.000000,\"o\",".utf8) + [0, 0, 0] + Array("4]\n".utf8)
        lines += Array("[3.000000,\"o\",5]\n[4.000000,\"o\",6".utf8)
        let record = try await ended(events: lines)
        let expected = [
            SessionLogEvent(time: 1_000_000, .output(end: 2)), SessionLogEvent(time: 3_000_000, .output(end: 5)),
        ]
        #expect(try events(of: record) == expected)
    }

    @Test func `skips a hole in the file`() async throws {
        let record = try await ended(events: [])
        let handle = try #require(FileHandle(forWritingAtPath: lab.files(record).events))
        try handle.seek(toOffset: 1 << 40)
        try handle.write(contentsOf: Data("\n[1.000000,\"o\",2]\n".utf8))
        try handle.close()
        #expect(try events(of: record) == [SessionLogEvent(time: 1_000_000, .output(end: 2))])
    }

    @Test func `reads a line once it is complete`() async throws {
        let record = try await ended(events: Array("[1.000000,\"o\",2]\n[2.0000".utf8))
        let log = try lab.host.log(of: record.id)
        var timeline = SessionTimeline()
        #expect(try timeline.next(in: log)?.kind == .output(end: 2))
        #expect(try timeline.next(in: log) == nil)
        let handle = try #require(FileHandle(forWritingAtPath: lab.files(record).events))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("00,\"o\",3]\n".utf8))
        try handle.close()
        #expect(try timeline.next(in: log)?.kind == .output(end: 3))
    }

    @Test func `a missing timeline has no events`() async throws {
        let record = try await ended(events: [])
        try FileManager.default.removeItem(atPath: lab.files(record).events)
        #expect(try events(of: record).isEmpty)
    }

    private func ended(events: [UInt8]) async throws -> Session {
        let record = try await lab.create("x", "true")
        _ = try await lab.end(of: record)
        try lab.scratch.write(events, to: "sessions/\(record.id.text)/events")
        return record
    }

    private func events(of record: Session) throws -> [SessionLogEvent] {
        let log = try lab.host.log(of: record.id)
        var timeline = SessionTimeline()
        var events: [SessionLogEvent] = []
        while let event = try timeline.next(in: log) { events.append(event) }
        return events
    }
}

extension SessionLogEvent.Kind {
    fileprivate var isNoOutput: Bool {
        if case .output = self { false } else { true }
    }
}
