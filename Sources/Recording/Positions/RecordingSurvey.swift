import Core

/// Information from a first pass over a recording, for resolving positions in it.
///
/// Only the markers and events that the given positions refer to are stored.
package struct RecordingSurvey: Sendable {
    /// The time of the last event.
    package private(set) var end = RecordingTime.start
    /// The number of events.
    package private(set) var count = 0
    private var wantedMarkers: Set<String> = []
    private var wantedEvents: Set<Int> = []
    private var markers: [String: RecordingPoint] = [:]
    private var events: [Int: RecordingTime] = [:]
    private var turns: TurnSurvey

    package init(for positions: [RecordingPosition]) {
        turns = TurnSurvey(for: positions)
        for position in positions {
            switch position {
            case .marker(let label): wantedMarkers.insert(label)
            case .event(let number): wantedEvents.insert(number)
            case .time, .beforeEnd, .part, .turn, .turnEnd: break
            }
        }
    }

    package mutating func consume(_ event: RecordingEvent) {
        count += 1
        end = event.time
        if !wantedEvents.isEmpty, wantedEvents.contains(count) { events[count] = event.time }
        turns.consume(event, number: count)
        if !wantedMarkers.isEmpty, case .marker(let label) = event.content, wantedMarkers.contains(label),
            markers[label] == nil
        {
            markers[label] = RecordingPoint(time: event.time, event: count)
        }
    }

    /// Resolves a position.
    ///
    /// A time after the end resolves to a point after all events; a time counted back from the end that exceeds the
    /// duration resolves to the start.
    ///
    /// - Throws: `not-found` when the recording has no such marker or event, or the position was not requested.
    package func resolve(_ position: RecordingPosition) throws(VTError) -> RecordingPoint {
        // The end is after the last event, not at its time.
        if position.isEnd { return RecordingPoint(time: end, event: count + 1) }
        switch position {
        case .time(let time):
            return RecordingPoint(time: time)
        case .beforeEnd(let time):
            return RecordingPoint(time: end - time)
        case .part(let millionths):
            let (high, low) = end.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            let part = high * Int64(millionths) + low * Int64(millionths) / 1_000_000
            return RecordingPoint(time: RecordingTime(microseconds: part))
        case .marker(let label):
            guard let point = markers[label] else {
                throw VTError(
                    .notFound,
                    "the recording has no marker '\(label)'",
                    hint: "list the markers of a recording: vt cast info FILE"
                )
            }
            return point
        case .event(let number):
            guard let time = events[number] else {
                throw VTError(.notFound, "the recording has no event \(number); the last one is \(count)")
            }
            return RecordingPoint(time: time, event: number)
        case .turn(let number): return try turns.turn(number).start
        case .turnEnd(let number):
            return try turns.turn(number).end ?? RecordingPoint(time: end, event: count + 1)
        }
    }
}
