import Core

/// The text of a recording of speech as JSON, one line per file.
struct TranscriptDocument {
    let file: String
    let text: String
    let engine: String
    let duration: Duration?
    let elapsed: Duration
    let phrase: String?
    let isForced: Bool
}

extension TranscriptDocument: JSONDocument {
    static let documentName = "transcript"
    static let documentSummary = "the text of a recording of speech"

    static let fields: JSONTable<Self> = [
        .field("file", \.file, "path of the recording; `-` for standard input"),
        .field("text", \.text, "recognized text or, with `--phrases`, the text of the phrase"),
        .field("engine", \.engine, "server, without its query, or program"),
        .field("duration_ms", \.duration, "length of the audio, if it is a WAV file", in: .milliseconds),
        .field("elapsed_ms", \.elapsed, "time that the engine took", in: .milliseconds),
        .field("phrase", \.phrase, "phrase that matched, with `--phrases`"),
        .field(
            "forced",
            \.isForced,
            "whether the engine could only choose among the phrases, so that a match proves nothing"
        ),
    ]
}
