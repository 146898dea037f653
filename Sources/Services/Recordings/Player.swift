import Core
import Recording
import Terminal

/// Plays one recording.
///
/// Each event is scheduled relative to the time at which playback started or resumed, so that delays in writing do not
/// accumulate.
final class Player<Ticks: Clock<Duration>> {
    private let reader: PlayReader
    private let request: PlayRequest
    private let display: PlayDisplay
    private let keys: PlayKeys
    private let clock: Ticks
    private var size = TerminalSize.standard
    /// The next event.
    private var next: PlayReader.Moment?
    /// The number of the last event shown.
    private var number = 0
    /// An instant of the clock and the corresponding recording time, in microseconds; nil while paused.
    private var anchor: (instant: Ticks.Instant, time: Int64)?
    /// The recording time while paused.
    private var pausedTime: Int64 = 0

    private static var seekStep: Int64 { 5_000_000 }

    init(
        _ reader: PlayReader,
        _ request: PlayRequest,
        _ display: PlayDisplay,
        _ keys: PlayKeys,
        _ clock: Ticks
    ) {
        self.reader = reader
        self.request = request
        self.display = display
        self.keys = keys
        self.clock = clock
    }

    func run() async throws(VTError) -> PlayEnd {
        let header = try await reader.header()
        size = header.size
        display.begin(header)
        continuePlaying(at: 0)
        next = try await reader.next()
        while true {
            if let end = try await playToEnd() { return end }
            try await display.flush()
            // A recording without events would restart endlessly without a pause.
            guard request.loops, number > 0, try reader.restart() else { return .ended }
            try await display.clear()
            _ = try await reader.header()
            (next, number) = (try await reader.next(), 0)
            continuePlaying(at: 0)
        }
    }

    /// Returns why playback ended early, or nil if it reached the end of the recording.
    private func playToEnd() async throws(VTError) -> PlayEnd? {
        while let moment = next {
            if let key = try await key(before: moment) {
                if let end = try await act(on: key) { return end }
                continue
            }
            try await show(moment)
            if request.pausesAtMarkers, moment.event.code == "m" { pause(at: moment.time) }
        }
        return nil
    }

    private func show(_ moment: PlayReader.Moment) async throws(VTError) {
        number = moment.number
        if case .output(let bytes) = moment.event.content, display.add(bytes) { try await display.flush() }
        next = try await reader.next()
    }

    // MARK: - Time

    private func continuePlaying(at time: Int64) {
        anchor = (clock.now, time)
    }

    private func pause(at time: Int64) {
        anchor = nil
        pausedTime = time
    }

    /// The current recording time.
    private var time: Int64 {
        guard let anchor, let speed = request.speed else { return anchor == nil ? pausedTime : next?.time ?? 0 }
        let (seconds, attoseconds) = anchor.instant.duration(to: clock.now).components
        let passed = (Double(seconds) + Double(attoseconds) / 1e18) * speed
        return min(anchor.time + Int64(min(passed, 1e9) * 1_000_000), next?.time ?? .max)
    }

    /// Returns a key pressed before the event is due, or nil when it is due.
    private func key(before moment: PlayReader.Moment) async throws(VTError) -> PlayKey? {
        if let key = keys.nextQueued() { return key }
        guard let anchor else {
            try await display.flush()
            return try await keys.next()
        }
        guard let speed = request.speed else { return nil }
        let pause = Duration.microseconds(Int64(min(Double(moment.time - anchor.time) / speed, 1e15)))
        let due = anchor.instant.advanced(by: pause)
        guard clock.now < due else { return nil }
        try await display.flush()
        return try await key(before: due)
    }

    private func key(before due: Ticks.Instant) async throws(VTError) -> PlayKey? {
        let (clock, keys) = (clock, keys)
        guard display.hasKeyboard else {
            try await Self.sleep(until: due, on: clock)
            return nil
        }
        let result = await withTaskGroup(of: Result<PlayKey?, VTError>.self) { group in
            group.addTask {
                await Result { () async throws(VTError) in
                    try await Self.sleep(until: due, on: clock)
                    return nil
                }
            }
            group.addTask { await Result { () async throws(VTError) in try await keys.next() } }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            // Do not lose a key pressed just as the event became due.
            let second = await group.next()
            if case .success(let key?)? = second { return Result<PlayKey?, VTError>.success(key) }
            return first
        }
        return try result.get()
    }

    private static func sleep(until due: Ticks.Instant, on clock: Ticks) async throws(VTError) {
        do {
            try await clock.sleep(until: due, tolerance: nil)
        } catch {
            throw .cancelled
        }
    }

    // MARK: - Keys

    private func act(on key: PlayKey) async throws(VTError) -> PlayEnd? {
        switch key {
        case .quit: return .quit
        case .interrupt: return .interrupted
        case .pause: if anchor == nil { continuePlaying(at: pausedTime) } else { pause(at: time) }
        case .step: try await step()
        case .backwards: try await seek(to: max(0, time - Self.seekStep))
        case .forwards: try await seek(to: time + Self.seekStep)
        case .nextMarker: try await seekMarker()
        case .suspend: try await suspend()
        }
        return nil
    }

    /// Stops the process, then redraws the screen and continues at the same position.
    private func suspend() async throws(VTError) {
        let (isPaused, time, shown) = (anchor == nil, time, number)
        await display.suspend()
        try await seek { $0.number > shown }
        if isPaused { pause(at: time) } else { continuePlaying(at: time) }
    }

    /// Shows the events up to the next output, and pauses.
    private func step() async throws(VTError) {
        while let moment = next {
            pause(at: moment.time)
            try await show(moment)
            if case .output = moment.event.content { break }
        }
        try await display.flush()
    }

    private func seek(to time: Int64) async throws(VTError) {
        try await seek { $0.time > time }
        if anchor == nil { pause(at: time) } else { continuePlaying(at: time) }
    }

    /// Seeks to the next marker; if there is none, stays at the same position.
    private func seekMarker() async throws(VTError) {
        let shown = number
        guard let marker = try await find({ $0.number > shown && $0.event.code == "m" }) else {
            try await seek { $0.number > shown }
            return
        }
        try await seek { $0.number > marker.number }
        if anchor == nil { pause(at: marker.time) } else { continuePlaying(at: marker.time) }
    }

    private func find(_ isFound: (PlayReader.Moment) -> Bool) async throws(VTError) -> PlayReader.Moment? {
        guard try reader.restart() else { return nil }
        _ = try await reader.header()
        while let moment = try await reader.next() {
            if isFound(moment) { return moment }
        }
        return nil
    }

    /// Shows the screen before the first event for which `isBehind` returns true, which becomes the next event.
    private func seek(_ isBehind: (PlayReader.Moment) -> Bool) async throws(VTError) {
        guard try reader.restart() else { return }
        var emulator = Emulator(size: try await reader.header().size, scrollbackBytes: 0)
        number = 0
        next = nil
        while let moment = try await reader.next() {
            if isBehind(moment) {
                next = moment
                break
            }
            number = moment.number
            switch moment.event.content {
            case .output(let bytes):
                emulator.feed(bytes)
                _ = emulator.takeAnswers()
            case .resize(let size): emulator.resize(to: size)
            case .input, .marker, .exit, .other: break
            }
        }
        try await display.show(emulator)
    }
}
