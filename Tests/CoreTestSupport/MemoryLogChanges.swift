import Core
import POSIX

/// Reports additions to a log in memory.
package final class MemoryLogChanges: SessionLogChanges {
    private let monitor = Monitor((isPending: false, isWaitedFor: false))

    package init() {}

    /// Whether a reader is waiting for an addition.
    package var isWaitedFor: Bool { monitor.withLock { $0.isWaitedFor } }

    package func tell() {
        monitor.update { $0.isPending = true }
    }

    package func next() async throws(VTError) -> Bool {
        defer { monitor.withLock { $0.isWaitedFor = false } }
        return try await monitor.wait { state -> Bool? in
            guard state.isPending else {
                state.isWaitedFor = true
                return nil
            }
            state.isPending = false
            return true
        }
    }
}
