import Core
import Terminal

/// Keeps a part of a recording, or all but a part of it.
///
/// The part begins with the first event that is not before `start`, and ends before the first that is not before `end`.
/// What was shown behind a part that is left out is brought by output of its own, so that the picture is right. Where
/// nothing of the recording follows, silence before the cut is kept: the result ends with empty output at the cut.
package struct CutEdit: RecordingEdit {
    private let start: RecordingPoint
    private let end: RecordingPoint?
    private let removes: Bool
    private var header = RecordingHeader(size: .standard)
    /// What the recording shows at this place, up to the last part that is left out.
    private var terminal = RecordingTerminal(RecordingHeader(size: .standard))
    /// The size that the result has at this place.
    private var size = TerminalSize.standard
    /// How many events there were.
    private var number = 0
    private var stage = Stage.before
    /// The time of the last event that was emitted, in the result.
    private var lastTime = RecordingTime.start

    private enum Stage {
        case before, inside, after
    }

    /// RIS.
    private static let reset = Array("\u{1B}c".utf8)

    /// - Parameters:
    ///   - start: The beginning of the part.
    ///   - end: Its end; nil: that of the recording.
    ///   - removes: Whether the part is left out, and not kept.
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

    /// Whether nothing that comes is in the part that is kept.
    var isOver: Bool { stage == .after && !removes }

    package mutating func finish(emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        // A picture is worth having also where nothing comes behind it.
        if stage == .before, !removes { try begin(emit) }
        if stage == .inside, removes { try end(at: start.time, emit) }
    }

    /// Goes from stage to stage before an event is taken.
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
            if removes { try goOn(emit) } else { try self.end(at: end.time - start.time, emit) }
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

    /// Emits the header of the kept part, with the size that is there, and its first picture where something was left
    /// out before it.
    private func begin(_ emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        var header = header
        header.size = terminal.emulator.size
        header.timestamp = header.timestamp.map { $0 &+ start.time.microseconds / 1_000_000 }
        try emit(.header(header))
        guard number > 0 else { return }
        try emit(.event(RecordingEvent(time: .start, .output(StateRenderer.render(terminal.emulator)))))
    }

    /// Emits what makes a terminal that shows the beginning of the removed part show its end.
    private func goOn(_ emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        let emulator = terminal.emulator
        if emulator.size != size { try emit(.event(RecordingEvent(time: start.time, .resize(emulator.size)))) }
        // The terminal is not fresh.
        let state = Self.reset + StateRenderer.render(emulator)
        try emit(.event(RecordingEvent(time: start.time, .output(state))))
    }

    /// Emits empty output where the last event is before the cut.
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
