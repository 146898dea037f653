import Core

/// An output format for recordings.
package enum RecordingFormat: String, CaseIterable, JSONReadable, Sendable {
    case v3
    case v2
    /// The raw terminal output.
    case raw
    /// The displayed text.
    case txt

    /// The format that corresponds to the version in a header; v3 for v1, which cannot be written.
    init(of header: RecordingHeader) {
        self = header.version == .v2 ? .v2 : .v3
    }

    /// The asciicast version; nil for the other formats.
    package var asciicastVersion: AsciicastVersion? {
        switch self {
        case .v3: .v3
        case .v2: .v2
        case .raw, .txt: nil
        }
    }
}
