import Core

/// A RIFF/WAVE file with 16-bit PCM samples.
///
/// Source: Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0", and `WAVEFORMATEXTENSIBLE`
/// of mmreg.h.
package struct WaveFile: Sendable {
    package let channels: Int
    /// Samples per second in each channel.
    package let rate: Int
    /// The samples: little-endian, the channels interleaved.
    package let samples: StoredBytes

    private static let headerBytes = 44
    /// The size of `WAVEFORMATEXTENSIBLE`.
    private static let formatBytes = 40
    private static let pcm: UInt16 = 1
    private static let extensible: UInt16 = 0xFFFE
    /// The part of a GUID that follows the code of a format (RFC 2361 §4).
    private static let formatSuffix: [UInt8] = [
        0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
    ]
    /// A program that writes to a pipe does not know the size: 0, or at least this (2 GiB minus the header).
    private static let unknownSize = 0x7FFF_0000
    /// −60 dBFS.
    private static let threshold = 33

    /// Reads the chunks up to the samples.
    ///
    /// `name` is the name of the file in messages.
    ///
    /// - Throws: `data.invalid` for other formats, and for files that are cut; `io`.
    package init(_ bytes: StoredBytes, name: String) throws(VTError) {
        func failure(_ problem: String, hint: String? = nil) -> VTError {
            VTError(.dataInvalid, "\(name): \(problem)", hint: hint)
        }
        let signature = try bytes[0..<min(12, bytes.count)].read()
        if signature.starts(with: "RF64".utf8) || signature.starts(with: "RIFX".utf8) {
            throw failure("RF64 and RIFX files are not supported", hint: Self.conversion)
        }
        guard signature.starts(with: "RIFF".utf8), signature.dropFirst(8).starts(with: "WAVE".utf8) else {
            throw failure("not a WAV file", hint: Self.conversion)
        }
        var format: (channels: Int, rate: Int)?
        var position = 12
        while position + 8 <= bytes.count {
            let head = try bytes[position..<position + 8].read()
            let size = Int(Self.number(head, at: 4, bytes: 4))
            let start = position + 8
            if head.starts(with: "fmt ".utf8) {
                guard size >= 16, start + size <= bytes.count else { throw failure("the header is cut") }
                format = try Self.format(try bytes[start..<start + min(size, Self.formatBytes)].read(), failure)
            } else if head.starts(with: "data".utf8) {
                guard let format else { throw failure("the format is missing") }
                let isUnknown = size == 0 || size >= Self.unknownSize
                let count = isUnknown ? bytes.count - start : size
                guard start + count <= bytes.count else {
                    throw failure("the file is cut: it has \(bytes.count - start) of \(size) bytes of audio")
                }
                channels = format.channels
                rate = format.rate
                samples = bytes[start..<start + count - count % (2 * format.channels)]
                return
            }
            // Chunks start at even positions.
            position = start + size + size % 2
        }
        throw failure("the file has no audio")
    }

    /// Reads the start of the chunk `fmt `, at least 16 bytes.
    private static func format(
        _ chunk: [UInt8],
        _ failure: (String, String?) -> VTError
    ) throws(VTError) -> (channels: Int, rate: Int) {
        var code = UInt16(truncatingIfNeeded: number(chunk, at: 0, bytes: 2))
        if code == extensible, chunk.count >= 40, chunk[26..<40].elementsEqual(formatSuffix) {
            code = UInt16(truncatingIfNeeded: number(chunk, at: 24, bytes: 2))
        }
        let channels = Int(number(chunk, at: 2, bytes: 2))
        let rate = Int(number(chunk, at: 4, bytes: 4))
        let bits = number(chunk, at: 14, bytes: 2)
        guard code == pcm, bits == 16 else {
            let kind = code == pcm ? "\(bits)-bit PCM" : code == 3 ? "floating-point" : "compressed"
            throw failure("\(kind) audio is not supported", conversion)
        }
        guard (1...64).contains(channels), (1000...768_000).contains(rate),
            number(chunk, at: 12, bytes: 2) == UInt32(2 * channels)
        else { throw failure("the format is invalid", nil) }
        return (channels, rate)
    }

    /// What to type to get the format that every engine can use.
    package static let conversion = "to convert it, use 'sox IN -r 16000 -c 1 -b 16 OUT.wav'"

    private static func number(_ bytes: [UInt8], at index: Int, bytes count: Int) -> UInt32 {
        bytes[index..<index + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    package var duration: Duration {
        .milliseconds(samples.count / (2 * channels) * 1000 / rate)
    }

    /// Whether no sample is louder than −60 dBFS.
    package var isSilent: Bool {
        get throws(VTError) {
            for chunk in samples.chunks {
                guard Self.isSilent(try chunk.read()) else { return false }
            }
            return true
        }
    }

    private static func isSilent(_ samples: [UInt8]) -> Bool {
        var index = samples.startIndex
        while index < samples.endIndex {
            let sample = Int16(truncatingIfNeeded: Int(samples[index]) | Int(samples[index + 1]) << 8)
            if Int(sample.magnitude) >= threshold { return false }
            index += 2
        }
        return true
    }

    /// The audio as a file with a header of 44 bytes that contains the correct sizes, and no other chunks.
    package var file: [StoredBytes] { [StoredBytes(header), samples] }

    private var header: [UInt8] {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var header: [UInt8] = Array("RIFF".utf8) + bytes(Self.headerBytes - 8 + samples.count, 4)
        header += Array("WAVEfmt ".utf8) + bytes(16, 4) + bytes(Int(Self.pcm), 2) + bytes(channels, 2)
        header += bytes(rate, 4) + bytes(rate * channels * 2, 4) + bytes(channels * 2, 2) + bytes(16, 2)
        return header + Array("data".utf8) + bytes(samples.count, 4)
    }
}
