import Core
import NIOCore

/// The monotonic clock of an executor.
///
/// The standard library's clocks would start a thread pool that vt does not otherwise need.
package struct LoopClock: Clock {
    /// A point in time on the monotonic clock.
    package struct Instant: InstantProtocol {
        fileprivate var deadline: NIODeadline

        package func advanced(by duration: Duration) -> Instant {
            Instant(deadline: deadline + TimeAmount(duration))
        }

        package func duration(to other: Instant) -> Duration {
            .nanoseconds((other.deadline - deadline).nanoseconds)
        }

        package static func < (left: Instant, right: Instant) -> Bool {
            left.deadline < right.deadline
        }
    }

    private let executor: LoopExecutor

    package init(_ executor: LoopExecutor) {
        self.executor = executor
    }

    package var now: Instant {
        Instant(deadline: .now())
    }

    package var minimumResolution: Duration { .milliseconds(1) }

    package func sleep(until instant: Instant, tolerance: Duration?) async throws {
        let timer = LoopTimer(instant.deadline)
        executor.add(timer)
        guard await timer.wasCanceled.value(orIfCanceled: true) else { return }
        executor.remove(timer)
        throw VTError.cancelled
    }
}
