import Core

/// What to record of a session, and in which format.
package struct RecordRequest: Hashable, Sendable {
    package var format = RecordingFormat.v3
    /// Nil means the start of the kept output.
    package var start: RecordingPosition?
    /// Nil means the current end of the output.
    package var end: RecordingPosition?
    /// Whether to continue until the session ends.
    package var follows = false
    /// Whether to include typed input; only sessions that log it have it.
    package var includesInput = false
    package var title: String?
    /// The maximum pause during playback, for the header.
    package var idleLimit: Duration?
    /// The name of a theme for the header; nil for none.
    package var theme: String?
    /// The maximum number of bytes to write.
    package var limitBytes: Int64?

    package init() {}
}

/// An output format for recordings.
package enum RecordingFormat: String, CaseIterable, Sendable {
    case v3
    case v2
    /// The raw terminal output.
    case raw
    /// The displayed text.
    case txt

    /// The format of a header; v3 for v1, which cannot be written.
    init(of header: RecordingHeader) {
        self = header.version == .v2 ? .v2 : .v3
    }

    /// Nil if it is not an asciicast.
    package var asciicastVersion: AsciicastVersion? {
        switch self {
        case .v3: .v3
        case .v2: .v2
        case .raw, .txt: nil
        }
    }
}
