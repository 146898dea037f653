import Foundation
import Glibc
import Synchronization

/// A server that behaves as VibeTunnel's do, written from observations of upstream's programs.
package final class VibeTunnelDouble: Sendable {
    package enum Era: String, Sendable, CaseIterable {
        /// The Go server of June 2025: Basic authentication, and the history twice.
        case go
        /// The releases until December 2025: tokens, and the history after the last clearing of the screen.
        case legacy
        /// Since December 2025.
        case v3
    }

    /// What the server does wrong.
    package struct Faults: Sendable {
        /// The number of events at the end of the history that are sent again after it, in the first stream of a session.
        package var overlap = 0
        package var hasNoExitEvent = false
        package var hasNoExitCode = false
        /// Cuts the nth stream of a session after n events.
        package var cutsStreams = false
        /// Paths that are never answered, given by their ends.
        package var silentPaths: [String] = []
        /// Answers everything with a page.
        package var answersWithPages = false
        /// The length of the pieces into which everything that is sent is split.
        package var pieceBytes: Int?
        /// Sends a message of this length to a client that subscribes.
        package var largeMessageBytes: Int?
        /// The status of all answers about sessions.
        package var status: Int?
        /// Does not say when sessions were active.
        package var hasNoActivity = false
        /// Adds values that are not sessions to the list.
        package var listsOtherValues = false
        /// Adds this to the new name of a session, as if it were in use.
        package var nameSuffix = ""

        /// A pause before the header of the history, in seconds.
        package var headerPause = 0.0
        /// A pause before the last event of the history, in seconds.
        package var historyPause = 0.0
        /// Answers everything with an error that contains the credentials.
        package var repeatsSecrets = false
        /// Accepts the password in each request as well as tokens.
        package var acceptsBasic = false
        /// Accepts only this SSH key, given as in authorized_keys files.
        package var authorizedKey: String?

        package init() {}
    }

    struct State {
        var sessions: [VibeTunnelDoubleSession] = []
        var tokens: Set<String> = []
        var requests: [VibeTunnelRequest] = []
        var connections: [Int32: LoopbackSocket] = [:]
        var faults = Faults()
        var challenge: [UInt8] = []
        var signature: [UInt8] = []
    }

    package let era: Era
    package let port: UInt16
    let password: String?
    private let listener: LoopbackSocket
    let state = Mutex(State())

    /// The user that the server runs as.
    package static let user = "ann"
    package static let realm = "VibeTunnel"

    /// With a password, requests must be authorized.
    package init(_ era: Era, password: String? = nil, faults: Faults = Faults()) throws {
        (self.era, self.password) = (era, password)
        listener = try LoopbackSocket()
        try listener.bind(port: 0)
        listen(listener.descriptor, 256)
        port = try listener.port()
        state.withLock { $0.faults = faults }
        Thread { [weak self, listener] in
            while true {
                let accepted = accept(listener.descriptor, nil, nil)
                guard accepted >= 0 else { return }
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                let connection = LoopbackSocket(owning: accepted)
                self?.state.withLock { $0.connections[accepted] = connection }
                Thread { [weak self] in
                    self?.serve(connection)
                    connection.shutdown()
                    _ = self?.state.withLock { $0.connections.removeValue(forKey: accepted) }
                }.start()
            }
        }.start()
    }

    deinit {
        stop()
    }

    // MARK: - For tests

    package var url: String { "http://127.0.0.1:\(port)" }

    package var requests: [VibeTunnelRequest] { state.withLock(\.requests) }

    package var sessions: [VibeTunnelDoubleSession] { state.withLock(\.sessions) }

    /// Adds a session without a program.
    package func add(
        _ name: String,
        command: [String] = ["fake"],
        startedAt: Date = Date()
    ) -> VibeTunnelDoubleSession {
        let session = VibeTunnelDoubleSession(name: name, command: command, startedAt: startedAt)
        state.withLock { $0.sessions.append(session) }
        return session
    }

    package func change(_ change: @Sendable (inout Faults) -> Void) {
        state.withLock { change(&$0.faults) }
    }

    /// Forgets the tokens of all logins, as a server that restarts does.
    package func revokeTokens() {
        state.withLock { $0.tokens = [] }
    }

    /// Ends as a server that is killed, with its programs.
    package func stop() {
        listener.shutdown()
        cut()
        for session in sessions { session.signal(SIGKILL) }
    }

    /// Closes all connections.
    package func cut() {
        for connection in state.withLock({ Array($0.connections.values) }) { connection.shutdown() }
    }

    // MARK: - Requests

    private func serve(_ connection: LoopbackSocket) {
        guard let request = VibeTunnelRequest(from: connection) else { return }
        let faults = state.withLock { state in
            state.requests.append(request)
            return state.faults
        }
        if faults.silentPaths.contains(where: { request.path.hasSuffix($0) }) {
            while connection.receive() != nil {}
            return
        }
        if faults.repeatsSecrets, let field = request.fields["authorization"] {
            let decoded = Data(base64Encoded: String(field.dropFirst("Basic ".count))) ?? Data()
            return answer(connection, 500, ["error": "\(field) \(String(decoding: decoded, as: UTF8.self))"])
        }
        if faults.answersWithPages { return answer(connection, 200, html: "<html>x</html>") }
        let path = request.path.split(separator: "?")[0].split(separator: "/").map(String.init)
        let isPublic = ["/api/health"].contains(request.path) || path.starts(with: ["api", "auth"])
        guard isPublic || path.first != "api" && path != ["ws"] || isAuthorized(request) else {
            let challenge =
                era == .go || faults.acceptsBasic ? "Basic realm=\"\(Self.realm)\"" : "Bearer realm=\"\(Self.realm)\""
            if path == ["ws"] {
                send(connection, Array("HTTP/1.1 401 Unauthorized\r\n\r\n".utf8))
                return
            }
            return answer(
                connection,
                401,
                ["error": "Authentication required"],
                fields: ["Www-Authenticate": challenge]
            )
        }
        switch (request.method, path) {
        case ("GET", ["ws"]) where era == .v3: serveSocket(connection, request, faults)
        case (_, _) where path.first != "api": answer(connection, 200, html: "<html>x</html>")
        default: serve(request, Array(path.dropFirst()), connection, faults)
        }
    }

    private func serve(
        _ request: VibeTunnelRequest,
        _ path: [String],
        _ connection: LoopbackSocket,
        _ faults: Faults
    ) {
        switch (request.method, path) {
        case ("GET", ["health"]):
            let time = "2026-11-23T22:23:37Z"
            answer(
                connection,
                200,
                era == .v3
                    ? [
                        "status": "healthy", "timestamp": time, "mode": "remote", "version": "1.0.0-beta.16",
                        "connections": [String: Any](),
                    ]
                    : ["mode": "normal", "status": "ok", "timestamp": time]
            )
        case (_, let path) where path.first == "auth" && era != .go: authenticate(request, path, connection)
        case (_, let path) where path.first == "sessions" && faults.status != nil:
            answer(connection, faults.status ?? 0, ["error": "no \(path.count)"])
        case ("GET", ["sessions"]):
            let all: [Any] = sessions.map { object(of: $0, faults).merging(["source": "local"]) { $1 } }
            answer(connection, 200, all + (faults.listsOtherValues ? ["x", ["id": 7]] : []))
        case ("POST", ["sessions"]): create(request, connection)
        case ("POST", ["cleanup-exited"]):
            let ended = sessions.filter(\.hasEnded).map(\.id)
            state.withLock { $0.sessions.removeAll { ended.contains($0.id) } }
            let message = "\(ended.count) exited sessions cleaned up"
            answer(connection, 200, ["localCleaned": ended.count, "message": message, "success": true])
        case (_, let path) where path.first == "sessions" && path.count >= 2:
            guard let session = sessions.first(where: { $0.id == path[1] }) else {
                return answer(connection, 404, ["error": "Session not found"])
            }
            serve(request, Array(path.dropFirst(2)), session, connection, faults)
        default: notFound(connection)
        }
    }

    private func serve(
        _ request: VibeTunnelRequest,
        _ path: [String],
        _ session: VibeTunnelDoubleSession,
        _ connection: LoopbackSocket,
        _ faults: Faults
    ) {
        switch (request.method, path) {
        case ("GET", []): answer(connection, 200, object(of: session, faults))
        case ("PATCH", []) where era != .go:
            let name = (request.json["name"] as? String ?? "") + faults.nameSuffix
            session.rename(name)
            answer(connection, 200, ["success": true, "name": name])
        case ("DELETE", []):
            if session.hasEnded, era == .v3 {
                state.withLock { $0.sessions.removeAll { $0 === session } }
                return answer(connection, 200, ["success": true, "message": "Session cleaned up"])
            }
            session.kill()
            answer(connection, 200, ["success": true, "message": "Session killed"])
        case ("DELETE", ["cleanup"]):
            session.kill()
            state.withLock { $0.sessions.removeAll { $0 === session } }
            answer(connection, 200, ["message": "Session cleaned up", "success": true])
        case ("POST", ["input"]): input(request, session, connection)
        case ("POST", ["resize"]):
            guard let columns = request.json["cols"] as? Int, let rows = request.json["rows"] as? Int,
                (1...1000).contains(columns), (1...1000).contains(rows)
            else { return answer(connection, 400, ["error": "Invalid request body"]) }
            if era != .go { session.resize(columns, rows) }
            answer(connection, 200, ["cols": columns, "rows": rows, "success": true])
        case ("GET", ["stream"]) where era != .v3: stream(session, connection, faults)
        default: notFound(connection)
        }
    }

    private func input(_ request: VibeTunnelRequest, _ session: VibeTunnelDoubleSession, _ connection: LoopbackSocket) {
        let (text, key) = (request.json["text"] as? String, request.json["key"] as? String)
        guard (text == nil) != (key == nil) else {
            return answer(connection, 400, ["error": "Must provide either 'text' or 'key', not both"])
        }
        if session.hasEnded {
            guard era == .go else { return answer(connection, 400, ["error": "Session is not running"]) }
            // No answer.
            while connection.receive() != nil {}
            return
        }
        session.type(text ?? (key == "enter" ? "\r" : ""))
        answer(connection, 200, ["success": true])
    }

    private func create(_ request: VibeTunnelRequest, _ connection: LoopbackSocket) {
        let json = request.json
        guard let command = json["command"] as? [String], let program = command.first else {
            return answer(connection, 400, ["error": era == .go ? "Invalid request body" : "Command array is required"])
        }
        let name = json["name"] as? String ?? program
        guard FileManager.default.isExecutableFile(atPath: program) || Self.isInPath(program),
            let session = try? VibeTunnelDoubleSession(
                name: name,
                command: command,
                directory: json["workingDir"] as? String ?? "/tmp"
            )
        else {
            let problem = "exec: \"\(program)\": executable file not found in $PATH"
            return answer(connection, 500, ["error": "Failed to create session: failed to start pty: \(problem)"])
        }
        state.withLock { $0.sessions.append(session) }
        answer(connection, 200, ["sessionId": session.id])
    }

    private static func isInPath(_ program: String) -> Bool {
        ["/bin", "/usr/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    private func object(of session: VibeTunnelDoubleSession, _ faults: Faults) -> [String: Any] {
        let (name, status, code) = session.state
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let (time, changed) = (formatter.string(from: session.startedAt), formatter.string(from: session.changedAt))
        var object: [String: Any] = [
            "id": session.id, "name": name, "workingDir": session.directory, "status": status, "startedAt": time,
            "lastModified": changed, "pid": session.processID,
            "command": era == .go ? session.command.joined(separator: " ") : session.command,
        ]
        if era == .v3 { object["gitBranch"] = "main" }
        if faults.hasNoActivity { object["lastModified"] = nil }
        if era != .go, !faults.hasNoExitCode, let code { object["exitCode"] = code }
        return object
    }

    // MARK: - Answers

    func notFound(_ connection: LoopbackSocket) {
        answer(connection, 404, ["error": era == .go ? "Not found" : "API endpoint not found"])
    }

    func answer(
        _ connection: LoopbackSocket,
        _ status: Int,
        _ json: Any = [String: Any](),
        html: String? = nil,
        fields: [String: String] = [:]
    ) {
        let data =
            (try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .withoutEscapingSlashes]))
            ?? Data()
        let body = html.map { Array($0.utf8) } ?? Array(data)
        var head = "HTTP/1.1 \(status) X\r\nContent-Length: \(body.count)\r\nConnection: close\r\n"
        head += "Content-Type: \(html == nil ? "application/json; charset=utf-8" : "text/html; charset=utf-8")\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        send(connection, Array("\(head)\r\n".utf8) + body)
    }

    @discardableResult
    func send(_ connection: LoopbackSocket, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        let pieceBytes = state.withLock { $0.faults.pieceBytes } ?? bytes.count
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, pieceBytes))
            guard connection.send(Array(piece)) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }
}
