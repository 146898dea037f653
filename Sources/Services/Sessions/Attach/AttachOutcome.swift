import Core

/// How attaching to a session ended.
package enum AttachOutcome: Hashable, Sendable {
    /// The session ended.
    case ended(ExitStatus)
    /// The detach key was typed; the session continues.
    case detached
}
