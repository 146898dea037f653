import NIOCore
import Synchronization

/// A sleeping task and the time at which to wake it.
final class LoopTimer: Sendable {
    let deadline: NIODeadline
    /// Whether the sleep was canceled before the time came.
    let wasCanceled = FirstResult<Bool>()
    private let scheduled = Mutex<Scheduled<Void>?>(nil)

    init(_ deadline: NIODeadline) {
        self.deadline = deadline
    }

    func fire() {
        wasCanceled.provide(false)
    }

    func schedule(on loop: any EventLoop) {
        let task = loop.scheduleTask(deadline: deadline) { self.fire() }
        scheduled.withLock { $0 = task }
    }

    func unschedule() {
        scheduled.withLock { $0 }?.cancel()
    }
}
