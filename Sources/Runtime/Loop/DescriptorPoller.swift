import CLinux
import Core
import Glibc
import Synchronization
import System

/// Lets tasks wait until descriptors can be read or written.
///
/// One thread waits for all of them with poll(2): the thread of an executor, which calls `poll` when it has nothing
/// else to do, or a thread that is started with the first wait.
package final class DescriptorPoller: Sendable {
    package enum Event: Sendable {
        case readable
        case writable
        /// Nobody can read what would be written: POLLERR for a pipe, POLLHUP for a socket (poll(2)).
        case closed

        fileprivate var flags: Int16 {
            switch self {
            case .readable: Int16(POLLIN)
            case .writable: Int16(POLLOUT)
            // Errors are always reported.
            case .closed: 0
            }
        }
    }

    /// How a wait ended; `Result` would look up a conformance at run time, which is slow.
    private enum Outcome {
        case ready
        case late
        case failed(VTError)
    }

    /// A waiting task.
    private final class Waiter: Sendable {
        let event: Event
        let descriptor: CInt
        /// A time of the monotonic clock in nanoseconds.
        let deadline: UInt64?
        let outcome = FirstResult<Outcome>()

        init(for event: Event, on descriptor: CInt, until deadline: UInt64?) {
            (self.event, self.descriptor, self.deadline) = (event, descriptor, deadline)
        }
    }

    private struct State {
        /// The waiting tasks, in the order in which they began to wait; a dictionary would look up a conformance.
        var waiters: [Waiter] = []
        /// Whether the thread is in `poll`, so that it must be woken to poll another descriptor.
        var isPolling = false
        var hasThread: Bool
    }

    private let state: Mutex<State>
    /// An event counter that ends a call to `poll`.
    private let wakeup: FileDescriptor

    /// Without `isPolledByCaller`, a thread is started with the first wait.
    ///
    /// - Throws: `system` when the process is out of descriptors.
    package init(isPolledByCaller: Bool = false) throws(VTError) {
        var number: CInt = -1
        let failure = unsafe clinux_open_event(&number)
        guard failure == 0 else { throw .system(failure, "cannot wait for descriptors", fallback: .system) }
        wakeup = FileDescriptor(owning: number)
        state = Mutex(State(hasThread: isPolledByCaller))
    }

    // MARK: - Tasks

    /// Waits until reading or writing would not block, which includes the end of the stream and errors; returns false
    /// if the deadline, in nanoseconds of the monotonic clock, passes first.
    ///
    /// The descriptor must stay open in the meantime.
    ///
    /// - Throws: `cancelled` when the task is canceled; `system` when no thread can be started.
    @discardableResult
    package func wait(
        for event: Event,
        on descriptor: CInt,
        untilUptime deadline: UInt64? = nil
    ) async throws(VTError) -> Bool {
        let waiter = Waiter(for: event, on: descriptor, until: deadline)
        add(waiter)
        switch await waiter.outcome.value(orIfCanceled: .failed(.cancelled)) {
        case .ready: return true
        case .late: return false
        case .failed(let error):
            // `poll` notices this when it returns.
            state.withLock { state in state.waiters.removeAll { $0 === waiter } }
            throw error
        }
    }

    private func add(_ waiter: Waiter) {
        let (needsThread, needsWakeup) = state.withLock { state in
            defer { state.hasThread = true }
            state.waiters.append(waiter)
            return (!state.hasThread, state.isPolling)
        }
        if needsThread { startThread() }
        if needsWakeup { wake() }
    }

    // MARK: - The thread

    /// Waits until a descriptor is ready and resumes its tasks, until `wake` is called, or until the deadline, in
    /// nanoseconds of the monotonic clock, passes; nil means no limit.
    ///
    /// Only one thread may call this at a time. The corresponding C function is `ppoll`.
    package func poll(untilUptime deadline: UInt64? = nil) {
        let waiters = state.withLock { state in
            state.isPolling = true
            return state.waiters
        }
        var requests = [pollfd(fd: wakeup.number, events: Int16(POLLIN), revents: 0)]
        var limit = deadline
        for waiter in waiters {
            requests.append(pollfd(fd: waiter.descriptor, events: waiter.event.flags, revents: 0))
            if let deadline = waiter.deadline { limit = min(limit ?? deadline, deadline) }
        }
        let count = poll(&requests, until: limit)
        if count > 0, requests[0].revents != 0 { clearWakeup() }
        let now = limit == nil ? 0 : Self.uptime
        state.withLock { $0.isPolling = false }
        var hasEnded = false
        for (request, waiter) in zip(requests.dropFirst(), waiters) {
            let isReady = count > 0 && request.revents != 0
            guard isReady || waiter.deadline.map({ $0 <= now }) ?? false else { continue }
            waiter.outcome.provide(isReady ? .ready : .late)
            hasEnded = true
        }
        if hasEnded { state.withLock { state in state.waiters.removeAll { $0.outcome.isKnown } } }
    }

    /// Ends the current call to `poll` or, if none is in progress, the next one.
    package func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeup.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Polls on a new thread from now on, because the caller no longer does.
    package func pollOnThread() {
        let hasWaiters = state.withLock { state in
            state.hasThread = !state.waiters.isEmpty
            return state.hasThread
        }
        if hasWaiters { startThread() }
    }

    private func startThread() {
        do throws(VTError) {
            try System.startThread { while true { self.poll() } }
        } catch {
            let waiters = state.withLock { state in
                defer { (state.waiters, state.hasThread) = ([], false) }
                return state.waiters
            }
            for waiter in waiters { waiter.outcome.provide(.failed(error)) }
        }
    }

    private func clearWakeup() {
        var count: UInt64 = 0
        _ = unsafe read(wakeup.number, &count, MemoryLayout<UInt64>.size)
    }

    /// The monotonic clock in nanoseconds.
    private static var uptime: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns the number of ready descriptors.
    private func poll(_ requests: inout [pollfd], until deadline: UInt64?) -> CInt {
        let count = nfds_t(requests.count)
        guard var deadline else { return unsafe clinux_poll(&requests, count, nil) }
        return unsafe clinux_poll(&requests, count, &deadline)
    }
}
