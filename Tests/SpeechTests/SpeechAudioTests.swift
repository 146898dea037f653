import Core
import Speech
import Testing

struct SpeechAudioTests {
    private static func wave(samples: Int, level: UInt8 = 1, rate: Int = 16_000) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let header = Array("RIFF".utf8) + number(0) + Array("WAVEfmt ".utf8) + number(16) + [1, 0, 1, 0]
        return header + number(rate) + number(2 * rate) + [2, 0, 16, 0] + Array("data".utf8) + number(0)
            + (0..<samples).flatMap { _ in [0, level] }
    }

    private static func code(_ bytes: [UInt8], _ name: String = "a.wav") -> VTError.Code? {
        do throws(VTError) {
            _ = try SpeechAudio(StoredBytes(bytes), of: name)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `short and silent audio contains no speech`() {
        #expect(Self.code(Self.wave(samples: 1600)) == nil)
        #expect(Self.code(Self.wave(samples: 1599)) == .negative)
        #expect(Self.code(Self.wave(samples: 1600, level: 0)) == .negative)
    }

    @Test func `audio is limited in length and size`() {
        #expect(Self.code(Self.wave(samples: 1_800_000, rate: 1000)) == nil)
        #expect(Self.code(Self.wave(samples: 1_801_000, rate: 1000)) == .dataInvalid)
        #expect(Self.code([UInt8](repeating: 1, count: 64 << 20 + 1), "a.mp3") == .dataInvalid)
    }

    @Test func `formats are known by their contents`() throws {
        let flac = try SpeechAudio(StoredBytes(Array("fLaC".utf8)), of: "dir.mp3/note.FLAC")
        #expect(flac.mediaType == "audio/flac" && flac.fileExtension == "flac" && flac.samples == nil)
        #expect(try flac.parts.map { try $0.read() } == [Array("fLaC".utf8)])
        let wave = try SpeechAudio(StoredBytes(Self.wave(samples: 16_000)), of: "note.mp3")
        #expect(wave.fileExtension == "wav" && wave.samples?.duration == .seconds(1))
        for name in ["note.wav", "note", "-"] {
            #expect(try SpeechAudio(StoredBytes(Array("fLaC".utf8)), of: name).mediaType == "audio/flac", "\(name)")
        }
        for contents in ["<html>", "RF64....WAVE", "RIFX....WAVE", "ftyp"] {
            #expect(Self.code(Array(contents.utf8), "note.mp3") == .dataInvalid, "\(contents)")
        }
        let m4a = StoredBytes([0, 0, 0, 0x20] + Array("ftypM4A ".utf8))
        #expect(try SpeechAudio(m4a, of: "a").mediaType == "audio/mp4")
        #expect(Self.code([], "a.mp3") == .dataInvalid)
    }
}
