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
    /// A pending exit event, which is kept only if its recording continues after it or is the last one.
    private var exit: RecordingEvent?
    /// Whether `exit` is from an earlier recording, and no time has passed since that recording ended.
    private var isExitEarlier = false

    /// With `resets`, every recording but the first starts with a terminal reset (RIS).
    package init(resets: Bool) {
        self.resets = resets
    }

    package mutating func consume(_ item: RecordingItem, into result: inout [RecordingItem]) {
        switch item {
        case .header(let header): begin(header, into: &result)
        case .event(let event): consume(event, into: &result)
        }
    }

    package mutating func finish(into result: inout [RecordingItem]) {
        if var exit {
            exit.time = max(exit.time, lastTime)
            result.append(.event(exit))
        }
        exit = nil
    }

    private mutating func begin(_ header: RecordingHeader, into result: inout [RecordingItem]) {
        isExitEarlier = exit != nil
        offset = lastTime
        if isFirst {
            var header = header
            header.duration = nil
            result.append(.header(header))
        } else {
            if resets { result.append(.event(RecordingEvent(time: offset, .output(Array("\u{1B}c".utf8))))) }
            if header.size != size { result.append(.event(RecordingEvent(time: offset, .resize(header.size)))) }
        }
        isFirst = false
        size = header.size
    }

    private mutating func consume(_ event: RecordingEvent, into result: inout [RecordingItem]) {
        let isExit = if case .exit = event.content { true } else { false }
        if !isExitEarlier {
            finish(into: &result)
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
            result.append(.event(event))
        case .output, .input, .marker, .other: result.append(.event(event))
        }
    }
}
