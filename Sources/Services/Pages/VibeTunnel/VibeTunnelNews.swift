import Core
import Runtime
import VibeTunnel

/// The events of a server for a client over `/ws`: sessions that start and end.
struct VibeTunnelNews: Sendable {
    private let sessions: ServedSessions
    private let socket: VibeTunnelSocket

    init(_ sessions: ServedSessions, _ socket: VibeTunnelSocket) {
        (self.sessions, self.socket) = (sessions, socket)
    }

    /// Sends events until the task is canceled.
    func run() async throws(VTError) {
        let server = sessions.server
        let (page, changes) = server.addPage()
        defer { server.removePage(page) }
        var live = await liveSessions()
        try await send("connected", nil)
        var last: UInt64 = 1
        while true {
            let known = last
            last = try await changes.wait { $0 == known ? nil : $0 }
            let current = await sessions.all()
            for found in current where !found.session.state.isLive && live.contains(found.id) {
                try await send("session-exit", found)
            }
            for found in current where found.session.state.isLive && !live.contains(found.id) {
                try await send("session-start", found)
            }
            live = Set(current.filter(\.session.state.isLive).map(\.id))
        }
    }

    private func liveSessions() async -> Set<String> {
        Set(await sessions.all().filter(\.session.state.isLive).map(\.id))
    }

    private func send(_ type: String, _ found: ServedSession?) async throws(VTError) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", type)
            writer.member("sessionId", found?.id)
            writer.member("exitCode", found?.session.exit?.shellStatus)
            writer.member("timestamp", Timestamp.now())
        }
        try await socket.send(.binary(VibeTunnelFrame(.event, found?.id ?? "", writer.bytes).encoded))
    }
}
