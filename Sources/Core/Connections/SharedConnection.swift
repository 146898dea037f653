/// A connection that is kept open for several commands.
package struct SharedConnection: Hashable, Sendable {
    /// The profile's name, `USER@PROFILE`, or the host as typed if it has no profile.
    package var name: String
    package var endpoint: Endpoint
    package var user: String
    /// The process that keeps the connection open.
    package var processID: Int32
    /// The number of commands that use the connection.
    package var uses: UInt32
    /// Whether the connection accepts no further commands.
    package var isClosing: Bool
    package var openedAt: Timestamp
    /// How long the connection is kept open while unused.
    package var idleTimeout: Duration
    /// How long the connection has been unused; zero if it is in use.
    package var idle: Duration

    package init(
        name: String,
        endpoint: Endpoint,
        user: String,
        processID: Int32,
        uses: UInt32,
        isClosing: Bool,
        openedAt: Timestamp,
        idleTimeout: Duration,
        idle: Duration
    ) {
        self.name = name
        self.endpoint = endpoint
        self.user = user
        self.processID = processID
        self.uses = uses
        self.isClosing = isClosing
        self.openedAt = openedAt
        self.idleTimeout = idleTimeout
        self.idle = idle
    }

    /// Returns whether the connection belongs to this profile, or to this host if it has no profile.
    package func belongs(to profile: String) -> Bool {
        name == profile || name == "\(user)@\(profile)"
    }
}
