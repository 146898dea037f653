/// What a web server offers to programs, beside the page of its site.
package protocol WebInterface: Sendable {
    /// What a request is allowed, before its body has arrived.
    func allowance(of request: WebRequest) -> WebAllowance

    /// Answers a request whose path starts with `api/`.
    func answer(_ request: WebRequest) async -> WebAnswer

    /// Returns the HTTP status with which a WebSocket is refused; nil if it is to be opened.
    func refusal(ofSocket request: WebRequest) -> Int?

    /// Converses over a WebSocket; the connection is closed afterward.
    func converse(over channel: any PageChannel, _ request: WebRequest) async
}

/// A request that has passed the checks of the server.
package struct WebRequest: Sendable {
    package var method: String
    /// The path below that of the page, without a slash at the start: `api/sessions`.
    package var path: String
    /// What follows the question mark; empty if there is none.
    package var query: String
    /// The value of the header `Authorization`.
    package var authorization: String?
    package var body: [UInt8] = []
    /// The address of the machine at the other end.
    package var address: String

    package init(method: String, path: String, query: String, authorization: String?, address: String) {
        (self.method, self.path, self.query) = (method, path, query)
        (self.authorization, self.address) = (authorization, address)
    }
}

/// What a request is allowed.
package struct WebAllowance: Sendable {
    /// Whether the client has proved that it may use the server.
    package var isLoggedIn: Bool
    /// The maximum length of the body.
    package var bodyBytes: Int
    /// The maximum length of a message on the WebSocket that the request opens.
    package var messageBytes: Int

    package init(isLoggedIn: Bool, bodyBytes: Int, messageBytes: Int) {
        (self.isLoggedIn, self.bodyBytes, self.messageBytes) = (isLoggedIn, bodyBytes, messageBytes)
    }
}

/// The answer to a request.
package struct WebAnswer: Sendable {
    package enum Content: Sendable {
        case bytes([UInt8])
        /// Written by the function until it returns or throws; it is canceled when the client disconnects.
        case stream(@Sendable (any ByteSink) async throws(VTError) -> Void)
    }

    /// The HTTP status.
    package var status: Int
    /// The value of the header `Content-Type`.
    package var type: String
    package var headers: [(name: String, value: String)] = []
    package var content: Content

    package init(status: Int = 200, type: String, _ content: Content) {
        (self.status, self.type, self.content) = (status, type, content)
    }
}
