/// Serves a page, and connections to it that carry frames of the session protocol.
package protocol WebServer: Sendable {
    /// Accepts connections until the task is canceled, and passes them to the site, or to the interface for programs, if
    /// there is one; then closes them.
    ///
    /// - Throws: `busy` when another server uses the control socket; `exists` when the port is in use;
    ///   `cannot-create`; `host.unresolved`; `config` for a certificate that cannot be used.
    func serve(
        _ settings: WebSettings,
        _ site: any WebSite,
        interface: (any WebInterface)?
    ) async throws(VTError)

    /// Connects to the control socket of a server on this machine.
    ///
    /// - Throws: `not-found` when no server is running.
    func control(at path: String) async throws(VTError) -> any SessionChannel
}

/// Where a web server listens, and what it accepts.
package struct WebSettings: Sendable {
    /// A host name or an address; port 0 means a free port.
    package var listen: Endpoint
    /// The public address, if it is that of a proxy.
    package var origin: WebOrigin?
    /// The files with the certificate and its key, in PEM; nil for plain HTTP.
    package var certificate: (chain: String, key: String)?
    /// The maximum number of clients that are logged in at the same time.
    package var maximumClients: Int
    /// The path of the socket for `control`.
    package var controlPath: String

    package init(listen: Endpoint, origin: WebOrigin?, maximumClients: Int, controlPath: String) {
        self.listen = listen
        self.origin = origin
        self.maximumClients = maximumClients
        self.controlPath = controlPath
    }
}

/// What a web server serves.
package protocol WebSite: Sendable {
    /// Called once, when connections are accepted at an address, which is reached as the origin.
    func isListening(at address: Endpoint, as origin: WebOrigin) async

    /// The number of clients that have logged in through a WebSocket.
    var clientCount: Int { get }

    /// Records a request that the server has refused.
    func refused(_ address: String, status: Int)

    /// Converses with a page; the connection is closed afterward.
    func converse(over channel: any PageChannel) async

    /// Returns the file for a ticket, which is valid once; nil if it is not valid.
    func download(_ ticket: String) async -> WebDownload?

    /// Answers the requests of a command on this machine; the connection is closed afterward.
    func control(over channel: any SessionChannel) async
}

/// A file that a page downloads.
package struct WebDownload: Sendable {
    package let name: String
    /// The ID of the link with which it was requested.
    package let link: String
    /// Writes the contents.
    package let write: @Sendable (any ByteSink) async throws(VTError) -> Void

    package init(
        name: String,
        link: String,
        write: @escaping @Sendable (any ByteSink) async throws(VTError) -> Void
    ) {
        (self.name, self.link, self.write) = (name, link, write)
    }
}

/// A WebSocket of a page or a program, on which each read returns one message, and each write sends one.
package protocol PageChannel: SessionChannel {
    /// The address of the machine at the other end.
    var address: String { get }

    /// The client has logged in: its connection is not closed to make room for others any more.
    func keep()

    /// Sends a message of text, instead of a binary one.
    func write(text: String) async throws(VTError)

    /// Closes the connection, after what was written; several tasks may call it.
    func close(_ reason: PageClosing) async
}

/// Why a server closes the connection to a page, with the code that the page receives (RFC 6455 §7.4).
package enum PageClosing: UInt16, Sendable {
    /// The conversation has ended.
    case done = 1000
    /// The server ends, or the session's program has ended.
    case goingAway = 1001
    case protocolError = 1002
    case unsupportedData = 1003
    case messageTooBig = 1009
    case internalError = 1011
    case loginExpected = 4400
    /// The link is unknown or has expired.
    case unknownLink = 4401
    case revoked = 4403
    /// Another page has exchanged the token of the link for a key.
    case usedLink = 4405
    /// The link can be used once, by a page, but the client is none.
    case pageExpected = 4406
    case loginTimedOut = 4408
    case tooManyLogins = 4429
    case tooManyClients = 4503
}
