/// The notes of a reader: the first hundred, and their total number.
package struct RecordingNotes: Sendable {
    /// Something that was skipped or changed while reading a recording.
    package struct Note: Hashable, Sendable {
        /// The line number, starting at 1; nil if the note is not about a line.
        package var line: Int?
        /// The message, such as `the time is not a number`.
        package var message: String

        /// The message with its line: `line 7: the time is not a number`.
        package var text: String {
            line.map { "line \($0): \(message)" } ?? message
        }
    }

    package private(set) var kept: [Note] = []
    package private(set) var count = 0

    package init() {}

    mutating func add(_ line: Int?, _ message: String) {
        count += 1
        if kept.count < 100 { kept.append(Note(line: line, message: message)) }
    }
}

/// How a reader handles invalid lines.
package enum RecordingPolicy: Sendable {
    /// The first line that violates the format is an error.
    case strict
    /// An invalid line is skipped, and a note reports it; the time at its start still counts if it can be parsed.
    case lenient
}
