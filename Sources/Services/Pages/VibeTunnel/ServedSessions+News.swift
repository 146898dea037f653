import Core
import Runtime
import VibeTunnel

/// The events of a server for a client over `/ws`: sessions that start and end.
extension ServedSessions {
    /// Sends events until the task is canceled.
    func sendEvents(over socket: VibeTunnelSocket) async throws(VTError) {
        let (page, changes) = server.addPage()
        defer { server.removePage(page) }
        var live = await liveSessions()
        try await Self.send("connected", nil, over: socket)
        var last: UInt64 = 1
        while true {
            let known = last
            last = try await changes.wait { $0 == known ? nil : $0 }
            let current = await all()
            for found in current where !found.session.state.isLive && live.contains(found.id) {
                try await Self.send("session-exit", found, over: socket)
            }
            for found in current where found.session.state.isLive && !live.contains(found.id) {
                try await Self.send("session-start", found, over: socket)
            }
            live = Set(current.filter(\.session.state.isLive).map(\.id))
        }
    }

    private func liveSessions() async -> Set<String> {
        Set(await all().filter(\.session.state.isLive).map(\.id))
    }

    private static func send(
        _ type: String,
        _ found: ServedSession?,
        over socket: VibeTunnelSocket
    ) async throws(VTError) {
        let document = JSONWriter.object { writer in
            writer.member("type", type)
            writer.member("sessionId", found?.id)
            writer.member("exitCode", found?.session.exit?.shellStatus)
            writer.member("timestamp", Timestamp.now())
        }
        try await socket.send(.binary(VibeTunnelFrame(.event, found?.id ?? "", document).encoded))
    }
}
