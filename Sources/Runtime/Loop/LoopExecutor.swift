import Core
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import System

/// Runs tasks and actors on the main thread, so that they need only one thread.
///
/// Jobs and timers are kept in a queue until something needs an event loop, which then takes over the thread: creating
/// an event loop takes longer than running most commands that do not need one.
package final class LoopExecutor: TaskExecutor, SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// In the order of their deadlines.
        var timers: [LoopTimer] = []
        /// Called with the event loop, or with nil if it cannot be created.
        var loopWaiters: [@Sendable ((any EventLoop)?) -> Void] = []
        /// Whether the thread is waiting for a job, a timer or a descriptor.
        var isIdle = false
        /// The event loop that has taken over the thread.
        var loop: (any EventLoop)?
    }

    private enum Step {
        case perform([UnownedJob])
        case fire([LoopTimer])
        case wait(until: NIODeadline?)
        case startLoop
    }

    /// The descriptors of an event loop (epoll, eventfd and timerfd); SwiftNIO traps if it cannot open them.
    private static let loopDescriptors = 3

    private let state = Mutex(State())
    /// Waits for descriptors while the thread has nothing else to do.
    package let poller: DescriptorPoller
    private let thread = pthread_self()

    /// Creates the executor of the calling thread, which must then call `run`.
    ///
    /// - Throws: `system` when the process is out of descriptors.
    package init() throws(VTError) {
        poller = try DescriptorPoller(isPolledByCaller: true)
    }

    /// Returns an executor that runs on a new thread, which never ends.
    ///
    /// - Throws: `system` when no thread can be started or no descriptors are left.
    package static func onNewThread() async throws(VTError) -> LoopExecutor {
        let result = FirstResult<Result<LoopExecutor, VTError>>()
        try startThread {
            do throws(VTError) {
                let executor = try LoopExecutor()
                result.provide(.success(executor))
                executor.run()
            } catch {
                result.provide(.failure(error))
            }
        }
        return try await result.value(orIfCanceled: .failure(.cancelled)).get()
    }

    /// Runs jobs until one of them exits the process.
    package func run() -> Never {
        while true {
            switch nextStep() {
            case .perform(let jobs): for job in jobs { perform(job) }
            case .fire(let timers): for timer in timers { timer.fire() }
            case .wait(let deadline): poller.poll(untilUptime: deadline?.uptimeNanoseconds)
            case .startLoop: startLoop()
            }
        }
    }

    /// Returns the event loop, which is created on the first call.
    ///
    /// - Throws: `system` when too few descriptors are left to create it.
    package func eventLoop() async throws(VTError) -> any EventLoop {
        let loop = await withCheckedContinuation { (continuation: CheckedContinuation<(any EventLoop)?, Never>) in
            let loop: (any EventLoop)? = update { state in
                if state.loop == nil { state.loopWaiters.append { continuation.resume(returning: $0) } }
                return state.loop
            }
            if let loop { continuation.resume(returning: loop) }
        }
        guard let loop else { throw FileDescriptor.tooMany }
        return loop
    }

    // MARK: - Timers

    func add(_ timer: LoopTimer) {
        let loop: (any EventLoop)? = update { state in
            if state.loop == nil {
                let index = state.timers.firstIndex { $0.deadline > timer.deadline } ?? state.timers.endIndex
                state.timers.insert(timer, at: index)
            }
            return state.loop
        }
        if let loop { timer.schedule(on: loop) }
    }

    func remove(_ timer: LoopTimer) {
        update { $0.timers.removeAll { $0 === timer } }
        timer.unschedule()
    }

    // MARK: - Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let loop: (any EventLoop)? = update { state in
            if state.loop == nil { state.jobs.append(job) }
            return state.loop
        }
        loop?.execute { self.perform(job) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(complexEquality: self)
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        unsafe UnownedTaskExecutor(ordinary: self)
    }

    package func isSameExclusiveExecutionContext(other: LoopExecutor) -> Bool {
        self === other
    }

    package func checkIsolated() {
        precondition(pthread_equal(pthread_self(), thread) != 0, "this is not the executor's thread")
    }

    // MARK: - The queue

    /// Changes the state, and wakes the thread if it is waiting.
    @discardableResult
    private func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, wasIdle) = state.withLock { state in
            defer { state.isIdle = false }
            return (change(&state), state.isIdle)
        }
        if wasIdle { poller.wake() }
        return result
    }

    private func nextStep() -> Step {
        state.withLock { state in
            state.isIdle = false
            guard state.loopWaiters.isEmpty else { return .startLoop }
            if let first = state.timers.first {
                let now = NIODeadline.now()
                if first.deadline <= now {
                    let due = Array(state.timers.prefix { $0.deadline <= now })
                    state.timers.removeFirst(due.count)
                    return .fire(due)
                }
            }
            guard state.jobs.isEmpty else {
                defer { state.jobs = [] }
                return .perform(state.jobs)
            }
            state.isIdle = true
            return .wait(until: state.timers.first?.deadline)
        }
    }

    /// Creates the event loop and runs it forever, unless too few descriptors are left.
    private func startLoop() {
        guard FileDescriptor.areFree(Self.loopDescriptors) else {
            let waiters = state.withLock { state in
                defer { state.loopWaiters = [] }
                return state.loopWaiters
            }
            for waiter in waiters { waiter(nil) }
            return
        }
        // Returns only when the event loop is shut down, which never happens.
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { self.yield(to: $0) }
    }

    /// Hands the thread and the queue over to an event loop.
    private func yield(to loop: any EventLoop) {
        let queue = state.withLock { state in
            defer { state = State(loop: loop) }
            return state
        }
        poller.pollOnThread()
        for timer in queue.timers { timer.schedule(on: loop) }
        for job in queue.jobs { loop.execute { self.perform(job) } }
        for waiter in queue.loopWaiters { waiter(loop) }
    }

    private func perform(_ job: UnownedJob) {
        unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
}
