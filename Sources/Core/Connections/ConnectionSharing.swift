/// How commands share the connection to a server.
///
/// The first command starts a process that opens the connection and keeps it for later commands (`MuxServer`).
package struct ConnectionSharing: Hashable, Sendable {
    /// How long an unused connection is kept open.
    package var idleTimeout: Duration
    /// Whether a connection is opened and kept for later commands if there is none to share.
    package var startsMuxServer = true
    /// Whether to fail unless there is a connection to share.
    package var isRequired = false

    package static let standardTimeout = Duration.seconds(60)

    package init(idleTimeout: Duration = ConnectionSharing.standardTimeout) {
        self.idleTimeout = idleTimeout
    }
}
