import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct TimelineInputTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test func `records typed input while it is echoed, if requested at creation`() async throws {
        // Input counts as not echoed if the program disables echo before the holder checks again.
        let noted = "until [ -e '\(answered(1))' ]; do sleep 0.01; done"
        let program = """
            echo name; read name; \(noted); stty -echo; echo password; read secret; stty echo; echo again; read rest
            """
        let (events, files) = try await typing(["Zoë\n", "hunter2\n", "rest\n"], into: program, logsInput: true)
        #expect(events.compactMap(\.typed) == ["Zoë\n", "rest\n"])
        #expect(events.contains { $0.kind == .input(count: 8) })
        #expect(try !String(contentsOfFile: files.events, encoding: .utf8).contains("hunter2"))
    }

    @Test func `does not record typed input unless requested`() async throws {
        let program = "echo name; read name; echo password; read secret; echo again; read rest"
        let (events, _) = try await typing(["a\n", "b\n", "c\n"], into: program, logsInput: false)
        #expect(events.compactMap(\.typed).isEmpty)
        #expect(events.count { $0.kind == .input(count: 2) } == 3)
    }

    @Test func `records long input in short lines without splitting characters`() async throws {
        let text = String(repeating: "a€", count: 1000)
        let record = try await session("cat >/dev/null", logsInput: true)
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.input(sequence: 1, isChecked: true, bytes: Array((text + "\n\u{04}").utf8)))
        _ = try await lab.end(of: record)
        #expect(try events(of: record).compactMap(\.typed).joined() == text + "\n\u{04}")
        let lines = try String(contentsOfFile: lab.files(record).events, encoding: .utf8).split(separator: "\n")
        #expect(lines.allSatisfy { $0.utf8.count < 4096 })
    }

    @Test func `records bytes that are not text as U+FFFD`() async throws {
        let record = try await session("cat; echo password; echo again", logsInput: true)
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.input(sequence: 1, isChecked: true, bytes: [0x61, 0xFF, 0x0A, 0x04]))
        _ = try await lab.end(of: record)
        #expect(try events(of: record).compactMap(\.typed) == ["a\u{FFFD}\n\u{04}"])
    }

    // MARK: -

    private func session(_ program: String, logsInput: Bool) async throws -> Session {
        var request = try lab.request("x", "/bin/sh", "-c", program)
        request.creation.logsInput = logsInput
        return try await lab.host.create(request)
    }

    /// Types three texts, each once its prompt has appeared.
    private func typing(
        _ texts: [String],
        into program: String,
        logsInput: Bool
    ) async throws -> ([SessionLogEvent], SessionFiles) {
        let record = try await session(program, logsInput: logsInput)
        #expect(record.logsInput == logsInput)
        let client = try await HolderClientConnection(lab.files(record))
        for (index, text) in texts.enumerated() {
            #expect(try await lab.output(of: record, holds: ["name", "password", "again"][index]))
            try client.send(.input(sequence: UInt64(index + 1), isChecked: true, bytes: Array(text.utf8)))
            _ = try await client.next()
            try Data().write(to: URL(fileURLWithPath: answered(index + 1)))
        }
        _ = try await lab.end(of: record)
        return (try events(of: record), lab.files(record))
    }

    /// A file that exists once the holder has acknowledged the text with this number, starting at 1.
    private func answered(_ number: Int) -> String {
        lab.scratch.path("answered-\(number)")
    }

    private func events(of record: Session) throws -> [SessionLogEvent] {
        let log = try lab.host.log(of: record.id)
        var timeline = SessionTimeline()
        var events: [SessionLogEvent] = []
        while let event = try timeline.next(in: log) { events.append(event) }
        return events
    }
}

extension SessionLogEvent {
    /// The typed text; nil for other events.
    fileprivate var typed: String? {
        if case .typed(let text) = kind { text } else { nil }
    }
}
