/// A request to stop the processes of a session for some time, or to continue.
package enum Suspension: UInt8, CaseIterable, Hashable, Sendable {
    /// Continues the processes of a frozen session, or starts the shell of a paused session again.
    case resume
    /// Stops all processes of the session.
    case freeze
    /// Ends the shell, which must be at its prompt, and keeps its working directory and exported environment.
    case pause
    /// Like `pause`, but first ends a command that is running.
    case forcedPause

    /// How long a holder may take, which includes waiting for prompts.
    package static let limit = Duration.seconds(40)
}
