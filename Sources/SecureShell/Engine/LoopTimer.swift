import Core
import NIOCore
import POSIX
import Synchronization

/// A sleeping task, which is woken at a point in time.
final class LoopTimer: Sendable {
    let deadline: NIODeadline
    /// What ends the sleep: the time or a cancellation.
    let end = FirstResult<Void>()
    private let scheduled = Mutex<Scheduled<Void>?>(nil)

    init(_ deadline: NIODeadline) {
        self.deadline = deadline
    }

    func fire() {
        end.provide(.success(()))
    }

    func schedule(on loop: any EventLoop) {
        let task = loop.scheduleTask(deadline: deadline) { self.fire() }
        scheduled.withLock { $0 = task }
    }

    func unschedule() {
        scheduled.withLock { $0 }?.cancel()
    }
}
