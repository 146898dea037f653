import Core

/// Finds the turns that positions refer to, in a first pass over a recording.
struct TurnSurvey: Sendable {
    struct Turn: Sendable {
        let number: Int64
        var start: RecordingPoint
        /// After the event of its end; nil if the recording ends before.
        var end: RecordingPoint?
    }

    private let wanted: Set<Int64>
    /// The number of turns from the end that are wanted.
    private let lastCount: Int
    /// The wanted turns with positive numbers.
    private var turns: [Int64: Turn] = [:]
    /// The last turns, at most `lastCount`.
    private var last: [Turn] = []

    init(for positions: [RecordingPosition]) {
        let numbers = positions.compactMap { position -> Int64? in
            switch position {
            case .turn(let number), .turnEnd(let number): number
            case .time, .beforeEnd, .part, .marker, .event: nil
            }
        }
        wanted = Set(numbers)
        lastCount = Int(min(numbers.map { -$0 }.max() ?? 0, Self.lastLimit))
    }

    /// The maximum distance from the last turn; limits the memory needed.
    private static let lastLimit: Int64 = 1 << 20

    /// `count` is the number of the event.
    mutating func consume(_ event: RecordingEvent, number count: Int) {
        guard !wanted.isEmpty, let (number, isEnd) = event.turn else { return }
        let point = RecordingPoint(time: event.time, event: isEnd ? count + 1 : count)
        if isEnd {
            turns[number]?.end = point
            if let index = last.lastIndex(where: { $0.number == number }) { last[index].end = point }
            return
        }
        let turn = Turn(number: number, start: point)
        if wanted.contains(number) { turns[number] = turn }
        guard lastCount > 0 else { return }
        last.append(turn)
        if last.count > 2 * lastCount { last.removeFirst(lastCount) }
    }

    /// - Throws: `not-found` when the recording has no such turn.
    func turn(_ number: Int64) throws(VTError) -> Turn {
        let found = number > 0 ? turns[number] : last.count >= -number ? last[last.count + Int(number)] : nil
        guard let found else {
            throw VTError(
                .notFound,
                "the recording has no turn \(number)",
                hint: "only recordings of sessions whose shell reports its commands have turns"
            )
        }
        return found
    }
}
