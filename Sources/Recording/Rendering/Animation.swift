import Core
import Terminal

/// Converts a recording into frames: screens, and the times at which they are shown.
///
/// Events closer together than the minimum frame duration form one frame. While a program withholds its output
/// (synchronized output, mode 2026), no frames are created.
package struct Animation {
    private let request: AnimationRequest
    private let start: RecordingPoint
    private let end: RecordingPoint
    /// The requested size of the terminal; if none was requested, the maximum width and height in the requested part.
    package let size: TerminalSize
    package let header: RecordingHeader

    /// Scans a recording to locate the requested part.
    ///
    /// - Throws: `not-found` for a marker or event that does not exist; `usage` when the end is before the start.
    package init(_ source: RecordingFile, _ request: AnimationRequest) throws(VTError) {
        self.request = request
        let positions = [request.from, request.to].compactMap { $0 }
        var survey = RecordingSurvey(for: positions)
        var known: RecordingHeader?
        var sizes: [(number: Int, time: RecordingTime, size: TerminalSize)] = []
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header): known = header
            case .event(let event):
                survey.consume(event)
                if case .resize(let size) = event.content, sizes.count < 100_000, sizes.last?.size != size {
                    sizes.append((survey.count, event.time, size))
                }
            }
            return true
        }
        guard let known else { throw VTError(.dataInvalid, "\(source.name): the recording is empty") }
        header = known
        start = if let from = request.from { try survey.resolve(from) } else { RecordingPoint(time: .start, event: 1) }
        var end = if let to = request.to { try survey.resolve(to) } else { RecordingPoint(time: .latest) }
        try RecordingPoint.checkOrder(from: start, to: end)
        // A position after the last event means the end of the recording.
        if end.event == nil, end.time > survey.end { end = RecordingPoint(time: .latest) }
        self.end = end
        size = request.size ?? Self.largest(known.size, sizes, start, end)
    }

    private static func largest(
        _ first: TerminalSize,
        _ sizes: [(number: Int, time: RecordingTime, size: TerminalSize)],
        _ start: RecordingPoint,
        _ end: RecordingPoint
    ) -> TerminalSize {
        let before = sizes.last { start.isAfter($0.number, $0.time) }?.size ?? first
        let within = sizes.filter { !start.isAfter($0.number, $0.time) && end.isAfter($0.number, $0.time) }.map(\.size)
        let all = [before] + within
        return TerminalSize(
            columns: all.reduce(1) { max($0, $1.columns) },
            rows: all.reduce(1) { max($0, $1.rows) }
        ) ?? first
    }

    /// Calls `show` for each frame with its time, and returns the duration of the animation, both in microseconds.
    package func play(
        _ source: RecordingFile,
        _ show: (Screen, Int64) throws(VTError) -> Void
    ) throws(VTError) -> Int64 {
        var clock = AnimationClock(request, header)
        var terminal = RecordingTerminal(header, size: request.size)
        clock.start(at: start.time)
        var number = 0
        var shown: Int64 = 0
        try source.forEach { item throws(VTError) in
            guard case .event(let event) = item else { return true }
            number += 1
            if Task.isCancelled { throw .cancelled }
            if start.isAfter(number, event.time) {
                terminal.apply(event)
                return true
            }
            guard end.isAfter(number, event.time) else { return false }
            clock.go(to: event.time)
            if clock.time - shown >= clock.frame {
                if !terminal.emulator.modes[.synchronized] { try show(terminal.emulator.screen(), shown) }
                shown = clock.time
            }
            terminal.apply(event)
            return true
        }
        try show(terminal.emulator.screen(), shown)
        if end.time < .latest { clock.go(to: end.time) }
        return clock.time + max(request.hold.microseconds, 1_000)
    }
}

/// Converts times in a recording to times in the animation, in microseconds.
private struct AnimationClock {
    private(set) var time: Int64 = 0
    /// The minimum duration of a frame.
    let frame: Int64
    private let speed: Double
    private let idleLimit: Int64
    private var last = RecordingTime.start

    init(_ request: AnimationRequest, _ header: RecordingHeader) {
        frame = 1_000_000 / Int64(max(request.framesPerSecond, 1))
        speed = request.speed
        let recorded = header.idleTimeLimit.map { Int64(min(max($0, 0), 1e9) * 1_000_000) }
        idleLimit = max(request.idleLimit?.microseconds ?? recorded ?? 5_000_000, 1_000)
    }

    /// Starts the animation at a time in the recording.
    mutating func start(at time: RecordingTime) {
        last = time
    }

    mutating func go(to next: RecordingTime) {
        let pause = min((next - last).microseconds, idleLimit)
        time += Int64((Double(pause) / speed).rounded())
        last = max(last, next)
    }
}

extension Duration {
    /// The duration in whole microseconds, at most about 31,700 years.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 1_000_000_000_000) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
