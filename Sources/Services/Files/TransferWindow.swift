import Synchronization

/// Bounds the bytes that all files of a copy have in progress.
final class TransferWindow: Sendable {
    private let bytes = Mutex(0)

    /// More than all sessions of a connection have in transit, because chunks also wait for their turn and for replies.
    static let limitBytes = 16 << 20

    /// Adds a chunk if there is room for it, or if it is the only chunk of its file, so that each file makes progress.
    func admits(_ count: Int, isOnly: Bool) -> Bool {
        bytes.withLock { bytes in
            guard isOnly || bytes + count <= Self.limitBytes else { return false }
            bytes += count
            return true
        }
    }

    /// Removes a chunk that `admits` has added.
    func release(_ count: Int) {
        bytes.withLock { $0 -= count }
    }
}
