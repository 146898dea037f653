import Arguments
import Core

/// A shared connection as JSON.
struct SharedConnectionDocument: Encodable {
    private let connection: SharedConnection
    private var port: UInt16 { connection.endpoint.port }
    private var uses: Int64 { Int64(connection.uses) }
    private var processID: Int64 { Int64(connection.processID) }
    private var idleMilliseconds: Int64 { connection.idle.wholeMilliseconds }
    private var shareMilliseconds: Int64 { connection.idleTimeout.wholeMilliseconds }

    init(_ connection: SharedConnection) {
        self.connection = connection
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(connection.name, forKey: .name)
        try container.encode(connection.endpoint.host, forKey: .host)
        try container.encode(port, forKey: .port)
        try container.encode(connection.user, forKey: .user)
        try container.encode(processID, forKey: .processID)
        try container.encode(uses, forKey: .uses)
        try container.encode(connection.isClosing, forKey: .isClosing)
        try container.encode(connection.openedAt, forKey: .openedAt)
        try container.encode(shareMilliseconds, forKey: .shareMilliseconds)
        try container.encode(idleMilliseconds, forKey: .idleMilliseconds)
    }
}

extension SharedConnectionDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, host, port, user
        case processID = "pid"
        case uses
        case isClosing = "is_closing"
        case openedAt = "opened_at"
        case shareMilliseconds = "share_ms"
        case idleMilliseconds = "idle_ms"
    }

    static let documentName = "shared connection"
    static let documentSummary = "a connection that is kept open for several commands"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .name:
            JSONField(\Self.connection.name, "name of the profile, `USER@PROFILE`, or the host if it has no profile")
        case .host: JSONField(\Self.connection.endpoint.host, "host name or address")
        case .port: JSONField(\Self.port, "port")
        case .user: JSONField(\Self.connection.user, "user name on the server")
        case .processID: JSONField(\Self.processID, "ID of the process that keeps the connection open")
        case .uses: JSONField(\Self.uses, "number of commands that are using the connection")
        case .isClosing: JSONField(\Self.connection.isClosing, "true if the connection accepts no further commands")
        case .openedAt: JSONField(\Self.connection.openedAt, "time at which the connection was opened", in: .time)
        case .shareMilliseconds:
            JSONField(\Self.shareMilliseconds, "how long the connection is kept open while unused", in: .milliseconds)
        case .idleMilliseconds:
            JSONField(\Self.idleMilliseconds, "how long the connection has been unused", in: .milliseconds)
        }
    }
}
