import Foundation
import TestSupport

/// Audio for `vt transcribe`.
enum SpeechFixture {
    /// A WAV file with a header of 44 bytes.
    static func wave(milliseconds: Int = 500, channels: Int = 1, rate: Int = 16_000) -> [UInt8] {
        func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let count = milliseconds * rate / 1000 * channels * 2
        var file = Array("RIFF".utf8) + number(36 + count) + Array("WAVEfmt ".utf8) + number(16) + number(1, 2)
        file += number(channels, 2) + number(rate) + number(rate * channels * 2) + number(channels * 2, 2)
        file += number(16, 2) + Array("data".utf8) + number(count)
        return file + (0..<count).map { UInt8(truncatingIfNeeded: $0 % 2 == 0 ? $0 : $0 / 7 % 64) }
    }
}

extension Vt {
    /// Runs `vt transcribe` with an engine.
    func transcribe(
        _ words: String...,
        engine: String,
        input: [UInt8] = [],
        environment: [String: String] = [:],
        in directory: String? = nil
    ) async throws -> ProgramResult {
        var call = call(["transcribe"] + words + ["--engine", engine], environment: environment)
        call.directory = directory
        return try await call.run(input: input)
    }
}
