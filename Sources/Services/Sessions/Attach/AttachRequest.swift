import Core

/// Options for attaching to a session.
package struct AttachRequest: Hashable, Sendable {
    /// Whether to send neither input nor sizes.
    package var isReadOnly = false
    /// Whether the session is resized to the size of the client's terminal.
    package var resizes = true
    /// Whether to show all output of the session, on an empty screen, instead of its current screen and later output.
    package var showsAllOutput = false
    /// The key that detaches or, if m follows, adds a marker; nil for none.
    package var detachKey: DetachKey? = .standard
    /// Whether the key detaches; if not, it only adds markers.
    package var detaches = true
    package var reconnects: ReconnectPolicy = .standard

    package init() {}
}

/// How attaching to a session ended.
package enum AttachOutcome: Hashable, Sendable {
    /// The session ended.
    case ended(ExitStatus)
    /// The detach key was typed; the session continues.
    case detached
}
