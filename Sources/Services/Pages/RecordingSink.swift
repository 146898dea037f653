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
    private let receive: @Sendable ([RecordingItem]) async throws(VTError) -> Void
    private let state = Mutex(State())

    /// The items are passed on when this many bytes have been written.
    init(pieceBytes: Int = 1, _ receive: @escaping @Sendable ([RecordingItem]) async throws(VTError) -> Void) {
        self.pieceBytes = pieceBytes
        self.receive = receive
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
        let items = try state.withLock { state throws(VTError) in
            state.unread = 0
            var items: [RecordingItem] = []
            while let item = try state.reader.next() { items.append(item) }
            return items
        }
        if !items.isEmpty { try await receive(items) }
    }
}
