import Core
import Synchronization

/// A terminal that records the operations on it.
final class MemoryTerminal: RunTerminal {
    enum Event: Equatable {
        case begin(raw: Bool, hasScreen: Bool)
        case prepare(String)
        case suspend
        case end
    }

    private let all = Mutex<[Event]>([])
    private let canBeRaw: Bool

    /// `canBeRaw` specifies whether standard input is a terminal.
    init(canBeRaw: Bool = false) {
        self.canBeRaw = canBeRaw
    }

    var events: [Event] { all.withLock { $0 } }

    func begin(raw: Bool, hasScreen: Bool) -> Bool {
        all.withLock { $0.append(.begin(raw: raw, hasScreen: hasScreen)) }
        return raw && canBeRaw
    }

    func prepare(_ reset: [UInt8]) {
        all.withLock { $0.append(.prepare(String(decoding: reset, as: UTF8.self))) }
    }

    func suspend() {
        all.withLock { $0.append(.suspend) }
    }

    var canAsk: Bool { false }

    func ask(_ prompt: Prompt) -> [UInt8]? { nil }

    func end() {
        all.withLock { $0.append(.end) }
    }
}
