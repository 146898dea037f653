import Core

/// A position in a recording as typed by the user, with the same syntax in all commands.
///
/// - `12.5`, `12.5s`, `1:20`, `1:02:03.5`, `1m20s`: a time since the start
/// - `-5`, `-1m20s`: a time before the end
/// - `50%`: a fraction of the time between start and end
/// - `marker:NAME`: the first marker with exactly this label
/// - `event:100`: the hundredth event, of any code, counted from 1
/// - `turn:5`: the start of the fifth command of the session's shell; `turn-end:5`: its end
package enum RecordingPosition: Hashable, Sendable {
    case time(RecordingTime)
    case beforeEnd(RecordingTime)
    /// A fraction in millionths: 0 to 1,000,000.
    case part(Int)
    case marker(String)
    case event(Int)
    /// The start of a turn; a negative number counts from the last turn in the recording, which is -1.
    case turn(Int64)
    case turnEnd(Int64)

    /// - Throws: `usage` for text that is not a position.
    package init(parsing text: String) throws(VTError) {
        if text.hasPrefix("marker:") {
            self = .marker(String(text.dropFirst("marker:".count)))
        } else if text.hasPrefix("event:") {
            guard let number = Int(text.dropFirst("event:".count)), number >= 1 else { throw Self.error(text) }
            self = .event(number)
        } else if text.hasPrefix("turn:") {
            self = .turn(try Self.turnNumber(text.dropFirst("turn:".count), text))
        } else if text.hasPrefix("turn-end:") {
            self = .turnEnd(try Self.turnNumber(text.dropFirst("turn-end:".count), text))
        } else if text.hasSuffix("%") {
            guard let percent = RecordingTime.millionths(text.dropLast()), percent <= 100_000_000 else {
                throw Self.error(text)
            }
            self = .part(Int(percent / 100))
        } else if text.hasPrefix("-") {
            guard let time = RecordingTime(parsing: text.dropFirst()) else { throw Self.error(text) }
            self = .beforeEnd(time)
        } else {
            guard let time = RecordingTime(parsing: text[...]) else { throw Self.error(text) }
            self = .time(time)
        }
    }

    private static func turnNumber(_ number: Substring, _ text: String) throws(VTError) -> Int64 {
        guard let number = Int64(number), number != 0, number > .min else { throw error(text) }
        return number
    }

    private static func error(_ text: String) -> VTError {
        VTError(
            .usage,
            "invalid position '\(text)'",
            hint:
                "use 12.5, 1:20, 1m20s, 50%, marker:NAME, event:100, turn:5, turn-end:5, or -5 for five seconds before "
                + "the end"
        )
    }

    /// Whether the position is the end itself, after the last event: `100%`, `-0`.
    package var isEnd: Bool {
        self == .part(1_000_000) || self == .beforeEnd(.start)
    }

    /// Whether all events must be read before the position can be resolved (`RecordingSurvey`).
    package var needsSurvey: Bool {
        if case .time = self { false } else { true }
    }
}

extension RecordingPosition {
    /// The position in the form that `init(parsing:)` accepts.
    package var text: String {
        switch self {
        case .time(let time): time.text()
        case .beforeEnd(let time): "-\(time.text())"
        case .part(let millionths): "\(RecordingTime(microseconds: Int64(millionths) * 100).text())%"
        case .marker(let label): "marker:\(label)"
        case .event(let number): "event:\(number)"
        case .turn(let number): "turn:\(number)"
        case .turnEnd(let number): "turn-end:\(number)"
        }
    }
}

/// As on the command line: `1:20`.
extension RecordingPosition: JSONReadable {
    package static var jsonType: JSONType { .string }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.string(in: document).flatMap { try? RecordingPosition(parsing: $0) })
    }

    package func write(to writer: inout JSONWriter) { writer.string(text) }
}
