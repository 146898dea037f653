import Core

/// A condition to wait for.
package enum WaitCondition: Sendable {
    /// The end of the session.
    case exit
    /// A line, complete or not, that matches the expression as shown by a terminal; with `isFailure`, the line means
    /// that what the caller waited for has failed.
    case match(LinePattern, text: String, isFailure: Bool = false)
    /// A shell's prompt, as marked with OSC 133; without an offset, the current prompt also counts.
    case prompt
    /// No output for this duration; also satisfied by the end of the session.
    case idle(Duration)

    package enum Kind: String, CaseIterable, JSONReadable, Sendable {
        case exit, match
        case failMatch = "fail-match"
        case prompt, idle
    }

    package var kind: Kind {
        switch self {
        case .exit: .exit
        case .match(_, _, let isFailure): isFailure ? .failMatch : .match
        case .prompt: .prompt
        case .idle: .idle
        }
    }
}

/// A request to wait for the first of several conditions.
package struct WaitRequest: Sendable {
    package var conditions: [WaitCondition]
    /// Only output at or after this offset counts.
    ///
    /// Nil means the output since the last input for expressions, and the output from now on for the other conditions.
    package var start: UInt64?
    package var timeout: Duration?
    /// The timeout in messages, if `timeout` is only what is left of it.
    package var statedTimeout: Duration?
    /// Input that was sent at the start, and whose echo does not count.
    package var sent: [UInt8]?
    /// Whether to return the output after the echo of the input, up to where the condition was met.
    package var includesOutput = false

    package init(_ conditions: [WaitCondition], from start: UInt64? = nil, timeout: Duration? = nil) {
        self.conditions = conditions
        self.start = start
        self.timeout = timeout
    }
}
