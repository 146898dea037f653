import Core

/// A place in a recording as the user names it; what the same words mean everywhere.
///
/// - `12.5`, `12.5s`, `1:20`, `1:02:03.5`, `1m20s`: a time since the start
/// - `-5`, `-1m20s`: so long before the end
/// - `50%`: that part of the time between start and end
/// - `marker:NAME`: the first marker with just this label
/// - `event:100`: the hundredth event, counted from 1, events of every code
package enum RecordingPosition: Hashable, Sendable {
    case time(RecordingTime)
    case beforeEnd(RecordingTime)
    /// In millionths: 0 to 1,000,000.
    case part(Int)
    case marker(String)
    case event(Int)

    /// - Throws: `usage` for words that name no place.
    package init(parsing text: String) throws(VTError) {
        if text.hasPrefix("marker:") {
            self = .marker(String(text.dropFirst("marker:".count)))
        } else if text.hasPrefix("event:") {
            guard let number = Int(text.dropFirst("event:".count)), number >= 1 else { throw Self.error(text) }
            self = .event(number)
        } else if text.hasSuffix("%") {
            guard let percent = PositionTime.parse(text.dropLast()), percent <= 100_000_000 else {
                throw Self.error(text)
            }
            self = .part(Int(percent / 100))
        } else if text.hasPrefix("-") {
            guard let time = PositionTime.parse(clock: text.dropFirst()) else { throw Self.error(text) }
            self = .beforeEnd(time)
        } else {
            guard let time = PositionTime.parse(clock: text[...]) else { throw Self.error(text) }
            self = .time(time)
        }
    }

    private static func error(_ text: String) -> VTError {
        VTError(
            .usage,
            "invalid position '\(text)'",
            hint: "use 12.5, 1:20, 1m20s, 50%, marker:NAME, event:100, or -5 for five seconds before the end"
        )
    }

    /// Whether it is the end itself, behind the last event: `100%`, `-0`.
    package var isEnd: Bool {
        self == .part(1_000_000) || self == .beforeEnd(.start)
    }

    /// Whether it can only be resolved after all events were read once (`RecordingSurvey`).
    package var needsSurvey: Bool {
        if case .time = self { false } else { true }
    }
}

/// A place between the events of a recording.
package struct RecordingPoint: Hashable, Sendable {
    package var time: RecordingTime
    /// The event at this place, counted from 1, where the position named one.
    package var event: Int?

    package init(time: RecordingTime, event: Int? = nil) {
        self.time = time
        self.event = event
    }

    /// Whether an event stands before this place; `number` is counted from 1.
    package func isAfter(_ number: Int, _ time: RecordingTime) -> Bool {
        event.map { number < $0 } ?? (time < self.time)
    }

    /// Whether an event has happened at this place: it stands before it, or at it.
    package func includes(_ number: Int, _ time: RecordingTime) -> Bool {
        event.map { number <= $0 } ?? (time <= self.time)
    }
}
