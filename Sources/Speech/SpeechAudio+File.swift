import Core

extension SpeechAudio {
    /// The maximum size of a file.
    package static let limitBytes = 64 << 20
    private static let durationLimit = Duration.seconds(1800)
    /// Anything shorter is a click.
    private static let minimumDuration = Duration.milliseconds(100)

    /// The media types of the formats that servers read, by extension.
    private static let mediaTypes = [
        "aac": "audio/aac", "flac": "audio/flac", "m4a": "audio/mp4", "mp3": "audio/mpeg", "mp4": "audio/mp4",
        "mpeg": "audio/mpeg", "mpga": "audio/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg",
        "webm": "audio/webm",
    ]

    /// Checks the contents of a file: a WAV file, or any other format that has a known extension.
    ///
    /// - Throws: `data.invalid`; `negative` for silence, and for less than 100 ms.
    package init(_ bytes: [UInt8], of file: String) throws(VTError) {
        let name = file == "-" ? "standard input" : "'\(file)'"
        guard bytes.count <= Self.limitBytes else {
            throw VTError(.dataInvalid, "\(name): larger than \(Self.limitBytes >> 20) MiB")
        }
        let base = file.split(separator: "/").last ?? ""
        let suffix = base.lastIndex(of: ".").map { base[base.index(after: $0)...].lowercased() } ?? ""
        if !WaveFile.isWave(bytes), let mediaType = Self.mediaTypes[suffix] {
            guard !bytes.isEmpty else { throw VTError(.dataInvalid, "\(name): the file is empty") }
            self.init(name: name, bytes: bytes, fileExtension: suffix, mediaType: mediaType, samples: nil)
            return
        }
        let wave = try WaveFile(bytes, name: name)
        guard wave.duration <= Self.durationLimit else {
            throw VTError(.dataInvalid, "\(name): longer than \(Self.durationLimit.shortText)")
        }
        guard wave.duration >= Self.minimumDuration else {
            throw VTError(.negative, "\(name): no speech: less than \(Self.minimumDuration.shortText) of audio")
        }
        guard !wave.isSilent else { throw VTError(.negative, "\(name): no speech: the audio is silent") }
        let samples = Samples(channels: wave.channels, rate: wave.rate, duration: wave.duration)
        self.init(name: name, bytes: wave.file, fileExtension: "wav", mediaType: "audio/wav", samples: samples)
    }
}
