import Core
import Recording
import Terminal

/// Takes a part out of a recording.
///
/// A part that begins in the middle begins with what a terminal shows there, as bytes that make another one show it.
package struct RecordingCut {
    private var header: RecordingHeader
    private let start: RecordingPoint?
    private let end: RecordingPoint?
    private var number = 0
    private var hasBegun = false
    /// The terminal up to a start in the middle; nil once the part has begun.
    private var emulator: Emulator?
    private var scanner = EscapeScanner()
    /// Whether an event came that is behind the part.
    package private(set) var isOver = false

    /// Nil: from the first event on, and to the last one; the event at `end` is behind the part.
    package init(_ header: RecordingHeader, from start: RecordingPoint?, to end: RecordingPoint?) {
        self.header = header
        self.start = start
        self.end = end
        emulator = start.map { _ in Emulator(size: header.size) }
    }

    /// Returns what can be written before any event: the header, unless the part begins in the middle.
    package mutating func open() -> [RecordingItem] {
        hasBegun || start != nil ? [] : begin()
    }

    /// Takes the next event of the recording; returns what comes next in the part.
    package mutating func take(_ event: RecordingEvent) -> [RecordingItem] {
        number += 1
        if let end, !end.isAfter(number, event.time) {
            isOver = true
            return []
        }
        guard !hasBegun else { return [.event(shifted(event))] }
        if let start, start.isAfter(number, event.time) || !canBegin(with: event) {
            follow(event)
            return []
        }
        return begin() + [.event(shifted(event))]
    }

    /// Ends a part that no event was in: it then shows what was there at its start.
    package mutating func finish() -> [RecordingItem] {
        hasBegun ? [] : begin()
    }

    /// Whether the bytes so far end outside of a sequence, whose end alone would mean something else.
    private func canBegin(with event: RecordingEvent) -> Bool {
        if case .output = event.content { return scanner.isBetweenSequences }
        return true
    }

    private mutating func follow(_ event: RecordingEvent) {
        switch event.content {
        case .output(let bytes):
            scanner.scan(bytes) { _ in }
            emulator?.feed(bytes)
            _ = emulator?.takeAnswers()
        case .resize(let size): emulator?.resize(to: size)
        case .input, .marker, .exit, .other: break
        }
    }

    private mutating func begin() -> [RecordingItem] {
        hasBegun = true
        guard let emulator, let start else { return [.header(header)] }
        self.emulator = nil
        header.size = emulator.size
        header.timestamp = header.timestamp.map { $0 + start.time.microseconds / 1_000_000 }
        header.duration = nil
        return [
            .header(header), .event(RecordingEvent(time: .start, .output(StateRenderer.render(emulator)))),
        ]
    }

    private func shifted(_ event: RecordingEvent) -> RecordingEvent {
        var event = event
        event.time = event.time - (start?.time ?? .start)
        return event
    }
}
