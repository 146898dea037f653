/// Changes the speed of a recording, and shortens its pauses.
package struct SpeedEdit: RecordingEdit {
    private let factor: Double
    private let idleLimit: RecordingTime?
    private var lastTime = RecordingTime.start
    /// The time of the last event, after shortening pauses.
    private var activeTime = RecordingTime.start

    /// - Parameters:
    ///   - factor: The speed relative to the original; greater than 0.
    ///   - idleLimit: The maximum pause, before the factor is applied; nil means no limit.
    package init(factor: Double, idleLimit: RecordingTime?) {
        self.factor = factor
        self.idleLimit = idleLimit
    }

    package mutating func consume(_ item: RecordingItem, into result: inout [RecordingItem]) {
        switch item {
        case .header(let header): result.append(.header(changed(header)))
        case .event(let event): result.append(.event(changed(event)))
        }
    }

    /// Scales the idle limit in the header to the new speed, or removes it if the pauses have been shortened.
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
        // Clamp before converting to an integer, because a small factor produces large times.
        let time = min((Double(activeTime.microseconds) / factor).rounded(), 1e16)
        event.time = RecordingTime(microseconds: Int64(time))
        return event
    }
}
