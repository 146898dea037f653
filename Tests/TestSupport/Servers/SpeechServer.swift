import Foundation
import Synchronization

/// A server that records one HTTP request per connection, and sends the same bytes to each.
package final class SpeechServer: Sendable {
    package enum Timing: Sendable {
        /// Answers when it has read the request.
        case afterRequest
        /// Answers when it has read the head, and never reads the body.
        case afterHead
        /// Answers as `afterRequest`, and keeps the connection open.
        case holding
    }

    package let port: UInt16

    private let listener: Listener
    private let recorded: Recorder

    private final class Recorder: Sendable {
        let requests = Mutex<[[UInt8]]>([])
    }

    package init(_ answer: [UInt8], _ timing: Timing = .afterRequest) throws {
        let recorded = Recorder()
        self.recorded = recorded
        listener = try Listener { connection in
            var request: [UInt8] = []
            while !Self.isComplete(request, timing), let more = connection.receive() { request += more }
            recorded.requests.withLock { $0.append(request) }
            guard connection.send(answer), timing != .afterRequest else { return }
            if timing == .afterHead { connection.endOutput() }
            // Not reading keeps the request in the socket's buffers, so that the end of the connection is not a reset.
            if timing == .holding { while connection.receive() != nil {} }
        }
        port = listener.port
    }

    /// A server that answers with a status and a body.
    package convenience init(status: String = "200 OK", type: String = "application/json", _ body: String) throws {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        try self.init(Array((head + body).utf8))
    }

    package var requests: [[UInt8]] { recorded.requests.withLock(\.self) }

    private static func isComplete(_ request: [UInt8], _ timing: Timing) -> Bool {
        guard let end = Data(request).range(of: Data("\r\n\r\n".utf8)) else { return false }
        if timing == .afterHead { return true }
        let head = String(decoding: request[..<end.lowerBound], as: UTF8.self)
        let length = head.split(separator: "Content-Length: ").last?.prefix { $0.isNumber } ?? ""
        return request.count >= end.upperBound + (Int(length) ?? 0)
    }
}
