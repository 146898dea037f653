import Core
import Foundation
import Recording
import Terminal
import TestSupport

/// Sample recordings: small generated ones, and those in the folder that `VT_CONFORMANCE` names.
enum CastSamples {
    static let real: [String] = {
        guard let root = ProcessInfo.processInfo.environment["VT_CONFORMANCE"] else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/casts/real")) ?? []
        return names.filter { $0.hasSuffix(".cast") }.sorted().map { "\(root)/casts/real/\($0)" }
    }()

    /// A changing full screen, scrolling text, sequences and characters split over events, and a resize.
    static func lively(_ version: RecordingHeader.Version = .v3, rounds: Int = 60) -> [UInt8] {
        var events: [(String, String)] = []
        for round in 0..<rounds {
            events.append(("o", "line \(round) \u{1B}[3"))
            events.append(("o", "\(round % 8)mcoloured\u{1B}[m"))
            events.append(("o", "\r\n中文 \(round) 👩\u{200D}👩 e\u{301}"))
            if round % 10 == 3 { events.append(("o", "\u{1B}[?1049h\u{1B}[2J\u{1B}[5;10Hother \(round)\u{1B}7")) }
            if round % 10 == 6 { events.append(("o", "\u{1B}[?1049l\u{1B}[2;8r\u{1B}]2;title \(round)\u{7}")) }
            if round % 10 == 8 { events.append(("o", "\u{1B}[r\u{1B}[20;1H\u{1B}[22t\u{1B}[?2004h=\u{1B}[3b")) }
            if round == rounds / 2 { events.append(("m", "half")) }
            if round == rounds * 2 / 3 { events.append(("r", "60x16")) }
        }
        return cast(events, version: version)
    }

    /// A recording with an event every tenth of a second.
    static func cast(
        _ events: [(String, String)],
        version: RecordingHeader.Version = .v3,
        columns: Int = 80,
        rows: Int = 24,
        title: String? = nil,
        command: String? = nil
    ) -> [UInt8] {
        var header = RecordingHeader(
            version: version,
            size: TerminalSize(columns: columns, rows: rows) ?? .standard
        )
        header.title = title
        header.command = command
        var writer = AsciicastWriter(version == .v2 ? .v2 : .v3)
        writer.write(header)
        for (index, (code, data)) in events.enumerated() {
            let time = RecordingTime(microseconds: Int64(index + 1) * 100_000)
            writer.write(RecordingEvent(time: time, code: code, data: Array(data.utf8)))
        }
        return writer.take()
    }

    /// All events of a recording.
    static func read(_ bytes: [UInt8]) throws -> (header: RecordingHeader, events: [RecordingEvent]) {
        var reader = AsciicastReader(.strict)
        reader.append(bytes)
        reader.finish()
        var header = RecordingHeader(size: .standard)
        var events: [RecordingEvent] = []
        while let item = try reader.next() {
            switch item {
            case .header(let given): header = given
            case .event(let event): events.append(event)
            }
        }
        return (header, events)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
