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

/// How a reader handles invalid lines.
package enum RecordingPolicy: Sendable {
    /// The first line that violates the format is an error.
    case strict
    /// An invalid line is skipped, and a note reports it; the time at its start still counts if it can be parsed.
    case lenient
}
