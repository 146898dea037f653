import Core

/// Collects the turns of a session from their marks, newest first.
struct TurnList {
    private let filter: TurnFilter
    /// Whether there is a shell, so that a turn without an end is running.
    private let isLive: Bool
    /// The offset of the first output that is kept.
    private let firstOffset: UInt64
    private let since: Timestamp?
    /// The ends of turns whose start has not been found yet.
    private var ends: [UInt64: (time: Int64, mark: ShellMark)] = [:]
    /// The number of the last turn found.
    private var last: UInt64?
    /// The number of turns found, whether selected or not.
    private var count: Int64 = 0
    /// The selected turns, newest first.
    private(set) var turns: [Turn] = []

    /// More than the number of turns that nested shells can be running.
    private static let endLimit = 4096

    init(_ filter: TurnFilter, isLive: Bool, firstOffset: UInt64, now: Timestamp) {
        (self.filter, self.isLive, self.firstOffset) = (filter, isLive, firstOffset)
        since = filter.since ?? filter.age.map { Timestamp(seconds: now.seconds - $0.components.seconds) }
    }

    /// Processes the next older mark; returns whether older ones are needed.
    mutating func add(_ event: SessionLogEvent) -> Bool {
        guard case .shell(let mark) = event.kind else { return true }
        guard case .command = mark.kind else {
            // The earliest mark after the start is that of the end; shells repeat it.
            if ends.count < Self.endLimit || ends[mark.turn] != nil { ends[mark.turn] = (event.time, mark) }
            return true
        }
        // A shell that reads a typed line from a file reports the command that reads it, too.
        guard last.map({ mark.turn < $0 }) ?? true else { return true }
        last = mark.turn
        count += 1
        let turn = turn(of: mark, at: event.time, end: ends.removeValue(forKey: mark.turn))
        if let number = filter.number {
            let isWanted = number < 0 ? count == -number : turn.number == UInt64(number)
            if isWanted { turns.append(turn) }
            return !isWanted && (number < 0 || turn.number > UInt64(number))
        }
        if let after = filter.after, turn.number <= after { return false }
        if let since, turn.startedAt < since { return false }
        if includes(turn) { turns.append(turn) }
        return filter.limit.map { turns.count < $0 } ?? true
    }

    private func includes(_ turn: Turn) -> Bool {
        if filter.hasFailed, turn.status ?? 0 == 0 { return false }
        guard let text = filter.text else { return true }
        return turn.command?.contains(text) ?? false
    }

    private func turn(of start: ShellMark, at time: Int64, end: (time: Int64, mark: ShellMark)?) -> Turn {
        var turn = Turn()
        turn.number = start.turn
        (turn.command, turn.directory) = (start.command, start.directory)
        turn.origin = start.request == 0 ? .typed : .exec
        turn.start = start.offset
        turn.startedAt = Timestamp(seconds: time / 1_000_000)
        if let end {
            turn.end = max(end.mark.offset, start.offset)
            turn.endedAt = Timestamp(seconds: end.time / 1_000_000)
            turn.duration = .microseconds(end.time - time)
            turn.status = end.mark.status
        }
        turn.state =
            switch end?.mark.kind {
            case .end: .ended
            case .replaced: .replaced
            case nil: isLive ? .running : .unknown
            case .prompt, .input, .continuation, .command, .unknown: .unknown
            }
        if firstOffset > turn.start { turn.firstOffset = turn.end.map { min(firstOffset, $0) } ?? firstOffset }
        return turn
    }
}
