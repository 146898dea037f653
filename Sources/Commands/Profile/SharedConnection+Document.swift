import Core

extension SharedConnection: JSONDocument {
    package static let documentName = "shared connection"
    package static let documentSummary = "a connection that is kept open for several commands"

    package static let fields: JSONTable<Self> = [
        .field("name", \.name, "name of the profile, `USER@PROFILE`, or the host if it has no profile"),
        .field("host", \.endpoint.host, "host name or address"),
        .field("port", \.endpoint.port, "port"),
        .field("user", \.user, "user name on the server"),
        .field("pid", \.processID, "ID of the process that keeps the connection open"),
        .field("uses", \.uses, "number of commands that are using the connection"),
        .field("is_closing", \.isClosing, "true if the connection accepts no further commands"),
        .field("opened_at", \.openedAt, "time at which the connection was opened", in: .time),
        .field("share_ms", \.idleTimeout, "how long the connection is kept open while unused", in: .milliseconds),
        .field("idle_ms", \.idle, "how long the connection has been unused", in: .milliseconds),
    ]
}
