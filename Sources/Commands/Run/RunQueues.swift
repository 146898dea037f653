import Core
import Runtime
import Synchronization

/// A run's queues to standard output and standard error, created on first use and drained by the runner.
final class RunQueues: Sendable {
    private struct State {
        var output: (any OutputQueue)?
        var errorOutput: (any OutputQueue)?
        /// Why the run fails although it has a result.
        var failure: VTError?

        var all: [any OutputQueue] { [output, errorOutput].compactMap { $0 } }
    }

    private let console: Console
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// The maximum time to wait for a stalled reader after a run has timed out or was interrupted.
    static let lastOutputTimeout = Duration.seconds(1)

    init(_ console: Console, clock: any Clock<Duration>) {
        self.console = console
        self.clock = clock
    }

    /// Returns the queue to standard output; `mayBeClosed` is passed to `StandardOutput.makeQueue` by the first call
    /// only.
    func output(mayBeClosed: Bool = false) -> any OutputQueue {
        state.withLock { state in
            let queue = state.output ?? console.output.makeQueue(mayBeClosed: mayBeClosed)
            state.output = queue
            return queue
        }
    }

    /// Returns the queue to standard error.
    func errorOutput() -> any OutputQueue {
        state.withLock { state in
            let queue = state.errorOutput ?? console.errorOutput.makeQueue(mayBeClosed: true)
            state.errorOutput = queue
            return queue
        }
    }

    /// Whether a reader of one of the queues has closed its stream.
    var hasLostReader: Bool {
        state.withLock { $0.all }.contains { $0.hasLostReader }
    }

    /// Waits until all output is written, except output whose reader has exited, and closes the queues.
    ///
    /// The command or the runner decides how to handle a lost reader; the other queue is written in any case.
    func finish() async throws(VTError) {
        if let failure = state.withLock({ $0.failure }) { return await finish(after: failure) }
        try await close()
    }

    private func close() async throws(VTError) {
        try await forEach { queue throws(VTError) in try await queue.finish() }
    }

    /// Waits until the output so far is written, except output whose reader has exited.
    ///
    /// After a failure, its time is limited to `limit`, as in `write`, and so is that of a later `finish`.
    func drain(after failure: VTError? = nil, within limit: Duration = lastOutputTimeout) async throws(VTError) {
        let drain = { @Sendable () async throws(VTError) in
            try await self.forEach { queue throws(VTError) in try await queue.drain() }
        }
        guard let failure else { return try await drain() }
        state.withLock { $0.failure = failure }
        _ = await Result { () async throws(VTError) in
            try await Self.write(after: failure, within: limit, on: self.clock, drain)
        }
    }

    private func forEach(_ body: (any OutputQueue) async throws(VTError) -> Void) async throws(VTError) {
        for queue in state.withLock({ $0.all }) {
            do throws(VTError) {
                try await body(queue)
            } catch {
                guard queue.hasLostReader else { throw error }
            }
        }
    }

    /// Writes the output that preceded a failure.
    ///
    /// An error while writing is ignored, because only `failure` is reported.
    func finish(after failure: VTError) async {
        do throws(VTError) {
            try await Self.write(after: failure, on: clock) { () async throws(VTError) in try await self.close() }
        } catch {
            return
        }
    }

    /// Performs `body`, which writes the output that precedes a failure.
    ///
    /// If the run has timed out, its time is limited to `limit`, and if the task is canceled, to a second, so that a stalled
    /// reader does not delay the end.
    ///
    /// - Throws: Errors of `body`; `failure`, if the time is over.
    static func write(
        after failure: VTError?,
        within limit: Duration = lastOutputTimeout,
        on clock: any Clock<Duration>,
        _ body: @escaping @Sendable () async throws(VTError) -> Void
    ) async throws(VTError) {
        guard failure?.code == .timedOut || Task.isCancelled else { return try await body() }
        let limit = Task.isCancelled ? lastOutputTimeout : limit
        let writing = Task.onCurrentExecutor {
            await Result { () async throws(VTError) in
                try await withTimeout(limit, on: clock, throwing: failure ?? .cancelled, body)
            }
        }
        try await writing.value.get()
    }
}
