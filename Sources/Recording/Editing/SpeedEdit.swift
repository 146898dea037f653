import Core

/// Makes a recording faster or slower, and its pauses short.
package struct SpeedEdit: RecordingEdit {
    private let factor: Double
    private let idleLimit: RecordingTime?
    private var lastTime = RecordingTime.start
    /// The time of the last event with the pauses before it shortened.
    private var activeTime = RecordingTime.start

    /// - Parameters:
    ///   - factor: How many times as fast the result is; more than 0.
    ///   - idleLimit: The longest pause of the recording, before the factor.
    package init(factor: Double, idleLimit: RecordingTime?) {
        self.factor = factor
        self.idleLimit = idleLimit
    }

    package mutating func take(
        _ item: RecordingItem,
        emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        switch item {
        case .header(let header): try emit(.header(changed(header)))
        case .event(let event): try emit(.event(changed(event)))
        }
    }

    package mutating func finish(emit: (RecordingItem) throws(VTError) -> Void) {}

    /// The limit that players are told is one of the result as well; none is needed where pauses are short already.
    private func changed(_ header: RecordingHeader) -> RecordingHeader {
        var header = header
        header.duration = nil
        header.idleTimeLimit = idleLimit == nil ? header.idleTimeLimit.map { $0 / factor } : nil
        return header
    }

    private mutating func changed(_ event: RecordingEvent) -> RecordingEvent {
        let pause = event.time - lastTime
        activeTime = activeTime + (idleLimit.map { min($0, pause) } ?? pause)
        lastTime = event.time
        var event = event
        // The clamp of a double before it becomes an integer: a small factor makes large times.
        let time = min((Double(activeTime.microseconds) / factor).rounded(), 1e16)
        event.time = RecordingTime(microseconds: Int64(time))
        return event
    }
}
