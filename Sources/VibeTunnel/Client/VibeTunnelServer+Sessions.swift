import Core
import HTTP

/// The requests about sessions.
extension VibeTunnelServer {
    /// How long a server may take to kill a session: it waits for three seconds before it sends KILL.
    private static let killTimeout = Duration.seconds(15)

    /// Returns all sessions; values that are not sessions are skipped, and counted with `--verbose`.
    package func sessions() async throws(VTError) -> [ServerSession] {
        let path = "/api/sessions"
        let answer = try await answer("GET", path)
        guard let elements = (try? JSONOutlineParser.parse(answer.body))?.elements else {
            throw unexpected(answer, path)
        }
        let sessions = elements.compactMap { ServerSession($0, in: answer.body) }
        let others = elements.count - sessions.count
        if others > 0 {
            diagnostics.detail(
                "'\(plan.name)': \(others) of \(elements.count) elements in the list of sessions have no valid ID"
            )
        }
        return sessions
    }

    /// - Throws: `not-found`.
    package func session(_ id: SessionID) async throws(VTError) -> ServerSession {
        let path = path(of: id)
        let answer = try await answer("GET", path)
        guard let json = try? JSONOutlineParser.parse(answer.body), let session = ServerSession(json, in: answer.body)
        else { throw unexpected(answer, path) }
        return session
    }

    /// Creates a session, and returns its ID.
    ///
    /// The request is not repeated after a lost connection, because it could create two sessions.
    package func create(
        _ command: [String],
        name: String,
        directory: String?,
        size: TerminalSize
    ) async throws(VTError) -> SessionID {
        let path = "/api/sessions"
        let body = Self.json { object in
            object.member("command", command)
            object.member("name", name)
            object.member("workingDir", directory)
            object.member("cols", size.columns)
            object.member("rows", size.rows)
            object.member("spawn_terminal", false)
        }
        let answer = try await answer("POST", path, body)
        guard let id = answer.text("sessionId").flatMap(SessionID.init(foreign:)) else {
            throw unexpected(answer, path)
        }
        return id
    }

    /// Types text.
    ///
    /// The server may never answer if the session has ended.
    package func type(_ text: String, in id: SessionID, timeout: Duration? = nil) async throws(VTError) {
        let body = Self.json { $0.member("text", text) }
        _ = try await answer("POST", "\(path(of: id))/input", body, timeout: timeout)
    }

    package func resize(_ id: SessionID, to size: TerminalSize) async throws(VTError) {
        let body = Self.json { object in
            object.member("cols", size.columns)
            object.member("rows", size.rows)
        }
        _ = try await answer("POST", "\(path(of: id))/resize", body)
    }

    /// Renames a session; returns the new name, which servers make unique.
    package func rename(_ id: SessionID, to name: String) async throws(VTError) -> String {
        let answer = try await answer("PATCH", path(of: id), Self.json { $0.member("name", name) })
        return answer.text("name") ?? name
    }

    /// Kills a running session; a server of the v3 era removes one that has ended.
    package func kill(_ id: SessionID) async throws(VTError) {
        _ = try await answer("DELETE", path(of: id), timeout: Self.killTimeout)
    }

    /// Removes a session that has ended; a running one is killed.
    package func remove(_ id: SessionID) async throws(VTError) {
        _ = try await answer("DELETE", "\(path(of: id))/cleanup", timeout: Self.killTimeout)
    }

    /// Sends a signal to the program of a session; possible only with the v3 protocol.
    package func signal(_ id: SessionID, _ name: String) async throws(VTError) {
        try await withSocket { (socket) async throws(VTError) in
            try await socket.write(.binary(VibeTunnelFrame.text(.kill, id.text, name).encoded))
            try await socket.write(.binary(VibeTunnelFrame(.ping).encoded))
            // Nothing acknowledges a signal, but frames are processed in order.
            while let message = try await socket.read() {
                guard case .binary(let bytes) = message, let frame = VibeTunnelFrame(message: bytes) else { continue }
                if frame.kind == .pong { return }
                if frame.kind == .error, case .failure(let text) = StreamEvent(error: frame.payload) {
                    throw VTError(.negative, "'\(plan.name)': \(text)")
                }
            }
            throw .connectionLost(to: plan.name)
        }
    }

    func path(of id: SessionID) -> String { "/api/sessions/\(id.text)" }

    static func json(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(members)
        return writer.bytes
    }
}
