import Core
import Terminal

/// Keeps only part of a recording, or removes that part.
///
/// The part starts with the first event at or after `start`, and ends before the first event at or after `end`. After a
/// removed part, additional output restores the screen. If the result ends at a cut, the pause before the cut is
/// preserved: the last event is an empty output event at the time of the cut.
package struct CutEdit: RecordingEdit {
    private let start: RecordingPoint
    private let end: RecordingPoint?
    private let removes: Bool
    private var header = RecordingHeader(size: .standard)
    /// The terminal at the current position in the recording, until a kept part starts or a removed part ends.
    private var terminal = RecordingTerminal(RecordingHeader(size: .standard))
    /// The terminal size at the start of a removed part.
    private var size = TerminalSize.standard
    /// The number of events so far.
    private var number = 0
    private var stage = Stage.before
    /// The time of the last event in the result.
    private var lastTime = RecordingTime.start

    private enum Stage {
        case before, inside, after
    }

    /// The RIS sequence, which resets a terminal.
    private static let reset = Array("\u{1B}c".utf8)

    /// - Parameters:
    ///   - start: The start of the part.
    ///   - end: The end of the part; nil means the end of the recording.
    ///   - removes: Whether the part is removed rather than kept.
    package init(from start: RecordingPoint, to end: RecordingPoint?, removes: Bool) {
        self.start = start
        self.end = end
        self.removes = removes
    }

    package mutating func consume(_ item: RecordingItem, into result: inout [RecordingItem]) {
        switch item {
        case .header(let header):
            self.header = header
            self.header.duration = nil
            size = header.size
            terminal = RecordingTerminal(header)
            if removes {
                result.append(.header(self.header))
            } else if !start.isAfter(1, .start) {
                stage = .inside
                begin(into: &result)
            }
        case .event(let event):
            advance(event, into: &result)
            number += 1
            consume(event, into: &result)
        }
    }

    /// Whether the kept part has begun.
    var hasBegun: Bool { stage != .before }

    /// Whether the kept part has ended.
    var isOver: Bool { stage == .after && !removes }

    package mutating func finish(into result: inout [RecordingItem]) {
        // The screen is useful even if no events follow.
        if stage == .before, !removes { begin(into: &result) }
        if stage == .inside, removes { end(at: start.time, into: &result) }
    }

    /// Advances through the stages before an event is processed.
    private mutating func advance(_ event: RecordingEvent, into result: inout [RecordingItem]) {
        if stage == .before, !start.isAfter(number + 1, event.time) {
            stage = .inside
            if !removes { begin(into: &result) }
        }
        if stage == .inside, let end, !end.isAfter(number + 1, event.time) {
            stage = .after
            if removes { resume(into: &result) } else { self.end(at: end.time - start.time, into: &result) }
        }
    }

    private mutating func consume(_ event: RecordingEvent, into result: inout [RecordingItem]) {
        switch (stage, removes) {
        case (.before, true):
            terminal.apply(event)
            if case .resize(let size) = event.content { self.size = size }
            lastTime = event.time
            result.append(.event(event))
        case (.before, false), (.inside, true):
            terminal.apply(event)
        case (.inside, false):
            lastTime = event.time - start.time
            result.append(shifted(event, by: start.time))
        case (.after, true):
            result.append(shifted(event, by: (end?.time ?? start.time) - start.time))
        case (.after, false):
            break
        }
    }

    /// Appends the header of the kept part with the current size, and its initial screen if events precede the part.
    private mutating func begin(into result: inout [RecordingItem]) {
        var header = header
        header.size = terminal.emulator.size
        header.timestamp = header.timestamp.map { $0 &+ start.time.microseconds / 1_000_000 }
        result.append(.header(header))
        if number > 0 {
            result.append(.event(RecordingEvent(time: .start, .output(StateRenderer.render(terminal.emulator)))))
        }
        // Its scrollback would stay in memory as long as the recording is followed.
        terminal = RecordingTerminal(RecordingHeader(size: .standard))
    }

    /// Appends output that turns the screen at the start of the removed part into the screen at its end.
    private func resume(into result: inout [RecordingItem]) {
        let emulator = terminal.emulator
        if emulator.size != size { result.append(.event(RecordingEvent(time: start.time, .resize(emulator.size)))) }
        // `StateRenderer` requires a terminal in its initial state.
        let state = Self.reset + StateRenderer.render(emulator)
        result.append(.event(RecordingEvent(time: start.time, .output(state))))
    }

    /// Appends an empty output event if the last event is before the cut.
    private func end(at time: RecordingTime, into result: inout [RecordingItem]) {
        guard time > lastTime else { return }
        result.append(.event(RecordingEvent(time: time, .output([]))))
    }

    private func shifted(_ event: RecordingEvent, by time: RecordingTime) -> RecordingItem {
        var event = event
        event.time = event.time - time
        return .event(event)
    }
}
