import NIOCore

/// Runs tasks and actors on one event loop, so that they need only one thread.
package final class LoopExecutor: TaskExecutor, SerialExecutor {
    package let eventLoop: any EventLoop

    package init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute {
            unsafe job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(),
                taskExecutor: self.asUnownedTaskExecutor()
            )
        }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(complexEquality: self)
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        unsafe UnownedTaskExecutor(ordinary: self)
    }

    package func isSameExclusiveExecutionContext(other: LoopExecutor) -> Bool {
        eventLoop === other.eventLoop
    }

    package func checkIsolated() {
        eventLoop.preconditionInEventLoop()
    }
}
