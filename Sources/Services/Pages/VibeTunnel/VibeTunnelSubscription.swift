import Core
import Recording
import Runtime
import Terminal
import VibeTunnel

/// What a client over `/ws` receives of a session: its output, snapshots of its screen, or both, and events.
struct VibeTunnelSubscription: Sendable {
    let id: String
    let channels: VibeTunnelFrame.Channels
    let sessions: LinkedSessions
    let socket: VibeTunnelSocket

    /// Sends frames until the session has ended.
    ///
    /// - Throws: `not-found`.
    func run() async throws(VTError) {
        let found = try await sessions.find(id)
        guard channels.contains(.output) else {
            return try await watch(found, isAlone: true)
        }
        let replay = Monitor(Replay(found))
        guard channels.contains(.snapshots) else { return try await follow(found, replay) }
        // Snapshots follow the replayed output, and end with the stream.
        try await withWatch({ () async throws(VTError) in
            try await replay.wait { $0.isOver ? () : nil }
            try await watch(found, isAlone: false)
        }) { () async throws(VTError) in
            try await follow(found, replay)
        }
    }

    private func send(_ kind: VibeTunnelFrame.Kind, _ payload: [UInt8]) async throws(VTError) {
        try await socket.send(.binary(VibeTunnelFrame(kind, id, payload).encoded))
    }

    // MARK: - Output

    /// How much of the output that preceded the subscription has been sent.
    private struct Replay: Sendable {
        /// The number of bytes to send; invalid UTF-8 becomes longer, and up to three bytes of a character may be missing.
        var rest: Int
        var hasBegun = false

        init(_ found: LinkedSession) {
            let end = min(found.session.outputBytes, found.session.logStoppedAt ?? .max)
            // With the screen, everything has been sent.
            rest = found.hasWholeHistory ? max(0, Int(clamping: end) - 3) : 1
        }

        var isOver: Bool { hasBegun && rest <= 0 }
    }

    private func follow(_ found: LinkedSession, _ replay: Monitor<Replay>) async throws(VTError) {
        try await found.follow(sessions.server.links.lock(of: sessions.access)) { item throws(VTError) in
            switch item {
            case .header(let header):
                if channels.contains(.events) { try await sendHeader(header, of: found) }
                replay.update { $0.hasBegun = true }
            case .event(let event):
                switch event.content {
                case .output(let bytes):
                    try await send(.output, bytes)
                    replay.update { $0.rest -= bytes.count }
                case .resize(let size): try await sendResize(size)
                case .exit(let status): try await sendExit(status)
                case .input, .marker, .other: return
                }
            }
        }
    }

    // MARK: - Events

    private func sendHeader(_ header: RecordingHeader, of found: LinkedSession) async throws(VTError) {
        try await sendEvent("header") { writer in
            writer.member("header", json: header.vibeTunnelDocument(of: found.session, withTerminal: false))
        }
    }

    private func sendResize(_ size: TerminalSize) async throws(VTError) {
        guard channels.contains(.events) else { return }
        try await sendEvent("resize") { $0.member("dimensions", size) }
    }

    private func sendExit(_ status: Int32) async throws(VTError) {
        try await sendEvent("exit") { $0.member("exitCode", status) }
    }

    private func sendEvent(_ kind: String, _ members: (inout JSONWriter) -> Void) async throws(VTError) {
        let document = JSONWriter.object { writer in
            writer.member("kind", kind)
            members(&writer)
        }
        try await send(.event, document)
    }

    // MARK: - Snapshots

    /// Sends snapshots of the screen; if this is all that the client receives, events, too.
    private func watch(_ found: LinkedSession, isAlone: Bool) async throws(VTError) {
        if isAlone, channels.contains(.events) {
            var header = RecordingHeader(size: found.session.size)
            header.timestamp = found.startedAt.seconds
            try await sendHeader(header, of: found)
        }
        var size = found.session.size
        let end = try await sessions.screens(of: found) { screen throws(VTError) in
            if isAlone, screen.size != size { try await sendResize(screen.size) }
            size = screen.size
            guard channels.contains(.snapshots) else { return }
            try await send(.snapshot, VibeTunnelSnapshot(screen, isTrimmed: false).encoded)
        }
        if isAlone, channels.contains(.events) { try await sendExit(end) }
    }
}
