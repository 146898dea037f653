import Core

/// The attempts to restore one lost link, counted by a `ReconnectPolicy`.
struct Reconnection {
    private let policy: ReconnectPolicy
    /// What the error after the last attempt calls the other end.
    private let name: String
    private let hint: String?
    private var hasConnected = false
    /// The number of attempts since the link last worked.
    private(set) var attempts = 0

    init(_ policy: ReconnectPolicy, to name: String, hint: String? = nil) {
        self.policy = policy
        self.name = name
        self.hint = hint
    }

    /// The number of attempts that the policy allows.
    var maximumAttempts: Int { policy.attempts }

    /// Records that the link was established: only then is a later loss worth an attempt.
    mutating func connected() {
        hasConnected = true
    }

    /// Records that the link was of use; the next loss starts a new count.
    mutating func succeeded() {
        attempts = 0
    }

    /// Counts an attempt and returns how long to wait before it.
    ///
    /// - Throws: `failure` if it is permanent or if there was no link before; an error that lists it once no attempt is
    ///   left.
    mutating func delay(after failure: VTError) throws(VTError) -> Duration {
        guard hasConnected, Self.mayPass(failure), policy.attempts > 0 else { throw failure }
        guard attempts < policy.attempts else {
            throw VTError(
                .hostUnreachable,
                "lost the connection to '\(name)', and \(attempts) attempts to reconnect failed",
                hint: hint,
                causes: [failure.message] + failure.causes
            )
        }
        attempts += 1
        var generator = SystemRandomNumberGenerator()
        return policy.delay(before: attempts, using: &generator)
    }

    /// Whether a later attempt may succeed; a refused login or another host key is permanent.
    private static func mayPass(_ failure: VTError) -> Bool {
        switch failure.code {
        case .hostUnreachable, .hostUnresolved, .timedOut: true
        default: failure.isTransient
        }
    }
}
