import Core
import NIOCore

/// The event loop's monotonic clock.
///
/// The standard library's clocks would start a thread pool that vt does not otherwise need.
package struct LoopClock: Clock {
    /// A point in time on the event loop's clock.
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

    private let eventLoop: any EventLoop

    package init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    package var now: Instant {
        Instant(deadline: .now())
    }

    package var minimumResolution: Duration { .milliseconds(1) }

    package func sleep(until instant: Instant, tolerance: Duration?) async throws {
        let promise = eventLoop.makePromise(of: Void.self)
        let timer = eventLoop.scheduleTask(deadline: instant.deadline) { promise.succeed() }
        try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            timer.cancel()
            promise.fail(CancellationError())
        }
    }
}
