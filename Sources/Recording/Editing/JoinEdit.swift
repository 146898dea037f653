import Core

/// Puts recordings one behind the other; each comes with its header.
///
/// The header of the first is that of all. Of each but the last the exit is left out.
package struct JoinEdit: RecordingEdit {
    private let resets: Bool
    private var isFirst = true
    private var size = TerminalSize.standard
    private var offset = RecordingTime.start
    private var lastTime = RecordingTime.start
    /// An exit that is only emitted when its recording goes on, or is the last.
    private var exit: RecordingEvent?

    /// With `resets`, each recording but the first begins with a terminal that is as good as new (RIS).
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
        if let exit { try emit(.event(exit)) }
        exit = nil
    }

    private mutating func begin(
        _ header: RecordingHeader,
        _ emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        exit = nil
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
        try finish(emit: emit)
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
