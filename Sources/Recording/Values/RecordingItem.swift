/// What a reader returns: the header once, then events.
package enum RecordingItem: Hashable, Sendable {
    case header(RecordingHeader)
    case event(RecordingEvent)
}

/// How much a reader puts up with.
package enum RecordingPolicy: Sendable {
    /// The first line that the format does not allow is an error.
    case strict
    /// Such a line is left out and noted; its interval counts where it can be read.
    case lenient
}

/// Something that was left out or changed while a recording was read.
package struct RecordingNote: Hashable, Sendable {
    /// Counted from 1; nil where it is about no line.
    package var line: Int?
    /// Such as `the time is not a number`.
    package var message: String

    /// `line 7: the time is not a number`.
    package var text: String {
        line.map { "line \($0): \(message)" } ?? message
    }
}

/// The notes of a reader: the first hundred, and how many there were.
package struct RecordingNotes: Sendable {
    package private(set) var kept: [RecordingNote] = []
    package private(set) var count = 0

    package init() {}

    mutating func add(_ line: Int?, _ message: String) {
        count += 1
        if kept.count < 100 { kept.append(RecordingNote(line: line, message: message)) }
    }
}
