import Core

/// The numbers of the turns that end.
extension ShellTracker {
    /// Ends the turn of the shell that reports the end of a command; returns its number.
    mutating func endTurn(in processID: Int32?) -> UInt64? {
        let index = turns.lastIndex { turn in
            processID == nil || turn.shell == nil || turn.shell?.processID == processID
        }
        guard let index else { return nil }
        return turns.remove(at: index).number
    }

    /// Ends the turns that cannot be running, because their shell is at its prompt or has ended.
    mutating func endTurns(at offset: UInt64) -> [Step] {
        let running = Set(shells.dropLast())
        let ended = turns.filter { $0.shell.map { !running.contains($0) } ?? true }
        guard !ended.isEmpty else { return [] }
        turns.removeAll { turn in ended.contains { $0.number == turn.number } }
        return ended.map { turn in
            let isReplaced = turn.shell.map { shell in
                !shells.contains(shell) && shells.contains { $0.processID == shell.processID }
            }
            return .record(ShellMark(isReplaced ?? false ? .replaced : .unknown, at: offset, turn: turn.number))
        }
    }
}
