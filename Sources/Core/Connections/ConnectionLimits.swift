/// The timeouts of a connection.
package struct ConnectionLimits: Hashable, Sendable {
    /// The maximum time from the start of name resolution to the end of authentication.
    package var connectTimeout: Duration
    /// How long the connection may be idle before a keep-alive request is sent; zero disables keep-alives.
    package var keepAliveInterval: Duration
    /// How many consecutive keep-alives may go unanswered before the connection counts as lost; at least 1.
    package var keepAliveCount: Int

    package static let standard = ConnectionLimits(
        connectTimeout: .seconds(15),
        keepAliveInterval: .seconds(15),
        keepAliveCount: 3
    )

    /// What to do about a server that exceeds `connectTimeout`.
    package static let hint =
        "allow more time with --connect-timeout, or in the profile: "
        + "vt profile edit PROFILE --connect-timeout DURATION"

    package init(connectTimeout: Duration, keepAliveInterval: Duration, keepAliveCount: Int) {
        self.connectTimeout = connectTimeout
        self.keepAliveInterval = keepAliveInterval
        self.keepAliveCount = keepAliveCount
    }
}
