import Runtime
import Testing

struct MonitorTests {
    /// The value to wait for, and how often tasks have looked at it.
    private struct Progress {
        var value = 0
        var attempts = 0
    }

    @Test(.timeLimit(.minutes(5)))
    func `an update wakes every task that waits`() async throws {
        let monitor = Monitor(Progress())
        let tasks = (0..<3).map { _ in
            Task {
                try await monitor.wait { progress -> Int? in
                    progress.attempts += 1
                    return progress.value > 0 ? progress.value : nil
                }
            }
        }
        while monitor.withLock({ $0.attempts }) < 3 { await Task.yield() }
        // The tasks are about to be suspended.
        for _ in 0..<1000 { await Task.yield() }
        monitor.update { $0.value = 7 }
        for task in tasks { #expect(try await task.value == 7) }
    }
}
