import Core
import CoreTestSupport
import Foundation
import Recording
import Terminal
import TestSupport
import Testing

struct RecordingScreensTests {
    private let scratch: ScratchDirectory
    private let notes = RecordedNotes()

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func screen(
        of path: String,
        at position: RecordingPosition? = nil,
        policy: RecordingPolicy = .strict,
        scrollback: Int = 0
    ) throws -> RecordingFile.ShownScreen {
        let source = try RecordingFile(opening: path, policy: policy, diagnostics: notes)
        return try source.screen(at: position, scrollback: scrollback)
    }

    /// Plays a recording from its start.
    private func replay(_ bytes: [UInt8], to time: RecordingTime) throws -> Screen {
        let (header, events) = try CastSamples.read(bytes)
        var emulator = Emulator(size: header.size)
        for event in events where event.time <= time {
            switch event.content {
            case .output(let bytes): emulator.feed(bytes)
            case .resize(let size): if size != emulator.size { emulator.resize(to: size) }
            default: break
            }
        }
        return emulator.screen()
    }

    private func compare(_ bytes: [UInt8], at path: String) throws {
        let end = try #require(try CastSamples.read(bytes).events.last?.time)
        for step in 0..<50 {
            let time = RecordingTime(microseconds: end.microseconds * Int64(step) / 49)
            let shown = try screen(of: path, at: .time(time))
            #expect(try shown.screen == replay(bytes, to: time), "at \(time.text())")
        }
    }

    @Test(arguments: CastSamples.real)
    func `the screen at a position equals the result of playing a recording`(_ path: String) throws {
        try compare(CastSamples.bytes(path), at: path)
    }

    @Test(arguments: [RecordingHeader.Version.v2, .v3])
    func `the screen of a lively recording equals the result of playing it`(_ version: RecordingHeader.Version) throws {
        let bytes = CastSamples.lively(version)
        try compare(bytes, at: scratch.write(bytes, to: "a.cast"))
    }

    @Test func `finds positions of every kind`() throws {
        let bytes = CastSamples.lively()
        let path = try scratch.write(bytes, to: "a.cast")
        for text in ["50%", "-1", "marker:half", "event:77", "3.5", nil] {
            let position = try text.map { try RecordingPosition(parsing: $0) }
            let shown = try screen(of: path, at: position)
            #expect(try shown.screen == replay(bytes, to: shown.time), "at \(text ?? "the end")")
            if text == "event:77" { #expect(shown.events == 77) }
        }
    }

    @Test func `reports a position that does not exist`() throws {
        let path = try scratch.write(CastSamples.lively(), to: "a.cast")
        for position in [RecordingPosition.marker("none"), .event(100_000)] {
            #expect {
                try screen(of: path, at: position)
            } throws: { ($0 as? VTError)?.code == .notFound }
        }
    }

    @Test func `a strict reader reports an invalid line anywhere in the file`() throws {
        let path = try scratch.write(CastSamples.lively() + Array("[0.1, \"o\"]\n".utf8), to: "a.cast")
        let start = try RecordingPosition(parsing: "10%")
        _ = try screen(of: path, at: start, policy: .lenient)
        #expect {
            try screen(of: path, at: start)
        } throws: { ($0 as? VTError)?.hint == "add --lenient to skip unreadable lines" }
    }

    @Test func `includes rows that have scrolled off the screen`() throws {
        let path = try scratch.write(CastSamples.lively(rounds: 20), to: "a.cast")
        let shown = try screen(of: path, scrollback: 5)
        #expect(shown.screen.scrollback.count == 5)
    }

    @Test func `reports an input that is not a recording`() throws {
        let path = try scratch.write(Array("hello\n".utf8), to: "a.cast")
        #expect {
            try screen(of: path)
        } throws: { error in
            let reason = "line 1: not a recording: expected a JSON header"
            return error as? VTError == VTError(.dataInvalid, "cannot read '\(path)': \(reason)")
        }
    }

    @Test func `skips and reports an incomplete last line`() throws {
        let bytes = CastSamples.cast([("o", "whole")]) + Array("[0.1, \"o\", \"to".utf8)
        let path = try scratch.write(bytes, to: "a.cast")
        let shown = try screen(of: path, policy: .lenient)
        #expect(shown.screen.rows[0].text == "whole")
        #expect(notes.all == ["'\(path)': line 3: the recording ends in the middle of the line"])
    }
}
