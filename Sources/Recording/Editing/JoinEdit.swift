import Core

/// Concatenates recordings; the items of each one start with its header.
///
/// The first header is used for the result. The exit event of every recording but the last is omitted. A recording of
/// zero length without an exit event, such as an empty part of another recording, does not count as the last.
package struct JoinEdit: RecordingEdit {
    private let resets: Bool
    private var isFirst = true
    private var size = TerminalSize.standard
    private var offset = RecordingTime.start
    private var lastTime = RecordingTime.start
    /// A pending exit event, which is emitted only if its recording continues after it or is the last one.
    private var exit: RecordingEvent?
    /// Whether `exit` is from an earlier recording, and no time has passed since that recording ended.
    private var isExitEarlier = false

    /// With `resets`, every recording but the first starts with a terminal reset (RIS).
    package init(resets: Bool) {
        self.resets = resets
    }

    package mutating func take(
        _ item: RecordingItem,
        emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        switch item {
        case .header(let header): try begin(header, emit)
        case .event(let event): try take(event, emit)
        }
    }

    package mutating func finish(emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        if var exit {
            exit.time = max(exit.time, lastTime)
            try emit(.event(exit))
        }
        exit = nil
    }

    private mutating func begin(
        _ header: RecordingHeader,
        _ emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        isExitEarlier = exit != nil
        offset = lastTime
        if isFirst {
            var header = header
            header.duration = nil
            try emit(.header(header))
        } else {
            if resets { try emit(.event(RecordingEvent(time: offset, .output(Array("\u{1B}c".utf8))))) }
            if header.size != size { try emit(.event(RecordingEvent(time: offset, .resize(header.size)))) }
        }
        isFirst = false
        size = header.size
    }

    private mutating func take(
        _ event: RecordingEvent,
        _ emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        let isExit = if case .exit = event.content { true } else { false }
        if !isExitEarlier {
            try finish(emit: emit)
        } else if isExit || event.time > .start {
            (exit, isExitEarlier) = (nil, false)
        }
        var event = event
        event.time = event.time + offset
        lastTime = event.time
        switch event.content {
        case .exit: exit = event
        case .resize(let size):
            self.size = size
            try emit(.event(event))
        case .output, .input, .marker, .other: try emit(.event(event))
        }
    }
}
