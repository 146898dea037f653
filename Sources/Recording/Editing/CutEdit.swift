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
    /// The time of the last emitted event, in the result.
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

    package mutating func take(
        _ item: RecordingItem,
        emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        switch item {
        case .header(let header):
            self.header = header
            self.header.duration = nil
            size = header.size
            terminal = RecordingTerminal(header)
            if removes {
                try emit(.header(self.header))
            } else if !start.isAfter(1, .start) {
                stage = .inside
                try begin(emit)
            }
        case .event(let event):
            try advance(event, emit)
            number += 1
            try take(event, emit)
        }
    }

    /// Whether the kept part has ended.
    var isOver: Bool { stage == .after && !removes }

    package mutating func finish(emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        // The screen is useful even if no events follow.
        if stage == .before, !removes { try begin(emit) }
        if stage == .inside, removes { try end(at: start.time, emit) }
    }

    /// Advances through the stages before an event is processed.
    private mutating func advance(
        _ event: RecordingEvent,
        _ emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        if stage == .before, !start.isAfter(number + 1, event.time) {
            stage = .inside
            if !removes { try begin(emit) }
        }
        if stage == .inside, let end, !end.isAfter(number + 1, event.time) {
            stage = .after
            if removes { try resume(emit) } else { try self.end(at: end.time - start.time, emit) }
        }
    }

    private mutating func take(
        _ event: RecordingEvent,
        _ emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        switch (stage, removes) {
        case (.before, true):
            terminal.take(event)
            if case .resize(let size) = event.content { self.size = size }
            lastTime = event.time
            try emit(.event(event))
        case (.before, false), (.inside, true):
            terminal.take(event)
        case (.inside, false):
            lastTime = event.time - start.time
            try emit(shifted(event, by: start.time))
        case (.after, true):
            try emit(shifted(event, by: (end?.time ?? start.time) - start.time))
        case (.after, false):
            break
        }
    }

    /// Emits the header of the kept part with the current size, and its initial screen if events precede the part.
    private func begin(_ emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        var header = header
        header.size = terminal.emulator.size
        header.timestamp = header.timestamp.map { $0 &+ start.time.microseconds / 1_000_000 }
        try emit(.header(header))
        guard number > 0 else { return }
        try emit(.event(RecordingEvent(time: .start, .output(StateRenderer.render(terminal.emulator)))))
    }

    /// Emits output that turns the screen at the start of the removed part into the screen at its end.
    private func resume(_ emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        let emulator = terminal.emulator
        if emulator.size != size { try emit(.event(RecordingEvent(time: start.time, .resize(emulator.size)))) }
        // `StateRenderer` requires a terminal in its initial state.
        let state = Self.reset + StateRenderer.render(emulator)
        try emit(.event(RecordingEvent(time: start.time, .output(state))))
    }

    /// Emits an empty output event if the last event is before the cut.
    private func end(at time: RecordingTime, _ emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        guard time > lastTime else { return }
        try emit(.event(RecordingEvent(time: time, .output([]))))
    }

    private func shifted(_ event: RecordingEvent, by time: RecordingTime) -> RecordingItem {
        var event = event
        event.time = event.time - time
        return .event(event)
    }
}
