import Foundation
import Glibc

/// A TCP connection to a server on this machine, for requests that no HTTP client makes; used by one task at a time.
package final class RawConnection: @unchecked Sendable {
    /// The connection has been closed: by a message with this code, or without one (1006).
    package struct Closed: Error {
        package let code: Int
    }

    private let socket: LoopbackSocket
    /// What has been received and not read.
    private var rest: ArraySlice<UInt8> = []

    package init(to port: Int, receiveBuffer: Int32? = nil) throws {
        socket = try LoopbackSocket()
        if let receiveBuffer { socket.set(SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
        socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        try socket.connect(port: UInt16(port))
    }

    /// Makes a request, and returns the answer, which ends with the connection.
    package static func answer(to request: some Sequence<UInt8>, port: Int) async throws -> RawAnswer {
        let connection = try RawConnection(to: port)
        try connection.send(request)
        return try RawAnswer(await connection.readToEnd())
    }

    package func send(_ bytes: some Sequence<UInt8>) throws {
        guard socket.send(Array(bytes)) else { throw Closed(code: 1006) }
    }

    /// Ends the connection, or one of its directions.
    package func shutdown(_ directions: Int = SHUT_RDWR) {
        socket.shutdown(directions)
    }

    package func read(_ count: Int, within limit: Duration = .seconds(30)) async throws -> [UInt8] {
        try await read(within: limit) { bytes in
            guard bytes.count >= count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return Array(bytes.prefix(count))
        }
    }

    /// Reads a part that ends with this text, which is removed.
    package func read(until end: String, within limit: Duration = .seconds(30)) async throws -> [UInt8] {
        try await read(within: limit) { bytes in
            guard let range = bytes.firstRange(of: Array(end.utf8)) else { return nil }
            defer { bytes = bytes[range.upperBound...] }
            return Array(bytes[..<range.lowerBound])
        }
    }

    /// Receives bytes until `parse`, which removes what it uses, returns a value.
    func read<Value>(within limit: Duration, _ parse: (inout ArraySlice<UInt8>) -> Value?) async throws -> Value {
        while true {
            if let value = parse(&rest) { return value }
            guard try await receive(within: limit) else { throw Closed(code: 1006) }
        }
    }

    package func readToEnd() async throws -> [UInt8] {
        while try await receive(within: .seconds(30)) {}
        defer { rest = [] }
        return Array(rest)
    }

    /// Receives more; returns false at the end.
    private func receive(within limit: Duration) async throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var count = -1
        let hasArrived = await eventually(within: limit) {
            count = recv(socket.descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            return count >= 0 || errno != EAGAIN
        }
        guard hasArrived else { throw FixtureError("nothing has arrived within \(limit)") }
        rest += chunk.prefix(max(0, count))
        return count > 0
    }
}

/// An answer to an HTTP request.
package struct RawAnswer: Sendable {
    package let status: Int
    package let head: String
    package var body: [UInt8]

    /// The bytes of the head, without the empty line, and of the body.
    package init(head: some Collection<UInt8>, body: [UInt8] = []) throws {
        self.head = String(decoding: head, as: UTF8.self)
        self.body = body
        guard let status = self.head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw FixtureError("no answer: \(self.head)")
        }
        self.status = status
    }

    init(_ bytes: [UInt8]) throws {
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) ?? bytes.count..<bytes.count
        try self.init(head: bytes[..<end.lowerBound], body: Array(bytes[end.upperBound...]))
        guard fields("Transfer-Encoding") == ["chunked"] else { return }
        var rest = body[...]
        body = []
        while let end = rest.firstRange(of: Array("\r\n".utf8)),
            let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), count > 0
        {
            body += rest[end.upperBound...].prefix(count)
            rest = rest[end.upperBound...].dropFirst(count + 2)
        }
    }

    /// The values of the fields with this name.
    package func fields(_ name: String) -> [String] {
        head.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    package var type: String? { fields("Content-Type").first }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The body, which is JSON, as text that can be compared.
    package var json: String {
        get throws { JSON.text(try JSON.value(body)) }
    }

    package var object: [String: Any] {
        get throws { try JSON.object(body) }
    }
}
