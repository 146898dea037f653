import Foundation
import Synchronization
import Testing

/// A client of VibeTunnel's protocols that shares no code with vt.
package struct VibeTunnelClient: Sendable {
    package let port: Int
    /// Sent with each request.
    package let fields: [String]

    package init(_ port: Int, _ fields: [String] = []) {
        (self.port, self.fields) = (port, fields)
    }

    package static func basic(_ password: String) -> String {
        "Authorization: Basic \(Data("ann:\(password)".utf8).base64EncodedString())"
    }

    /// This client with other fields instead.
    package func with(_ fields: String...) -> VibeTunnelClient {
        VibeTunnelClient(port, fields)
    }

    /// This client with more fields.
    package func adding(_ fields: String...) -> VibeTunnelClient {
        VibeTunnelClient(port, self.fields + fields)
    }

    /// This client with the credentials of a link or a login.
    package func bearing(_ token: String) -> VibeTunnelClient {
        with("Authorization: Bearer \(token)")
    }

    // MARK: - Requests

    func request(_ method: String, _ path: String, _ body: [UInt8]? = nil) -> [UInt8] {
        let content = body.map { ["Content-Type: application/json", "Content-Length: \($0.count)"] } ?? []
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + content + fields
        return Array("\(lines.joined(separator: "\r\n"))\r\n\r\n".utf8) + (body ?? [])
    }

    package func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> RawAnswer {
        try await RawConnection.answer(to: request(method, path, body.map { Array($0.utf8) }), port: port)
    }

    package func get(_ path: String) async throws -> RawAnswer { try await call("GET", path) }

    package func post(_ path: String, _ body: String = "{}") async throws -> RawAnswer {
        try await call("POST", path, body)
    }

    package func delete(_ path: String) async throws -> RawAnswer { try await call("DELETE", path) }

    /// Makes a request, and waits until its answer could have come.
    package func isAnswered(_ method: String, _ path: String, _ body: String) async throws -> Bool {
        let connection = try RawConnection(to: port)
        try connection.send(request(method, path, Array(body.utf8)))
        return (try? await connection.read(1, within: .milliseconds(500))) != nil
    }

    /// Creates a session of a command, with other members, and returns its ID.
    package func create(_ command: [String], _ more: [String: Any] = [:]) async throws -> String {
        let answer = try await post("/api/sessions", JSON.text(more.merging(["command": command]) { $1 }))
        return try #require(try answer.object["sessionId"] as? String, "\(answer.text)")
    }

    package func state(_ session: String) async throws -> String? {
        try await get("/api/sessions/\(session)").object["status"] as? String
    }

    // MARK: - Streams

    package func stream(_ session: String) async throws -> EventStream {
        try await EventStream(port: port, request: request("GET", "/api/sessions/\(session)/stream"))
    }

    /// Opens a connection to /ws.
    package func frames(path: String = "/ws") async throws -> Frames {
        Frames(socket: try await RawWebSocket(to: port, path: path, protocol: nil, fields: fields))
    }

    /// Opens a connection to /buffers.
    package func buffers() async throws -> RawWebSocket {
        try await RawWebSocket(to: port, path: "/buffers", protocol: nil, fields: fields)
    }

    /// The server-sent events of a session, which a task reads.
    package final class EventStream: Sendable {
        private struct State {
            var (events, comments, hasEnded) = ([String](), [String](), false)
        }

        private let state = Mutex(State())

        init(port: Int, request: [UInt8]) async throws {
            let connection = try RawConnection(to: port)
            try connection.send(request)
            let answer = try RawAnswer(head: await connection.read(until: "\r\n\r\n"))
            try #require(answer.status == 200)
            try #require(answer.type == "text/event-stream")
            Task {
                var text: [UInt8] = []
                while let size = try? await connection.read(until: "\r\n", within: .seconds(60)),
                    let count = Int(String(decoding: size, as: UTF8.self), radix: 16), count > 0,
                    let part = try? await connection.read(count + 2)
                {
                    text += part.dropLast(2)
                    while let end = text.firstIndex(of: 10) {
                        add(String(decoding: text[..<end], as: UTF8.self))
                        text.removeFirst(end + 1)
                    }
                }
                state.withLock { $0.hasEnded = true }
            }
        }

        private func add(_ line: String) {
            state.withLock { state in
                if line.hasPrefix("data: ") {
                    state.events.append(String(line.dropFirst(6)))
                } else if !line.isEmpty {
                    state.comments.append(line)
                }
            }
        }

        package var hasEnded: Bool { state.withLock(\.hasEnded) }

        package var comments: [String] { state.withLock(\.comments) }

        package var events: [Any] {
            get throws { try state.withLock(\.events).map { try JSON.value($0.utf8) } }
        }

        package var output: String {
            get throws {
                try events.compactMap { event in
                    (event as? [Any]).flatMap { $0[1] as? String == "o" ? $0[2] as? String : nil }
                }
                .joined()
            }
        }

        /// Waits for the end, and returns all events.
        package func ended() async throws -> [Any] {
            try #require(await eventually(within: .seconds(30)) { hasEnded })
            return try events
        }
    }

    /// A connection to /ws.
    package struct Frames: Sendable {
        package let socket: RawWebSocket

        package var status: Int { socket.status }

        package func send(_ kind: UInt8, _ session: String = "", _ payload: some Sequence<UInt8> = []) throws {
            try socket.send(2, RawVibeTunnelFrame.encode(kind, session, Array(payload)))
        }

        package func subscribe(_ session: String, _ flags: UInt8) throws {
            try send(10, session, [flags] + [UInt8](repeating: 0, count: 11))
        }

        package func next() async throws -> VibeTunnelMessage {
            let (opcode, message) = try await socket.message()
            try #require(opcode == 2)
            return try VibeTunnelMessage(try #require(RawVibeTunnelFrame(message), "\(message)"))
        }

        /// The next message of a kind.
        package func until(_ kind: VibeTunnelMessage.Kind) async throws -> VibeTunnelMessage {
            while true {
                let message = try await next()
                if message.kind == kind { return message }
            }
        }
    }
}

/// What a server sends in a frame.
package struct VibeTunnelMessage: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        case welcome = 2
        case output = 20
        case snapshot, event, failure
        case pong = 41
    }

    package let kind: Kind
    package let session: String
    package let payload: [UInt8]

    /// A message whose payload is text; the members of objects are sorted.
    package init(_ kind: Kind, _ text: String, in session: String = "") {
        (self.kind, self.session, payload) = (kind, session, Array(text.utf8))
    }

    init(_ frame: RawVibeTunnelFrame) throws {
        kind = try #require(Kind(rawValue: frame.kind))
        session = frame.session
        let isJSON = kind == .welcome || kind == .event || kind == .failure
        payload = try isJSON ? Array(JSON.text(JSON.value(frame.payload)).utf8) : frame.payload
    }

    /// The payload, which must be text.
    package var text: String {
        get throws { try #require(String(validating: payload, as: UTF8.self)) }
    }

    package var object: [String: Any] {
        get throws { try JSON.object(payload) }
    }
}
