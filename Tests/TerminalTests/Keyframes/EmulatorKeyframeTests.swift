import Core
import Terminal
import Testing

struct EmulatorKeyframeTests {
    @Test(arguments: 0..<150)
    func `a terminal restored from a keyframe behaves like the original`(_ seed: Int) throws {
        var random = RandomOutput(seed: seed)
        var emulator = try Emulator("30x8", "")
        for _ in 0..<6 {
            emulator.feed(random.bytes(300))
            _ = emulator.takeAnswers()
            guard let keyframe = EmulatorKeyframe(emulator) else { continue }
            let copied = try #require(EmulatorKeyframe(decoding: keyframe.bytes[...]))
            #expect(copied == keyframe)
            var copy = copied.emulator()
            let rest = random.bytes(300)
            var original = emulator
            original.feed(rest)
            copy.feed(rest)
            #expect(copy.screen().differences(from: original.screen()) == [])
        }
    }

    @Test(arguments: [
        "\u{1B}[22t\u{1B}]2;other\u{7}|\u{1B}[23t", "\u{1B}[?1s\u{1B}[?1h|\u{1B}[?1r", "ab|\u{1B}[3b", "🇩|🇪",
        "👩|\u{200D}👧", "e|\u{301}", "\u{1B}[?2026hx|y", "\u{1B}]133;A\u{7}$ \u{1B}]133;B\u{7}|\u{1B}]133;C\u{7}",
        "\u{1B}[5;7H\u{1B}[31m\u{1B}7\u{1B}[H|\u{1B}8x", "\u{1B}(0|q", "\u{1B}-A\u{0E}|a",
        "a\u{1B}[2*x|\u{1B}[1;1;2;2;7$r",
        "\u{1B}]1;icon\u{7}\u{1B}[22t\u{1B}]1;other\u{7}|\u{1B}[23;1t",
    ])
    func `includes state that is not visible on the screen`(_ text: String) throws {
        let parts = text.utf8.split(separator: UInt8(ascii: "|")).map { Array($0) }
        var emulator = try Emulator("30x8", "")
        emulator.feed(parts[0])
        var copy = try #require(EmulatorKeyframe(emulator)).emulator()
        emulator.feed(parts[1])
        copy.feed(parts[1])
        #expect(copy.screen().differences(from: emulator.screen()) == [])
    }

    @Test func `no keyframe is captured within a sequence or after a single shift`() throws {
        #expect(EmulatorKeyframe(try Emulator("30x8", "text\u{1B}[3")) == nil)
        #expect(EmulatorKeyframe(try Emulator("30x8", "text\u{1B}N")) == nil)
        #expect(EmulatorKeyframe(try Emulator("30x8", "text\u{1B}[3m")) != nil)
    }

    @Test func `rejects truncated bytes, and does not crash on damaged ones`() throws {
        let bytes = try #require(EmulatorKeyframe(try Emulator("30x8", "text"))).bytes
        for count in 0..<bytes.count { #expect(EmulatorKeyframe(decoding: bytes[..<count]) == nil) }
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0xFF
            _ = EmulatorKeyframe(decoding: damaged[...])?.emulator()
        }
    }
}
