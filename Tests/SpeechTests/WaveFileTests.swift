import Core
import Speech
import TestSupport
import Testing

struct WaveFileTests {
    /// A file to read, and what is expected: the number of samples, or nil for an error.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
        var samples: Int?
        var channels = 1
        var rate = 16_000
    }

    private static let tone = [UInt8]((0..<800).map { $0 % 2 == 0 ? UInt8($0 / 2 & 0xFF) : 0x10 })

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ name: String, _ contents: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(name.utf8) + number(size ?? contents.count, 4) + contents + (contents.count % 2 == 0 ? [] : [0])
    }

    private static func format(
        _ code: Int = 1,
        channels: Int = 1,
        rate: Int = 16_000,
        bits: Int = 16,
        align: Int? = nil,
        more: [UInt8] = []
    ) -> [UInt8] {
        let align = align ?? channels * bits / 8
        let start = number(code, 2) + number(channels, 2) + number(rate, 4) + number(rate * align, 4)
        return chunk("fmt ", start + number(align, 2) + number(bits, 2) + more)
    }

    private static func extensible(_ code: Int, suffix: [UInt8] = [0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113])
        -> [UInt8]
    {
        format(0xFFFE, more: number(22, 2) + number(16, 2) + number(4, 4) + number(code, 2) + suffix)
    }

    private static func file(_ chunks: [UInt8]..., size: Int? = nil) -> [UInt8] {
        let contents = Array("WAVE".utf8) + chunks.flatMap(\.self)
        return Array("RIFF".utf8) + number(size ?? contents.count, 4) + contents
    }

    private static func pipe(_ size: Int) -> [UInt8] {
        file(format(), chunk("data", tone, size: size), size: size)
    }

    private static func contents(_ wave: WaveFile) throws -> [UInt8] {
        try wave.file.flatMap { try $0.read() }
    }

    private static let data = chunk("data", tone)
    private static let list = chunk("LIST", Array("INFOISFT".utf8) + number(3, 4) + Array("sox".utf8))

    static let cases: [Case] = [
        Case(testDescription: "44 bytes", bytes: file(format(), data), samples: 400),
        Case(testDescription: "two channels", bytes: file(format(channels: 2), data), samples: 400, channels: 2),
        Case(testDescription: "44,100 Hz", bytes: file(format(rate: 44_100), data), samples: 400, rate: 44_100),
        Case(testDescription: "8,000 Hz", bytes: file(format(rate: 8000), data), samples: 400, rate: 8000),
        Case(testDescription: "odd chunk before the format", bytes: file(list, format(), data), samples: 400),
        Case(testDescription: "odd chunk before the data", bytes: file(format(), list, data), samples: 400),
        Case(testDescription: "chunk after the data", bytes: file(format(), data, list), samples: 400),
        Case(testDescription: "empty chunk", bytes: file(format(), chunk("fact", []), data), samples: 400),
        Case(testDescription: "format of 18 bytes", bytes: file(format(more: [0, 0]), data), samples: 400),
        Case(testDescription: "extensible", bytes: file(extensible(1), data), samples: 400),
        Case(testDescription: "extensible, float", bytes: file(extensible(3), data)),
        Case(
            testDescription: "extensible, another GUID",
            bytes: file(extensible(1, suffix: [UInt8](repeating: 7, count: 14)), data)
        ),
        Case(testDescription: "extensible, cut", bytes: file(format(0xFFFE, more: [22, 0]), data)),
        Case(testDescription: "float", bytes: file(format(3, bits: 32), data)),
        Case(testDescription: "8 bits", bytes: file(format(bits: 8), data)),
        Case(testDescription: "24 bits", bytes: file(format(bits: 24), data)),
        Case(testDescription: "A-law", bytes: file(format(6, bits: 8), data)),
        Case(testDescription: "no channels", bytes: file(format(channels: 0), data)),
        Case(testDescription: "no rate", bytes: file(format(rate: 0), data)),
        Case(testDescription: "wrong alignment", bytes: file(format(align: 3), data)),
        Case(testDescription: "size 0", bytes: pipe(0), samples: 400),
        Case(testDescription: "size 7FFFFFFF", bytes: pipe(0x7FFF_FFFF), samples: 400),
        Case(testDescription: "size 7FFFF024", bytes: pipe(0x7FFF_F024), samples: 400),
        Case(testDescription: "size FFFFFFFF", bytes: pipe(0xFFFF_FFFF), samples: 400),
        Case(testDescription: "wrong size of the file", bytes: file(format(), data, size: 12), samples: 400),
        Case(testDescription: "half a sample at the end", bytes: pipe(0) + [1], samples: 400),
        Case(testDescription: "data cut", bytes: Array(file(format(), data).dropLast(10))),
        Case(testDescription: "header cut", bytes: Array(file(format(), data).prefix(30))),
        Case(testDescription: "no format", bytes: file(data)),
        Case(testDescription: "no data", bytes: file(format(), list)),
        Case(
            testDescription: "size of a chunk beyond the end",
            bytes: file(format(), chunk("LIST", [], size: 0xFFFF_FFF0))
        ),
        Case(testDescription: "big-endian", bytes: Array("RIFX".utf8) + file(format(), data).dropFirst(4)),
        Case(testDescription: "empty", bytes: []),
    ]

    @Test(arguments: cases) func `headers`(_ test: Case) throws {
        guard let count = test.samples else {
            let error = #expect(throws: VTError.self) { try WaveFile(StoredBytes(test.bytes), name: "'a.wav'") }
            #expect(error?.code == .dataInvalid)
            return
        }
        let wave = try WaveFile(StoredBytes(test.bytes), name: "'a.wav'")
        #expect(wave.samples.count == 2 * count && wave.channels == test.channels && wave.rate == test.rate)
        let format = Self.format(channels: test.channels, rate: test.rate)
        #expect(try Self.contents(wave) == Self.file(format, Self.chunk("data", try wave.samples.read())))
    }

    @Test func `a sample of -60 dBFS is silent, and a louder one is not`() throws {
        for (sample, isSilent) in [(0, true), (32, true), (33, false), (-32, true), (-33, false), (-32_768, false)] {
            let bytes = Self.file(Self.format(), Self.chunk("data", Self.number(sample, 2)))
            #expect(try WaveFile(StoredBytes(bytes), name: "").isSilent == isSilent)
        }
    }

    @Test func `changed and random bytes never trap`() throws {
        var generator = SeededGenerator(seed: 27)
        for round in 0..<20_000 {
            var bytes = Self.cases[round % Self.cases.count].bytes.prefix(120).map(\.self)
            for _ in 0..<Int.random(in: 0...8, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...min(4, bytes.count), using: &generator))
            let audio = try? SpeechAudio(StoredBytes(bytes), of: "a.wav")
            if let wave = try? WaveFile(StoredBytes(bytes), name: "") {
                #expect(try Self.contents(wave).count == 44 + wave.samples.count)
                #expect(try audio == nil || !wave.isSilent)
            }
        }
    }
}
