import Core
import CoreTestSupport
import Foundation
import Recording
import Terminal
import TestSupport
import Testing

struct RecordingScreensTests {
    private let scratch: ScratchDirectory
    private let cache = MemoryCache()
    private let notes = RecordedNotes()

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func service(indexedBytes: Int64 = 0) -> RecordingScreens {
        RecordingScreens(cache: cache, diagnostics: notes, indexedBytes: indexedBytes, spacingBytes: 1_000)
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
            let shown = try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: .time(time))
            #expect(try shown.screen == replay(bytes, to: time), "at \(time.text())")
        }
    }

    @Test(arguments: CastSamples.real)
    func `the screen at a position equals the result of playing a recording`(_ path: String) throws {
        try compare(CastSamples.bytes(path), at: path)
    }

    @Test(arguments: [RecordingHeader.Version.v2, .v3])
    func `a screen based on a keyframe equals the result of playing`(_ version: RecordingHeader.Version) throws {
        let bytes = CastSamples.lively(version)
        try compare(bytes, at: scratch.write(bytes, to: "a.cast"))
        #expect(cache.names.count == 1)
    }

    @Test func `finds positions of every kind, with and without an index`() throws {
        let path = try scratch.write(CastSamples.lively(), to: "a.cast")
        let positions: [RecordingPosition?] = try ["50%", "-1", "marker:half", "event:77", "3.5"].map {
            try RecordingPosition(parsing: $0)
        }
        for position in positions + [nil] {
            let indexed = try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: position)
            let played = try service(indexedBytes: .max).screen(
                of: RecordingFile(opening: path, diagnostics: notes),
                at: position
            )
            #expect(indexed.screen == played.screen)
            #expect(indexed.time == played.time)
            #expect(indexed.events == played.events)
        }
    }

    @Test(arguments: [Int64(0), .max])
    func `reports a position that does not exist`(_ indexedBytes: Int64) throws {
        let path = try scratch.write(CastSamples.lively(), to: "a.cast")
        for position in [RecordingPosition.marker("none"), .event(100_000)] {
            #expect {
                try service(indexedBytes: indexedBytes).screen(
                    of: RecordingFile(opening: path, diagnostics: notes),
                    at: position
                )
            } throws: { ($0 as? VTError)?.code == .notFound }
        }
    }

    @Test func `a changed file gets its own index`() throws {
        let path = try scratch.write(CastSamples.lively(rounds: 30), to: "a.cast")
        _ = try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: nil)
        let bytes = CastSamples.lively(rounds: 40)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let shown = try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: nil)
        #expect(try shown.screen == replay(bytes, to: .latest))
    }

    @Test func `indexes a file regardless of its modification time`() throws {
        let path = try scratch.write(CastSamples.lively(), to: "a.cast")
        let date = Date(timeIntervalSince1970: 9_300_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        _ = try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: nil)
        #expect(cache.names.count == 1)
    }

    @Test func `a strict reader does not use the index of a lenient one`() throws {
        let path = try scratch.write(CastSamples.lively() + Array("[0.1, \"o\"]\n".utf8), to: "a.cast")
        let start = try RecordingPosition(parsing: "10%")
        _ = try service().screen(of: RecordingFile(opening: path, policy: .lenient, diagnostics: notes), at: start)
        #expect {
            try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: start)
        } throws: { ($0 as? VTError)?.hint == "add --lenient to skip unreadable lines" }
    }

    @Test func `recreates a damaged index`() throws {
        let bytes = CastSamples.lively()
        let path = try scratch.write(bytes, to: "a.cast")
        _ = try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: nil)
        let damages: [(inout [UInt8]) -> Void] = [
            { $0[$0.count / 2] ^= 1 }, { $0.removeLast(9) }, { $0 = [] }, { $0 = Array("vt keyframes 3\n".utf8) },
        ]
        for damage in damages {
            cache.damage(damage)
            let time = RecordingTime(microseconds: 9_000_000)
            let shown = try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: .time(time))
            #expect(try shown.screen == replay(bytes, to: time))
        }
    }

    @Test func `includes rows that have scrolled off the screen`() throws {
        let path = try scratch.write(CastSamples.lively(rounds: 20), to: "a.cast")
        let shown = try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: nil, scrollback: 5)
        #expect(shown.screen.scrollback.count == 5)
    }

    @Test func `reports an input that is not a recording`() throws {
        let path = try scratch.write(Array("hello\n".utf8), to: "a.cast")
        #expect {
            try service().screen(of: RecordingFile(opening: path, diagnostics: notes), at: nil)
        } throws: { error in
            let reason = "line 1: not a recording: expected a JSON header"
            return error as? VTError == VTError(.dataInvalid, "cannot read '\(path)': \(reason)")
        }
    }

    @Test func `skips and reports an incomplete last line`() throws {
        let bytes = CastSamples.cast([("o", "whole")]) + Array("[0.1, \"o\", \"to".utf8)
        let path = try scratch.write(bytes, to: "a.cast")
        let shown = try service(indexedBytes: .max).screen(
            of: RecordingFile(opening: path, policy: .lenient, diagnostics: notes),
            at: nil
        )
        #expect(shown.screen.rows[0].text == "whole")
        #expect(notes.all == ["'\(path)': line 3: the recording ends in the middle of the line"])
    }
}
