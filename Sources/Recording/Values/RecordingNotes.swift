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
