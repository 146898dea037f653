import Core
import HTTP

/// The events of a session, as a server sends them.
package struct SessionStream: Sendable {
    private enum Source: Sendable {
        case events(HTTPStream, EventStreamDecoder)
        case socket(WebSocket)
    }

    private let session: String
    private var source: Source

    init(_ session: String, _ stream: HTTPStream) {
        (self.session, source) = (session, .events(stream, EventStreamDecoder()))
    }

    init(_ session: String, _ socket: WebSocket) {
        (self.session, source) = (session, .socket(socket))
    }

    /// For what a client sends; nil if the protocol does not provide for that.
    package var input: SessionInputStream? {
        guard case .socket(let socket) = source else { return nil }
        return SessionInputStream(session: session, socket: socket)
    }

    /// Returns the next events, which can be none, or nil at the end of the stream.
    ///
    /// - Throws: `host.unreachable` when the connection is lost; `protocol`.
    package mutating func next() async throws(VTError) -> [StreamEvent]? {
        switch source {
        case .events(let stream, var decoder):
            guard let bytes = try await stream.read() else { return nil }
            let events = try decoder.decode(bytes)
            source = .events(stream, decoder)
            return events.compactMap { StreamEvent(legacy: $0) }
        case .socket(let socket):
            guard let message = try await socket.read() else {
                guard socket.closeCode != Self.tooBig else {
                    throw VTError(.protocolViolation, "a message of the server is too large")
                }
                return nil
            }
            guard case .binary(let bytes) = message, let frame = VibeTunnelFrame(message: bytes),
                frame.session == session
            else { return [] }
            return [event(of: frame)].compactMap(\.self)
        }
    }

    /// The code for a message that is too large (RFC 6455 §7.4.1).
    private static let tooBig: UInt16 = 1009

    private func event(of frame: VibeTunnelFrame) -> StreamEvent? {
        switch frame.kind {
        case .output: .output(frame.payload, isHistory: false)
        case .event: StreamEvent(v3: frame.payload)
        case .error: StreamEvent(error: frame.payload)
        default: nil
        }
    }
}

/// What a client sends to a session over the connection of its stream.
package struct SessionInputStream: Sendable {
    let session: String
    let socket: WebSocket

    package func type(_ text: String) async throws(VTError) {
        try await socket.write(.binary(VibeTunnelFrame.text(.text, session, text).encoded))
    }

    /// Requests an answer, which shows that the connection works.
    package func ping() async throws(VTError) {
        try await socket.write(.binary(VibeTunnelFrame(.ping).encoded))
    }
}

extension StreamEvent {
    /// Decodes the payload of an ERROR frame of the protocol v3.
    init(error json: [UInt8]) {
        let message = (try? JSONOutlineParser.parse(json))?.member("message")?.string(in: json)
        self = .failure(message ?? String(decoding: json, as: UTF8.self))
    }
}

extension VibeTunnelServer {
    /// Follows a session for the duration of `body`, from the beginning of its history.
    ///
    /// - Throws: `not-found`; errors of the connection; errors from `body`.
    package func follow<Result: Sendable>(
        _ id: SessionID,
        _ body: (SessionStream) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        switch try await era() {
        case .legacy:
            try await withEvents(of: "\(path(of: id))/stream") { (stream) async throws(VTError) in
                try await body(SessionStream(id.text, stream))
            }
        case .v3:
            try await withSocket { (socket) async throws(VTError) in
                let subscription = VibeTunnelFrame.subscribe(id.text, to: [.output, .events])
                try await socket.write(.binary(subscription.encoded))
                return try await body(SessionStream(id.text, socket))
            }
        }
    }
}
