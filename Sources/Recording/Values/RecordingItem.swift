/// An item that a reader returns: the header first, then events.
package enum RecordingItem: Hashable, Sendable {
    case header(RecordingHeader)
    case event(RecordingEvent)
}

/// Something that was skipped or changed while reading a recording.
package struct RecordingNote: Hashable, Sendable {
    /// The line number, starting at 1; nil if the note is not about a line.
    package var line: Int?
    /// The message, such as `the time is not a number`.
    package var message: String

    /// The message with its line: `line 7: the time is not a number`.
    package var text: String {
        line.map { "line \($0): \(message)" } ?? message
    }
}
