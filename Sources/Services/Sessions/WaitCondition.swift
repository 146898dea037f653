import Core

/// A condition to wait for.
package enum WaitCondition: Sendable {
    /// The end of the session.
    case exit
    /// A line, complete or not, that matches the expression as shown by a terminal.
    case match(LinePattern, text: String)
    /// A shell's prompt, as marked with OSC 133; without an offset, the current prompt also counts.
    case prompt
    /// No output for this duration; also satisfied by the end of the session.
    case idle(Duration)
}
