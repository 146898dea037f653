import Core

/// How somebody wants to be in a session.
package struct AttachRequest: Hashable, Sendable {
    /// Sends neither input nor sizes.
    package var isReadOnly = false
    /// Whether the session takes the size of the client's terminal.
    package var resizes = true
    /// Nil: only the end of the session, or of the client, ends it.
    package var detachKey: DetachKey? = .standard
    package var reconnects: ReconnectPolicy = .standard

    package init() {}
}

/// How somebody left a session.
package enum AttachOutcome: Hashable, Sendable {
    /// The session ended.
    case ended(ExitStatus)
    /// The detach key was typed; the session goes on.
    case detached
}
