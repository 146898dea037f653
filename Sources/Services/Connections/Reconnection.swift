import Core
import Runtime
import Synchronization

/// Repeats what needs a connection after the connection was lost, according to a `ReconnectPolicy`.
final class Reconnection: Sendable {
    private struct State {
        var hasConnected = false
        var isAbandoned = false
        var attempts = 0
        /// The time since the connection was lost; nil while it works.
        var elapsed: (@Sendable () -> Duration)?
    }

    private let policy: ReconnectPolicy
    /// The name of the server or session in the error that is thrown after the last attempt.
    private let name: String
    private let hint: String?
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(_ policy: ReconnectPolicy, to name: String, hint: String? = nil, on clock: any Clock<Duration>) {
        (self.policy, self.name, self.hint, self.clock) = (policy, name, hint, clock)
    }

    /// The number of attempts since the connection last worked.
    var attempts: Int { state.withLock(\.attempts) }

    /// Records that a connection was established; until then, failures are not retried.
    func connected() {
        state.withLock { $0.hasConnected = true }
    }

    /// Records that the connection worked, which resets the number of attempts.
    func succeeded() {
        state.withLock { ($0.attempts, $0.elapsed) = (0, nil) }
    }

    /// Makes the next failure the last one.
    func abandon() {
        state.withLock { $0.isAbandoned = true }
    }

    /// Runs `body` until it returns a result; after each failure, `announce` is called with it and with the delay before the
    /// next attempt.
    ///
    /// - Throws: The error of `body` if it is permanent, or if no connection has been established yet; after the last
    ///   attempt, `host.unreachable` with that error as its cause; errors of `announce`.
    func run<Result>(
        _ body: () async throws(VTError) -> Result,
        announce: (VTError, Duration) async throws(VTError) -> Void
    ) async throws(VTError) -> Result {
        while true {
            let failure: VTError
            do throws(VTError) {
                return try await body()
            } catch {
                failure = error
            }
            let delay = try delay(after: failure)
            try await announce(failure, delay)
            if delay > .zero { try await clock.pause(for: delay) }
        }
    }

    /// Counts an attempt and returns how long to wait before it.
    private func delay(after failure: VTError) throws(VTError) -> Duration {
        try state.withLock { state throws(VTError) in
            guard state.hasConnected, !state.isAbandoned, Self.isTemporary(failure), policy.attempts > 0 else {
                throw failure
            }
            let elapsed = state.elapsed ?? Self.time(on: clock)
            state.elapsed = elapsed
            let rest = policy.timeLimit.map { $0 - elapsed() }
            guard state.attempts < policy.attempts, rest.map({ $0 > .zero }) != false else {
                throw VTError(
                    .hostUnreachable,
                    "lost the connection to '\(name)', and \(state.attempts) attempts to reconnect failed",
                    hint: hint,
                    causes: [failure.message] + failure.causes
                )
            }
            state.attempts += 1
            var generator = SystemRandomNumberGenerator()
            let delay = policy.delay(before: state.attempts, using: &generator)
            return rest.map { min(delay, $0) } ?? delay
        }
    }

    /// Returns the time on the clock since this call.
    private static func time(on clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Whether a later attempt might succeed; a rejected login or a changed host key is permanent.
    private static func isTemporary(_ failure: VTError) -> Bool {
        switch failure.code {
        case .hostUnreachable, .hostUnresolved, .timedOut: true
        default: failure.isTransient
        }
    }
}
