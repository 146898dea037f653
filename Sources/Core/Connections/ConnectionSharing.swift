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

    /// The text that disables sharing.
    package static let off = "off"

    /// The environment variable that overrides the setting in profiles.
    package static let variable = "VT_SHARE"

    /// Parses how long an unused connection is kept: a duration, such as `5m`, or `off`; zero disables sharing.
    ///
    /// - Throws: `usage` when the text has neither form.
    package static func timeout(parsing text: String) throws(VTError) -> Duration {
        text == off ? .zero : try Duration(parsing: text)
    }
}
