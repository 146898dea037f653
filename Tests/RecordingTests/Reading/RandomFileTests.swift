import Core
import Recording
import TestSupport
import Testing

/// Files that are randomly modified or truncated, reproducibly from a seed.
struct RandomFileTests {
    private static let seeds = [
        ConversionTests.full,
        AsciicastReaderTests.v3
            + "# c\n[1, \"o\", \"\\ud83d\\ude00\\u001b[m\"]\n\n[0.5, \"r\", \"90x30\"]\n[1e0,\"x\",\"0\"]\n",
        "{\"version\": 1, \"width\": 80, \"height\": 24, \"stdout\": [\n[1, \"a\\n\"],\n[0.5, \"b\"]], \"title\": \"é\"}",
    ]

    private static func mutated(_ seed: Int) -> [UInt8] {
        var random = SeededGenerator(spreading: seed)
        var bytes = Array(seeds[seed % seeds.count].utf8)
        let signs = Array("[]{},:\"\\\n#-.eE0129ulx \u{1}".utf8) + [0xC3, 0xFF]
        for _ in 0..<1 + random.next(6) {
            let place = random.next(bytes.count)
            switch random.next(5) {
            case 0: bytes[place] = signs[random.next(signs.count)]
            case 1: bytes.insert(signs[random.next(signs.count)], at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(contentsOf: bytes[place..<min(place + random.next(40), bytes.count)], at: place)
            default: bytes.removeSubrange(place..<min(place + random.next(9), bytes.count - 1))
            }
        }
        return random.next(4) == 0 ? Array(bytes.prefix(random.next(bytes.count))) : bytes
    }

    @Test(arguments: 0..<40)
    func `the result for a modified file does not depend on the size of the pieces`(_ group: Int) {
        for seed in group * 100..<group * 100 + 100 {
            let bytes = Self.mutated(seed)
            for policy in [RecordingPolicy.strict, .lenient] {
                let whole = ReadOutcome(bytes, policy, bytes.count + 1)
                #expect(ReadOutcome(bytes, policy, 1) == whole, "\(seed)")
                #expect(ReadOutcome(bytes, policy, 7) == whole, "\(seed)")
                guard case .read(let recording?) = whole else { continue }
                let again = try? ReadRecording(recording.written(.v3))
                #expect(again?.events == recording.events, "\(seed)")
                #expect(zip(recording.events, recording.events.dropFirst()).allSatisfy { $0.time <= $1.time })
            }
        }
    }

    @Test(arguments: 0..<10)
    func `arbitrary data causes neither a trap nor a hang`(_ group: Int) {
        for seed in group * 100..<group * 100 + 100 {
            var random = SeededGenerator(spreading: seed)
            var bytes = (0..<random.next(400)).map { _ in UInt8(random.next(256)) }
            if seed % 2 == 0 { bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bytes }
            if seed % 5 == 0 { bytes = Array("{\"version\":1,\"stdout\":[".utf8) + bytes }
            for policy in [RecordingPolicy.strict, .lenient] {
                #expect(ReadOutcome(bytes, policy, 1) == ReadOutcome(bytes, policy, 4096), "\(seed)")
            }
        }
    }
}
