import Core
import VibeTunnel

/// The conversation with a client over `/buffers`, which clients of 2025 open: requests in JSON, and snapshots.
struct VibeTunnelBuffers: Sendable {
    let sessions: LinkedSessions
    private let socket = VibeTunnelSocket()

    func run(over channel: any PageChannel) async -> PageClosing {
        await socket.run(over: channel, sessions.server.links, sessions.access) { message throws(VTError) in
            guard let request = try? JSONOutlineParser.parse(message),
                let type = request.member("type")?.string(in: message)
            else { return }
            let id = request.member("sessionId")?.string(in: message) ?? ""
            switch type {
            case "ping": try await send("pong")
            case "subscribe": try await subscribe(id)
            case "unsubscribe": await socket.unsubscribe(id)
            default: return
            }
        }
    }

    private func send(_ type: String, message: String? = nil) async throws(VTError) {
        let document = JSONWriter.object { writer in
            writer.member("type", type)
            writer.member("message", message)
        }
        try await socket.send(.text(String(decoding: document, as: UTF8.self)))
    }

    private func subscribe(_ id: String) async throws(VTError) {
        let (sessions, socket) = (sessions, socket)
        let isRoom = await socket.subscribe(id) { () async throws(VTError) in
            _ = try await sessions.screens(of: try await sessions.find(id)) { screen throws(VTError) in
                let snapshot = VibeTunnelSnapshot(screen, isTrimmed: true).encoded
                try await socket.send(.binary(VibeTunnelSnapshot.message(snapshot, of: id)))
            }
        } report: { error async throws(VTError) in
            try await send("error", message: error.code == .notFound ? "Session not found" : error.message)
        }
        if !isRoom { try await send("error", message: "Too many subscriptions") }
    }
}
