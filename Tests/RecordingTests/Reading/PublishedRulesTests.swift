import Core
import Recording
import TestSupport
import Testing

struct PublishedRulesTests {
    @Test func `written v3 files follow the rules of the format`() throws {
        for resolution in [AsciicastWriter.Resolution.microseconds, .milliseconds] {
            let recording = try #require(try ReadRecording(ConversionTests.full))
            try PublishedRules.check(recording.written(.v3, resolution))
        }
    }

    @Test(arguments: FixtureTests.File.all("accept-reject") + FixtureTests.File.all("real"))
    func `conversions of third-party recordings follow the rules`(_ file: FixtureTests.File) throws {
        guard file.isGood else { return }
        let recording = try #require(try ReadRecording(try file.bytes()))
        try PublishedRules.check(recording.written(.v3))
    }

    @Test(arguments: 0..<20)
    func `recordings of random output follow the rules`(_ seed: Int) throws {
        var random = SeededGenerator(spreading: seed)
        var decoder = OutputDecoder()
        var writer = AsciicastWriter(.v3, seed % 2 == 0 ? .microseconds : .milliseconds)
        writer.write(RecordingHeader(size: .standard))
        var time: Int64 = 0
        for _ in 0..<200 {
            time += Int64(random.next(100_000))
            let bytes = (0..<random.next(60)).map { _ in UInt8(random.next(256)) }
            writer.write(RecordingEvent(time: RecordingTime(microseconds: time), .output(decoder.decode(bytes))))
        }
        try PublishedRules.check(writer.take())
    }

    @Test(arguments: ["{}\n", AsciicastReaderTests.v2, "# comment\n"])
    func `detects a header that violates a rule`(_ text: String) {
        let violation = #expect(throws: PublishedRules.Violation.self) { try PublishedRules.check(Array(text.utf8)) }
        #expect(violation?.line == 1)
    }

    @Test(arguments: [#"[1, "o"]"#, #"[-1, "o", ""]"#, #"[1, "x", "a"]"#, #"[1, "r", "0x1"]"#, #"[1, 2, ""]"#])
    func `detects an event that violates a rule`(_ line: String) {
        let file = Array((AsciicastReaderTests.v3 + line + "\n").utf8)
        let violation = #expect(throws: PublishedRules.Violation.self) { try PublishedRules.check(file) }
        #expect(violation?.line == 2)
    }
}
