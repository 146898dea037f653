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
        /// Some output may be repeated.
        case uncertain
        case failure(String)
    }

    private var replays: ReplayFilter
    private var overlaps = OverlapFilter()
    /// Whether events can still arrive twice.
    private var canOverlap = false
    /// Whether the history of the current subscription has begun.
    package private(set) var hasHeader = false
    private var isUncertain = false
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
        early = []
        replays.begin()
        overlaps.begin()
        canOverlap = true
    }

    package mutating func consume(_ event: StreamEvent) -> [Item] {
        switch event {
        case .header(let size):
            let rest = hasHeader ? pass(overlaps.settle()) : []
            // The Go server sends the history twice. What precedes the first header comes again in the history.
            if hasHeader { replays.begin() }
            overlaps.begin()
            hasHeader = true
            early = []
            return rest + (size.map { [.resize($0)] } ?? [])
        case .output(let bytes, _) where !hasHeader:
            if early.count < Self.earlyLimit { early.append(bytes) }
            return []
        case .output(let bytes, let isHistory):
            guard canOverlap else { return pass(bytes, isHistory: isHistory) }
            return pass(overlaps.consume(bytes), isHistory: isHistory)
        case .resize(let size): return pass(overlaps.settle()) + [.resize(size)]
        case .exit(let code): return pass(overlaps.settle()) + settleReplay() + [.exit(code)]
        case .failure(let message): return [.failure(message)]
        }
    }

    /// The history has ended, as far as one can tell from a silence.
    package mutating func settle() -> [Item] {
        canOverlap = false
        var items = pass(overlaps.settle())
        if !early.isEmpty {
            hasHeader = true
            items += early.flatMap { pass($0, isHistory: false) }
            early = []
        }
        return items + settleReplay()
    }

    private mutating func settleReplay() -> [Item] {
        let result = replays.settle()
        return result.output.isEmpty ? [] : [.output(result.output)]
    }

    private mutating func pass(_ result: OverlapFilter.Result, isHistory: Bool = false) -> [Item] {
        var items = result.events.flatMap { pass($0, isHistory: isHistory) }
        if result.isRemoved { canOverlap = false }
        if result.isUncertain, !isUncertain {
            isUncertain = true
            items.append(.uncertain)
        }
        return items
    }

    private mutating func pass(_ bytes: [UInt8], isHistory: Bool) -> [Item] {
        let result = replays.consume(bytes, isHistory: isHistory)
        let output = result.output.isEmpty ? [] : [Item.output(result.output)]
        return (result.isDisconnected ? [.disconnected] : []) + output
    }
}
