/// What a reader returns: the header once, then events.
package enum RecordingItem: Hashable, Sendable {
    case header(RecordingHeader)
    case event(RecordingEvent)
}

/// How a reader handles invalid lines.
package enum RecordingPolicy: Sendable {
    /// The first line that violates the format is an error.
    case strict
    /// Such a line is skipped with a note; its interval counts if it can be parsed.
    case lenient
}

/// Something that was skipped or changed while reading a recording.
package struct RecordingNote: Hashable, Sendable {
    /// The line number, from 1; nil if the note is not about a line.
    package var line: Int?
    /// Such as `the time is not a number`.
    package var message: String

    /// `line 7: the time is not a number`.
    package var text: String {
        line.map { "line \($0): \(message)" } ?? message
    }
}

/// The notes of a reader: the first hundred, and their total number.
package struct RecordingNotes: Sendable {
    package private(set) var kept: [RecordingNote] = []
    package private(set) var count = 0

    package init() {}

    mutating func add(_ line: Int?, _ message: String) {
        count += 1
        if kept.count < 100 { kept.append(RecordingNote(line: line, message: message)) }
    }
}
