import Core
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Runtime

/// Sends requests, each over a connection of its own, with TLS for https.
///
/// Redirects are not followed. Every wait ends when the task is canceled.
package struct HTTPClient: Sendable {
    /// Opens a connection that has not started reading.
    package typealias Dial = @Sendable (Endpoint) async throws(VTError) -> any Channel

    private let clock: any Clock<Duration>
    private let dial: Dial
    private var authorities: String?

    package init(clock: any Clock<Duration>, dial: @escaping Dial) {
        (self.clock, self.dial) = (clock, dial)
    }

    /// The same client, which trusts only certificates of the authorities in a PEM file; nil means those of the system.
    package func trusting(_ file: String?) -> HTTPClient {
        var client = self
        client.authorities = file
        return client
    }

    // MARK: - Requests

    /// Sends a request and returns its answer; the timeout is for all of it.
    ///
    /// - Throws: `timed-out`; `protocol` for an answer that is too large or is not HTTP; `tls.untrusted`; `config` for
    ///   the file of authorities; `host.unresolved`; `host.unreachable` when the connection fails or is lost.
    package func answer(
        to request: HTTPRequest,
        limitBytes: Int,
        timeout: Duration? = nil
    ) async throws(VTError) -> HTTPAnswer {
        try await limiting(timeout, request) { () async throws(VTError) in
            try await self.withAnswer(to: request) { stream throws(VTError) in
                var answer = stream.head
                while let bytes = try await stream.read() {
                    guard answer.body.count + bytes.count <= limitBytes else {
                        let size = limitBytes >= 1 << 20 ? "\(limitBytes >> 20) MiB" : "\(limitBytes) bytes"
                        throw VTError(.protocolViolation, "\(request.address) answered with more than \(size)")
                    }
                    answer.body += bytes
                }
                return answer
            }
        }
    }

    /// Sends a request and passes on its answer, whose body is read as `body` requests it; then closes the connection.
    ///
    /// The timeout is for the head of the answer; the body can take any time.
    ///
    /// - Throws: As `answer`, except for the size; errors from `body`.
    package func withAnswer<Result: Sendable>(
        to request: HTTPRequest,
        timeout: Duration? = nil,
        _ body: (HTTPStream) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let stream = try await limiting(timeout, request) { () async throws(VTError) in
            let (connection, part) = try await self.open(request)
            guard case .head(let head) = part else { throw connection.abandoned() }
            return HTTPStream(head: head, connection)
        }
        defer { stream.close() }
        return try await body(stream)
    }

    /// Opens a WebSocket for the duration of `body`.
    ///
    /// - Throws: As `socket`; errors from `body`.
    package func withSocket<Result: Sendable>(
        at request: HTTPRequest,
        limitBytes: Int,
        timeout: Duration? = nil,
        refusal: @escaping @Sendable (HTTPAnswer) -> VTError,
        _ body: (WebSocket) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let socket = try await socket(at: request, limitBytes: limitBytes, timeout: timeout, refusal: refusal)
        return try await socket.whileOpen(body)
    }

    /// Opens a WebSocket (RFC 6455), which the caller closes.
    ///
    /// The timeout is for opening it. A message of more than `limitBytes` closes the connection. `refusal` makes the error
    /// for a server that answers the request in another way; the body of this answer is not read.
    ///
    /// - Throws: As `answer`, except for the size; errors from `refusal`.
    package func socket(
        at request: HTTPRequest,
        limitBytes: Int,
        timeout: Duration? = nil,
        refusal: @escaping @Sendable (HTTPAnswer) -> VTError
    ) async throws(VTError) -> WebSocket {
        try await limiting(timeout, request) { () async throws(VTError) in
            let (connection, part) = try await self.open(request, socketLimitBytes: limitBytes)
            switch part {
            case .socket(let socket): return socket
            case .head(let answer):
                // The handshake of a server that claims to have opened a WebSocket is not valid.
                if answer.status == 101 { throw connection.abandoned() }
                connection.close()
                throw refusal(answer)
            case .body: throw connection.abandoned()
            }
        }
    }

    // MARK: - Connections

    /// Connects, sends a request, and returns the first part of its answer.
    private func open(
        _ request: HTTPRequest,
        socketLimitBytes: Int? = nil
    ) async throws(VTError) -> (connection: HTTPConnection, part: HTTPInbox.Part) {
        let address = request.address
        let security = address.isSecure ? try ClientTLS(authorities: authorities) : nil
        let connection = HTTPConnection(try await dial(address.endpoint), name: "\(address)")
        let (channel, inbox) = (connection.channel, connection.inbox)
        let isStarted = channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            if let security { try pipeline.addHandler(try security.handler(for: address.endpoint.host)) }
            if socketLimitBytes != nil { try pipeline.addHandler(LateInputClosed()) }
            let exchange = HTTPExchange(request, upgrades: socketLimitBytes != nil, inbox, name: connection.name)
            let upgrade = socketLimitBytes.map { Self.upgrade(from: exchange, on: channel, limitBytes: $0) }
            try pipeline.addHTTPClientHandlers(leftOverBytesStrategy: .forwardBytes, withClientUpgrade: upgrade)
            try pipeline.addHandler(exchange)
        }
        isStarted.whenFailure { error in inbox.update { $0.end(.http(error, connection.name)) } }
        do throws(VTError) {
            guard let part = try await connection.next() else { throw connection.abandoned() }
            return (connection, part)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Replaces the handlers of a request by that of a WebSocket, once the server has agreed.
    private static func upgrade(
        from exchange: HTTPExchange,
        on channel: any Channel,
        limitBytes: Int
    ) -> NIOHTTPClientUpgradeConfiguration {
        let inbox = exchange.inbox
        let bound = NIOLoopBound(exchange, eventLoop: channel.eventLoop)
        let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: limitBytes, automaticErrorHandling: false) {
            channel,
            _ in
            channel.eventLoop.makeCompletedFuture {
                channel.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
                let socket = try WebSocket(.client, over: channel, limitBytes: limitBytes, acceptsText: true)
                inbox.update { $0.parts.append(.socket(socket)) }
            }
        }
        return (upgraders: [upgrader], completionHandler: { _ in })
    }

    private func limiting<Result: Sendable>(
        _ timeout: Duration?,
        _ request: HTTPRequest,
        _ body: @escaping @Sendable () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard let timeout else { return try await body() }
        let late = VTError(.timedOut, "\(request.address) did not answer within \(timeout.shortText)")
        return try await withTimeout(timeout, on: clock, throwing: late, body)
    }
}
