import Core
import Runtime

/// Reports changes in memory, such as additions to a log.
package final class MemoryLogChanges: Sendable {
    private let monitor = Monitor((isPending: false, isWaitedFor: false))

    package init() {}

    /// Whether a reader is waiting for a change.
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
