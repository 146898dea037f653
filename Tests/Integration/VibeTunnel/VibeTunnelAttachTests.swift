import Foundation
import TestSupport
import Testing

/// Terminals that are attached to sessions of a server.
struct VibeTunnelAttachTests {
    typealias Era = VibeTunnelDouble.Era

    private func window(_ lab: VibeTunnelLab) async throws -> TerminalWindow {
        try await TerminalWindow(columns: 80, rows: 24, environment: lab.vt.environment)
    }

    @Test func `the notes of a connection are printed after it`() async throws {
        let lab = try await VibeTunnelLab(.v3)
        let session = lab.server.add("s")
        session.emit("one\r\n")
        let window = try await window(lab)
        try await window.enter("vt attach mac:s")
        try await window.wait(for: "one")
        session.replaceHistory("other\r\n")
        lab.server.cut()
        try await window.wait(for: "other")
        #expect(try await !window.screen().contains("does not continue"))
        try await window.press("C-]")
        try await window.wait(for: "does not continue")
    }

    @Test(arguments: Era.allCases)
    func `only --size changes the size of a session`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let session = lab.server.add("s")
        session.emit("one\r\n")
        func resizes() -> [String] {
            lab.server.requests.filter { $0.path.hasSuffix("/resize") }.map { String(decoding: $0.body, as: UTF8.self) }
        }
        let first = try await window(lab)
        try await first.enter("vt attach mac:s")
        try await first.wait(for: "one")
        try await first.resize(columns: 90, rows: 20)
        try await first.press("C-]")
        try await first.wait(for: "detached")
        #expect(resizes() == [])
        let second = try await window(lab)
        try await second.enter("vt attach mac:s --size 100x30")
        try await second.wait(for: "one")
        #expect(resizes() == [#"{"cols":100,"rows":30}"#])
        session.end(0)
        let ended = try await lab.run("attach", "mac:s", "--size", "90x20")
        #expect(ended.exit == 0 && ended.text.contains("one"), "\(ended.errorText)")
    }

    @Test(arguments: Era.allCases)
    func `after clearings and cuts, a terminal shows the same screen`(_ era: Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let session = lab.server.add("s")
        session.emit("start\r\n")
        let window = try await window(lab)
        try await window.enter("vt attach mac:s")
        try await window.wait(for: "start")
        for round in 1...25 {
            session.emit("\u{1B}[H\u{1B}[2J")
            for line in 1...5 { session.emit("round \(round) line \(line)\r\n") }
            let streams = session.streamCount
            lab.server.cut()
            #expect(await eventually { session.streamCount > streams })
            session.emit("round \(round) after the cut\r\n")
        }
        session.emit("end")
        try await window.wait(for: "end")
        let lines = try await window.screen().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines.filter { !$0.isEmpty } == (1...5).map { "round 25 line \($0)" } + ["round 25 after the cut", "end"]
        )
    }
}
