import Core
import NIOCore
import Runtime

/// The parts of an answer that have arrived.
struct HTTPInbox: Sendable {
    enum Part: Sendable {
        case head(HTTPAnswer)
        case body([UInt8])
        /// The server has opened a WebSocket.
        case socket(WebSocket)
    }

    var parts: [Part] = []
    var isEnded = false
    /// Why the answer is incomplete, if it is.
    private(set) var failure: VTError?

    /// Chunks are joined, because a server can send very small ones.
    mutating func append(_ bytes: ByteBuffer) {
        guard case .body(var known) = parts.last else { return parts.append(.body(Array(buffer: bytes))) }
        // Otherwise, all bytes would be copied for each chunk.
        parts.removeLast()
        known.append(contentsOf: bytes.readableBytesView)
        parts.append(.body(known))
    }

    mutating func end(_ failure: VTError? = nil) {
        guard !isEnded else { return }
        (isEnded, self.failure) = (true, failure)
    }

    var isEmpty: Bool { parts.isEmpty && !isEnded }
}

/// A connection with one request.
struct HTTPConnection: Sendable {
    let channel: any Channel
    /// What messages call the server.
    let name: String
    let inbox = Monitor(HTTPInbox())

    init(_ channel: any Channel, name: String) {
        (self.channel, self.name) = (channel, name)
    }

    /// Removes and returns the next part, for which the connection is read if necessary; nil at the end.
    func next() async throws(VTError) -> HTTPInbox.Part? {
        if inbox.withLock(\.isEmpty) { channel.read() }
        return try await inbox.wait { inbox -> Result<HTTPInbox.Part?, VTError>? in
            if !inbox.parts.isEmpty { return .success(inbox.parts.removeFirst()) }
            guard inbox.isEnded else { return nil }
            return inbox.failure.map { .failure($0) } ?? .success(nil)
        }.get()
    }

    func close() {
        channel.close(promise: nil)
    }

    /// Closes the connection, and returns the error for an answer that is not HTTP.
    func abandoned() -> VTError {
        close()
        return VTError(.protocolViolation, "\(name) did not answer with valid HTTP")
    }
}

/// An answer whose body is read in pieces, at the speed of the reader.
package struct HTTPStream: ByteSource {
    /// The answer without its body.
    package let head: HTTPAnswer
    let connection: HTTPConnection

    init(head: HTTPAnswer, _ connection: HTTPConnection) {
        (self.head, self.connection) = (head, connection)
    }

    /// - Throws: `host.unreachable` when the connection is lost; `protocol`.
    package func read() async throws(VTError) -> [UInt8]? {
        guard case .body(let bytes) = try await connection.next() else { return nil }
        return bytes
    }

    func close() {
        connection.close()
    }
}
