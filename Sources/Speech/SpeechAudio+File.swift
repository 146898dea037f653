import Core

extension SpeechAudio {
    /// The maximum size of a file.
    package static let limitBytes = 64 << 20
    private static let durationLimit = Duration.seconds(1800)
    /// Anything shorter is a click.
    private static let minimumDuration = Duration.milliseconds(100)

    /// The formats that servers read, by the bytes at an offset.
    ///
    /// Sources: RFC 9639 §6, RFC 3533 §6, ISO/IEC 14496-12 §4.3, RFC 8794 §8.1, ID3v2.4 §3.1, ISO/IEC 11172-3 §2.4.1.3 and
    /// ISO/IEC 13818-7 §6.2.
    private static let formats: [(offset: Int, bytes: [UInt8], fileExtension: String, mediaType: String)] = [
        (0, Array("fLaC".utf8), "flac", "audio/flac"),
        (0, Array("OggS".utf8), "ogg", "audio/ogg"),
        (4, Array("ftyp".utf8), "m4a", "audio/mp4"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "webm", "audio/webm"),
        (0, Array("ID3".utf8), "mp3", "audio/mpeg"),
        (0, [0xFF, 0xFB], "mp3", "audio/mpeg"), (0, [0xFF, 0xFA], "mp3", "audio/mpeg"),
        (0, [0xFF, 0xF3], "mp3", "audio/mpeg"), (0, [0xFF, 0xF2], "mp3", "audio/mpeg"),
        (0, [0xFF, 0xF1], "aac", "audio/aac"), (0, [0xFF, 0xF9], "aac", "audio/aac"),
    ]

    /// Checks the contents of a file: a WAV file, or one in another format that servers read.
    ///
    /// - Throws: `data.invalid`; `io`; `negative` for silence, and for less than 100 ms.
    package init(_ bytes: StoredBytes, of file: String) throws(VTError) {
        let name = file == "-" ? "standard input" : "'\(file)'"
        guard bytes.count <= Self.limitBytes else {
            throw VTError(.dataInvalid, "\(name): larger than \(Self.limitBytes >> 20) MiB")
        }
        guard bytes.count > 0 else {
            throw VTError(.dataInvalid, file == "-" ? "standard input is empty" : "\(name): the file is empty")
        }
        let start = try bytes[0..<min(16, bytes.count)].read()
        if let format = Self.formats.first(where: { start.dropFirst($0.offset).starts(with: $0.bytes) }) {
            let (fileExtension, mediaType) = (format.fileExtension, format.mediaType)
            self.init(name: name, parts: [bytes], fileExtension: fileExtension, mediaType: mediaType, samples: nil)
            return
        }
        let wave = try WaveFile(bytes, name: name)
        guard wave.duration <= Self.durationLimit else {
            throw VTError(.dataInvalid, "\(name): longer than \(Self.durationLimit.shortText)")
        }
        guard wave.duration >= Self.minimumDuration else {
            throw VTError(.negative, "\(name): no speech: less than \(Self.minimumDuration.shortText) of audio")
        }
        guard try !wave.isSilent else { throw VTError(.negative, "\(name): no speech: the audio is silent") }
        let samples = Samples(channels: wave.channels, rate: wave.rate, duration: wave.duration)
        self.init(name: name, parts: wave.file, fileExtension: "wav", mediaType: "audio/wav", samples: samples)
    }
}
