import Core

/// Counts the attempts to reconnect after a lost connection, according to a `ReconnectPolicy`.
struct Reconnection {
    private let policy: ReconnectPolicy
    /// The name of the server or session in the error that is thrown after the last attempt.
    private let name: String
    private let hint: String?
    private var hasConnected = false
    /// The number of attempts since the connection last worked.
    private(set) var attempts = 0

    init(_ policy: ReconnectPolicy, to name: String, hint: String? = nil) {
        self.policy = policy
        self.name = name
        self.hint = hint
    }

    /// Records that a connection was established; until then, failures are not retried.
    mutating func connected() {
        hasConnected = true
    }

    /// Records that the connection worked, which resets the number of attempts.
    mutating func succeeded() {
        attempts = 0
    }

    /// Counts an attempt and returns how long to wait before it; `elapsed` is the time since the connection was lost.
    ///
    /// - Throws: `failure` if it is permanent, or if no connection has been established yet; after the last attempt,
    ///   `host.unreachable` with `failure` as its cause.
    mutating func delay(after failure: VTError, elapsed: Duration = .zero) throws(VTError) -> Duration {
        guard hasConnected, Self.isTemporary(failure), policy.attempts > 0 else { throw failure }
        let rest = policy.timeLimit.map { $0 - elapsed }
        guard attempts < policy.attempts, rest.map({ $0 > .zero }) != false else {
            throw VTError(
                .hostUnreachable,
                "lost the connection to '\(name)', and \(attempts) attempts to reconnect failed",
                hint: hint,
                causes: [failure.message] + failure.causes
            )
        }
        attempts += 1
        var generator = SystemRandomNumberGenerator()
        let delay = policy.delay(before: attempts, using: &generator)
        return rest.map { min(delay, $0) } ?? delay
    }

    /// Whether a later attempt might succeed; a rejected login or a changed host key is permanent.
    private static func isTemporary(_ failure: VTError) -> Bool {
        switch failure.code {
        case .hostUnreachable, .hostUnresolved, .timedOut: true
        default: failure.isTransient
        }
    }
}
