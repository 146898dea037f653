import Core

/// Turns the events of all subscriptions to a session into its output, in which nothing is repeated.
package struct SessionOutput: Sendable {
    package enum Item: Hashable, Sendable {
        case output([UInt8])
        case resize(TerminalSize)
        /// Nil if it is not known how the program ended.
        case exit(Int?)
        /// The output that follows does not continue the previous output.
        case disconnected
        case failure(String)
    }

    private var replays: ReplayFilter
    /// Nil if events can no longer arrive twice.
    private var overlaps: OverlapFilter?
    /// Whether the history of the current subscription has begun.
    package private(set) var hasHeader = false
    /// Whether only a new subscription shows how the output continues, because events may have come twice.
    ///
    /// All that follow are ignored. This happens only once.
    package private(set) var needsHistory = false
    private var hasComparedHistories = false
    /// Output before the header, which comes again in the history, unless there is none.
    private var early: [[UInt8]] = []

    private static let earlyLimit = 256

    /// `cutsHistory` is whether the server sends only what followed the last clearing of the screen; nil if unknown.
    package init(cutsHistory: Bool?) {
        replays = ReplayFilter(cutsHistory: cutsHistory)
    }

    /// Expects the events of a new subscription.
    package mutating func begin() {
        hasHeader = false
        needsHistory = false
        early = []
        replays.begin()
        overlaps = hasComparedHistories ? nil : OverlapFilter()
    }

    package mutating func consume(_ event: StreamEvent) -> [Item] {
        guard !needsHistory else { return [] }
        switch event {
        case .header(let size):
            let rest = hasHeader ? release() : []
            // The Go server sends the history twice. What precedes the first header comes again in the history.
            if hasHeader { replays.begin() }
            if overlaps != nil { overlaps = OverlapFilter() }
            hasHeader = true
            early = []
            return rest + (size.map { [.resize($0)] } ?? [])
        case .output(let bytes, _) where !hasHeader:
            if early.count < Self.earlyLimit { early.append(bytes) }
            return []
        case .output(let bytes, let isHistory):
            guard let result = overlaps?.consume(bytes) else { return pass(bytes, isHistory: isHistory) }
            return pass(result, isHistory: isHistory)
        case .resize(let size): return release() + [.resize(size)]
        case .exit(let code):
            let rest = release()
            return needsHistory ? rest : rest + endReplay() + [.exit(code)]
        case .failure(let message): return [.failure(message)]
        }
    }

    /// The history has ended, as far as one can tell from a silence.
    package mutating func endHistory() -> [Item] {
        guard !needsHistory else { return [] }
        var items = (overlaps?.held ?? []).flatMap { pass($0, isHistory: false) }
        overlaps = nil
        if !early.isEmpty {
            hasHeader = true
            items += early.flatMap { pass($0, isHistory: false) }
            early = []
        }
        return items + endReplay()
    }

    private mutating func release() -> [Item] {
        (overlaps?.release()).map { pass($0, isHistory: false) } ?? []
    }

    private mutating func pass(_ result: OverlapFilter.Result, isHistory: Bool) -> [Item] {
        if result.isRepetition { (needsHistory, hasComparedHistories) = (true, true) }
        return result.passed.flatMap { pass($0, isHistory: isHistory) }
    }

    private mutating func endReplay() -> [Item] {
        let result = replays.endHistory()
        return result.output.isEmpty ? [] : [.output(result.output)]
    }

    private mutating func pass(_ bytes: [UInt8], isHistory: Bool) -> [Item] {
        let result = replays.consume(bytes, isHistory: isHistory)
        let output = result.output.isEmpty ? [] : [Item.output(result.output)]
        return (result.isDisconnected ? [.disconnected] : []) + output
    }
}
