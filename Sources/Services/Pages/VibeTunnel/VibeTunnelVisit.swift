import Core
import VibeTunnel

/// The conversation with a client over `/ws`, with the behavior of upstream's hub (`ws-v3-hub.ts`).
struct VibeTunnelVisit: Sendable {
    let sessions: LinkedSessions
    private let socket = VibeTunnelSocket()

    func run(over channel: any PageChannel) async -> PageClosing {
        do throws(VTError) {
            try await send(.text(.welcome, "", #"{"ok":true,"version":3}"#))
        } catch {
            return .goingAway
        }
        return await socket.run(over: channel, sessions.server.links, sessions.access) { message throws(VTError) in
            // Anything else is ignored, as upstream does.
            guard let frame = VibeTunnelFrame(message: message) else { return }
            do throws(VibeTunnelRefusal) {
                try await perform(frame)
            } catch {
                try await send(.failure(error.message, frame.session))
            }
        }
    }

    private func send(_ frame: VibeTunnelFrame) async throws(VTError) {
        try await socket.send(.binary(frame.encoded))
    }

    private func perform(_ frame: VibeTunnelFrame) async throws(VibeTunnelRefusal) {
        switch frame.kind {
        case .subscribe: try await subscribe(frame)
        case .unsubscribe: await socket.unsubscribe(frame.session)
        case .ping:
            // The conversation ends if a message cannot be sent.
            try? await send(VibeTunnelFrame(.pong, frame.session, frame.payload))
        case .text: try await sessions.type(.bytes(frame.payload), into: try await found(frame, "INPUT_TEXT"))
        case .key:
            let found = try await found(frame, "INPUT_KEY")
            try await sessions.type(try LinkedSessions.input(forKey: frame.text), into: found)
        case .resize:
            let found = try await found(frame, "RESIZE")
            guard let size = frame.size else { throw VibeTunnelRefusal(400, "Invalid RESIZE payload") }
            try await sessions.resize(found, to: size)
        case .kill:
            let signal = frame.text.isEmpty ? nil : SignalName(frame.text)
            guard signal == nil || signal?.number != nil else {
                throw VibeTunnelRefusal(400, "Unknown signal: \(frame.text)")
            }
            try await sessions.kill(try await found(frame, "KILL"), signal: signal?.text == "TERM" ? nil : signal)
        // vt keeps no earlier size to return to.
        case .resetSize: _ = try await found(frame, "RESET_SIZE")
        case .hello, .welcome, .output, .snapshot, .event, .error, .pong: return
        }
    }

    private func found(_ frame: VibeTunnelFrame, _ name: String) async throws(VibeTunnelRefusal) -> LinkedSession {
        guard !frame.session.isEmpty else { throw VibeTunnelRefusal(400, "Missing sessionId for \(name)") }
        return try await sessions.attempt { () throws(VTError) in try await sessions.find(frame.session) }
    }

    private func subscribe(_ frame: VibeTunnelFrame) async throws(VibeTunnelRefusal) {
        guard let channels = frame.channels else { throw VibeTunnelRefusal(400, "Invalid SUBSCRIBE payload") }
        let (sessions, socket, id) = (sessions, socket, frame.session)
        guard !id.isEmpty || channels.contains(.events) else { return }
        let isRoom = await socket.subscribe(id) { () async throws(VTError) in
            guard !id.isEmpty else { return try await sessions.sendEvents(over: socket) }
            let subscription = VibeTunnelSubscription(id: id, channels: channels, sessions: sessions, socket: socket)
            try await subscription.run()
        } report: { error async throws(VTError) in
            let message = error.code == .notFound ? "Session paths not found" : error.message
            try await socket.send(.binary(VibeTunnelFrame.failure(message, id).encoded))
        }
        guard isRoom else { throw VibeTunnelRefusal(400, "Too many subscriptions") }
    }
}

extension VibeTunnelFrame {
    fileprivate static func failure(_ message: String, _ session: String) -> VibeTunnelFrame {
        let document = JSONWriter.object { $0.member("message", message) }
        return VibeTunnelFrame(.error, session, document)
    }
}
