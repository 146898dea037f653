import Core

/// Removes output that a server sends again: each subscription begins with the history of the session, and nothing
/// marks its end.
///
/// The history begins where the session does or, with newer servers, after the last output event that cleared the
/// screen. So it is compared with all that was shown, and with what was shown since the screen was last cleared; if it
/// continues either, only the continuation is new.
package struct ReplayFilter: Sendable {
    package struct Result: Hashable, Sendable {
        /// What has not been shown before.
        package var output: [UInt8] = []
        /// Whether the output does not continue what was shown: some of that is missing, or comes again.
        package var isDisconnected = false
    }

    /// Whether the server cuts the history where the screen is cleared; nil as long as it is not known.
    private var cutsHistory: Bool?
    private var all = ShownOutput()
    /// Nil if the screen has not been cleared.
    private var sinceClear: ShownOutput?
    private var comparisons: Comparisons?

    private struct Comparisons {
        var all: OutputComparison
        var sinceClear: OutputComparison?
        /// The replay, as long as it could still be different from what was shown.
        var held: [UInt8] = []
        /// The number of bytes in the replay before those that are held.
        var dropped = 0
    }

    package init(cutsHistory: Bool?) {
        self.cutsHistory = cutsHistory
    }

    /// Expects a history.
    package mutating func begin() {
        guard all.count > 0 else { return }
        comparisons = Comparisons(
            all: OutputComparison(with: all),
            sinceClear: sinceClear.map { OutputComparison(with: $0) }
        )
        resolve()
    }

    /// Processes the next output event; `isHistory` means that it certainly belongs to a history.
    package mutating func consume(_ event: [UInt8], isHistory: Bool) -> Result {
        // A history that includes a clearing of the screen was not cut there.
        if isHistory, cutsHistory == nil, Self.containsClearSequence(event) { cutsHistory = false }
        guard comparisons != nil else { return show(event) }
        comparisons?.held += event
        _ = comparisons?.all.compare(event[...])
        _ = comparisons?.sinceClear?.compare(event[...])
        return resolve()
    }

    /// Decides about a history that has ended, as far as one can tell from a silence.
    package mutating func endHistory() -> Result {
        guard cutsHistory != false, let sinceClear = comparisons?.sinceClear, sinceClear.state == .complete else {
            return Result()
        }
        return finish(at: sinceClear.position)
    }

    /// Ends the comparison if it is decided.
    @discardableResult
    private mutating func resolve() -> Result {
        guard let comparisons else { return Result() }
        // What is expected decides as soon as it is complete; the other one only if the expected one is different.
        var candidates = [comparisons.all]
        if let sinceClear = comparisons.sinceClear, cutsHistory != false {
            candidates.insert(sinceClear, at: cutsHistory == true ? 0 : 1)
        }
        candidates.removeAll { $0.state == .different }
        if let expected = candidates.first {
            if expected.state == .complete { return finish(at: expected.position) }
            release(upTo: candidates.map(\.position).min() ?? 0)
            return Result()
        }
        // The next history begins where this one does.
        (self.all, self.sinceClear) = (ShownOutput(), nil)
        var result = finish(at: comparisons.dropped)
        result.isDisconnected = true
        return result
    }

    /// Shows what follows a position in the replay.
    private mutating func finish(at position: Int) -> Result {
        guard let comparisons else { return Result() }
        self.comparisons = nil
        return show(Array(comparisons.held[max(0, position - comparisons.dropped)...]))
    }

    /// Drops held bytes before the blocks that are being compared, so that a long replay needs little memory.
    private mutating func release(upTo position: Int) {
        guard let comparisons, comparisons.held.count > ShownOutput.heldBytes else { return }
        // That much output is not the same by chance.
        if cutsHistory == nil, comparisons.all.state == .same { self.comparisons?.sinceClear = nil }
        let count = min(comparisons.held.count - ShownOutput.heldBytes / 2, position - comparisons.dropped)
        guard count > 0 else { return }
        self.comparisons?.held.removeFirst(count)
        self.comparisons?.dropped += count
    }

    private mutating func show(_ bytes: [UInt8]) -> Result {
        all.append(bytes[...])
        if Self.containsClearSequence(bytes) {
            // The history that follows begins with the next event.
            sinceClear = ShownOutput()
        } else {
            sinceClear?.append(bytes[...])
        }
        return Result(output: bytes)
    }
}

extension ShownOutput {
    /// How much of a replay is held while it is compared.
    fileprivate static let heldBytes = 4 * blockBytes
}

/// The sequences at which servers cut the history of a session: what precedes the last one is not sent again.
extension ReplayFilter {
    private static let escape: UInt8 = 0x1B
    /// What follows ESC, as in upstream's `pruning-detector.ts`.
    private static let endings: [[UInt8]] = [
        "c", "[2J", "[3J", "[H\u{1B}[J", "[H\u{1B}[2J", "[?1049h", "[?1049l", "[?47h", "[?47l",
    ].map { Array($0.utf8) }

    static func containsClearSequence(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while let index = bytes.firstIndex(of: escape, in: start..<bytes.count) {
            start = index + 1
            // Most sequences end with another letter, such as that of a color.
            let rest = bytes[start...]
            guard let first = rest.first, first == UInt8(ascii: "c") || first == UInt8(ascii: "[") else { continue }
            let second = rest.dropFirst().first
            guard first == UInt8(ascii: "c") || second.map(secondBytes.contains) == true else { continue }
            if endings.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }

    /// The bytes that can follow `[` in `endings`.
    private static let secondBytes = Array("23H?".utf8)
}
