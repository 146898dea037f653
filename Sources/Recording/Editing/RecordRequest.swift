import Core

/// What is to be recorded of a session, and how it is written.
package struct RecordRequest: Hashable, Sendable {
    package var format = RecordingFormat.v3
    /// Nil: from the start of what is kept.
    package var start: RecordingPosition?
    /// Nil: to the end of what there is.
    package var end: RecordingPosition?
    /// Whether to go on until the session ends.
    package var follows = false
    /// Whether what was typed is recorded, too; only sessions that log it can tell.
    package var includesInput = false
    package var title: String?
    /// The longest pause that players make of a longer one.
    package var idleLimit: Duration?
    /// The name of a theme; nil: none is noted.
    package var theme: String?
    /// The most bytes that are written.
    package var limitBytes: Int64?

    package init() {}
}

/// A format that recordings are written in.
package enum RecordingFormat: String, CaseIterable, Sendable {
    case v3
    case v2
    /// The bytes for a terminal.
    case raw
    /// The text that was shown.
    case txt

    /// The format of a header: v3 for one of v1, which is not written.
    init(of header: RecordingHeader) {
        self = header.version == .v2 ? .v2 : .v3
    }

    /// Nil where it is no asciicast.
    package var asciicastVersion: AsciicastVersion? {
        switch self {
        case .v3: .v3
        case .v2: .v2
        case .raw, .txt: nil
        }
    }
}
