import Core
import Recording
import Synchronization

/// Reads the items of a recording that is written to it, and passes them on.
final class RecordingSink: ByteSink {
    private struct State: ~Copyable {
        var reader = AsciicastReader(.lenient)
        var unread = 0
    }

    private let pieceBytes: Int
    private let itemLimit: Int
    private let receive: @Sendable ([RecordingItem]) async throws(VTError) -> Void
    private let state = Mutex(State())

    /// The items are passed on when `pieceBytes` have been written, at most `itemLimit` at a time.
    init(
        pieceBytes: Int = 1,
        itemLimit: Int = .max,
        _ receive: @escaping @Sendable ([RecordingItem]) async throws(VTError) -> Void
    ) {
        (self.pieceBytes, self.itemLimit, self.receive) = (pieceBytes, itemLimit, receive)
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        let isPiece = state.withLock { state in
            state.reader.append(bytes)
            state.unread += bytes.count
            return state.unread >= pieceBytes
        }
        if isPiece { try await pass() }
    }

    /// Passes on the remaining items.
    func finish() async throws(VTError) {
        state.withLock { $0.reader.finish() }
        try await pass()
    }

    private func pass() async throws(VTError) {
        state.withLock { $0.unread = 0 }
        while true {
            let items = try state.withLock { state throws(VTError) in
                var items: [RecordingItem] = []
                while items.count < itemLimit, let item = try state.reader.next() { items.append(item) }
                return items
            }
            guard !items.isEmpty else { return }
            try await receive(items)
        }
    }
}
