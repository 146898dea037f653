import Core
import Terminal
import VibeTunnel

/// Serves sessions to VibeTunnel's clients: `vt serve --vibetunnel`.
///
/// It has the endpoints for sessions of the servers until December 2025, and of those since then, with the same messages.
package struct VibeTunnelInterface: WebInterface {
    let server: PageServer

    package init(_ server: PageServer) {
        self.server = server
    }

    // MARK: - WebSockets

    package func refusal(ofSocket request: WebRequest) -> Int? {
        do throws(VibeTunnelRefusal) {
            _ = try access(of: request)
            return nil
        } catch {
            return error.status
        }
    }

    package func converse(over channel: any PageChannel, _ request: WebRequest) async {
        let access: PageAccess
        do throws(VibeTunnelRefusal) {
            access = try open(request)
        } catch {
            // The link has been revoked in the meantime.
            return await channel.close(.unknownLink)
        }
        let sessions = LinkedSessions(server: server, access: access)
        let closing = await server.visited(access, from: request.address) {
            if request.path == "buffers" { return await VibeTunnelBuffers(sessions: sessions).run(over: channel) }
            return await VibeTunnelVisit(sessions: sessions).run(over: channel)
        }
        await channel.close(closing)
    }

    // MARK: - Requests

    package func answer(_ request: WebRequest) async -> WebAnswer {
        do throws(VibeTunnelRefusal) {
            return try await result(of: request)
        } catch {
            if [401, 403, 429].contains(error.status) { server.refused(request.address, status: error.status) }
            return error.answer
        }
    }

    private func result(of request: WebRequest) async throws(VibeTunnelRefusal) -> WebAnswer {
        let words = request.path.split(separator: "/").dropFirst().map(String.init)
        switch (request.method, words.count, words.first) {
        case ("GET", 1, "health"): return Self.health
        case (_, 2, "auth"): return try authentication(request, words[1])
        default: break
        }
        let sessions = LinkedSessions(server: server, access: try access(of: request))
        switch (request.method, words.count, words.first) {
        case ("GET", 1, "sessions"): return .json(await list(sessions))
        case ("POST", 1, "sessions"):
            let session = try await sessions.create(try VibeTunnelCreation(request.body))
            return .json { $0.member("sessionId", session.id) }
        case ("POST", 1, "cleanup-exited"): return try await cleanUp(sessions)
        case (_, 2...3, "sessions"): return try await answer(request, Array(words.dropFirst()), sessions)
        default: throw .unknownPath
        }
    }

    /// `ok` is valid in both protocols; upstream's `healthy` comes with details of the machine, which this request, for
    /// which no password is needed, must not reveal.
    private static var health: WebAnswer {
        .json { writer in
            writer.member("mode", "normal")
            writer.member("status", "ok")
            writer.member("timestamp", Timestamp.now())
        }
    }

    private func list(_ sessions: LinkedSessions) async -> [UInt8] {
        let all = await sessions.all()
        return JSONWriter.array { writer in
            for found in all { writer.json(found.document(inList: true, isReadOnly: sessions.isReadOnly)) }
        }
    }

    private func cleanUp(_ sessions: LinkedSessions) async throws(VibeTunnelRefusal) -> WebAnswer {
        let count = try await sessions.removeEnded()
        return .json { writer in
            writer.member("localCleaned", count)
            writer.member("message", "\(count) exited sessions cleaned up")
            writer.member("success", true)
        }
    }

    // MARK: - One session

    /// Answers a request about a session: its ID, and what is requested, if it is not the session itself.
    private func answer(
        _ request: WebRequest,
        _ words: [String],
        _ sessions: LinkedSessions
    ) async throws(VibeTunnelRefusal) -> WebAnswer {
        let found = try await sessions.attempt { () throws(VTError) in try await sessions.find(words[0]) }
        let screen = { () async throws(VibeTunnelRefusal) in
            try await sessions.attempt { () throws(VTError) in try await found.screen() }
        }
        switch (request.method, words.count == 2 ? words[1] : "") {
        case ("GET", ""): return .json(found.document(inList: false, isReadOnly: sessions.isReadOnly))
        case ("PATCH", ""): return try await rename(found, request.body, sessions)
        case ("DELETE", ""):
            try await sessions.kill(found)
            return .performed { $0.member("message", "Session killed") }
        case ("DELETE", "cleanup"):
            guard try await sessions.remove(found) else { throw VibeTunnelRefusal(500, "The session did not end") }
            return .performed { $0.member("message", "Session cleaned up") }
        case ("POST", "input"):
            try await sessions.type(try Self.input(request.body), into: found)
            return .performed()
        case ("POST", "resize"): return try await resize(found, request.body, sessions)
        case ("POST", "reset-size"): return .performed()
        case ("GET", "stream"): return sessions.eventStream(of: found)
        case ("GET", "buffer"):
            let snapshot = VibeTunnelSnapshot(try await screen(), isTrimmed: true)
            return WebAnswer(type: "application/octet-stream", .bytes(snapshot.encoded))
        case ("GET", "text"):
            let text = TextRenderer.render(try await screen())
            return WebAnswer(type: "text/plain; charset=utf-8", .bytes(Array(text.utf8.dropLast())))
        default: throw .unknownPath
        }
    }

    private func rename(
        _ found: LinkedSession,
        _ document: [UInt8],
        _ sessions: LinkedSessions
    ) async throws(VibeTunnelRefusal) -> WebAnswer {
        guard let body = try? JSONOutlineParser.parse(document),
            let name = body.member("name")?.string(in: document), !name.isEmpty
        else { throw .invalidBody }
        let newName = try await sessions.rename(found, to: name)
        return .performed { $0.member("name", newName) }
    }

    private func resize(
        _ found: LinkedSession,
        _ document: [UInt8],
        _ sessions: LinkedSessions
    ) async throws(VibeTunnelRefusal) -> WebAnswer {
        guard let body = try? JSONOutlineParser.parse(document), let size = TerminalSize(vibeTunnel: body, in: document)
        else { throw .invalidBody }
        try await sessions.resize(found, to: size)
        return .performed { writer in
            writer.member("cols", size.columns)
            writer.member("rows", size.rows)
        }
    }

    private static func input(_ document: [UInt8]) throws(VibeTunnelRefusal) -> WatchedSession.Input {
        let body = try? JSONOutlineParser.parse(document)
        let (text, key) = (body?.member("text")?.string(in: document), body?.member("key")?.string(in: document))
        switch (text, key) {
        case (let text?, nil): return .bytes(Array(text.utf8))
        case (nil, let key?): return try LinkedSessions.input(forKey: key)
        default: throw VibeTunnelRefusal(400, "Must provide either 'text' or 'key', not both")
        }
    }
}
