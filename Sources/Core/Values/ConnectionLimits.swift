/// The waits of a connection.
package struct ConnectionLimits: Hashable, Sendable {
    /// From name resolution to the end of the authentication.
    package var connectTimeout: Duration
    /// How long the link may be silent before a keep-alive asks for an answer; zero: never.
    package var keepAliveInterval: Duration
    /// How many keep-alives in a row may stay unanswered before the link counts as lost; at least 1.
    package var keepAliveCount: Int

    package static let standard = ConnectionLimits(
        connectTimeout: .seconds(15),
        keepAliveInterval: .seconds(15),
        keepAliveCount: 3
    )

    package init(connectTimeout: Duration, keepAliveInterval: Duration, keepAliveCount: Int) {
        self.connectTimeout = connectTimeout
        self.keepAliveInterval = keepAliveInterval
        self.keepAliveCount = keepAliveCount
    }
}
