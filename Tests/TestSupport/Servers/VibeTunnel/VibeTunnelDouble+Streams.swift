import Foundation

/// The streams of both protocols.
extension VibeTunnelDouble {
    /// How many events of a stream may be sent before it is cut.
    private struct Allowance {
        private(set) var rest: Int
        /// The number of events that are sent twice.
        let overlap: Int

        init(_ session: VibeTunnelDoubleSession, _ faults: Faults) {
            let number = session.addStream()
            overlap = number == 1 ? faults.overlap : 0
            rest = faults.cutsStreams ? number : .max
        }

        mutating func take() -> Bool {
            rest -= 1
            return rest >= 0
        }
    }

    private static let clears = [
        "\u{1B}[3J", "\u{1B}c", "\u{1B}[2J", "\u{1B}[?1049h", "\u{1B}[?1049l", "\u{1B}[?47h", "\u{1B}[?47l",
        "\u{1B}[H\u{1B}[J",
    ]

    /// The index of the first entry of the history.
    private func historyStart(in entries: [VibeTunnelDoubleSession.Entry]) -> Int {
        guard era != .go else { return 0 }
        let last = entries.lastIndex { entry in
            guard case .output(let text) = entry else { return false }
            return text.withCString { text in Self.clears.contains { strstr(text, $0) != nil } }
        }
        return last.map { $0 + 1 } ?? 0
    }

    private func header(of session: VibeTunnelDoubleSession) -> [String: Any] {
        let time = Int(session.startedAt.timeIntervalSince1970)
        let header: [String: Any] = ["version": 2, "width": 80, "height": 24, "timestamp": time]
        let more: [String: Any] =
            era == .go
            ? ["env": ["TERM": "xterm-256color"]] : ["command": session.command.joined(separator: " ")]
        return header.merging(more) { $1 }
    }

    // MARK: - Server-Sent Events

    func stream(_ session: VibeTunnelDoubleSession, _ connection: LoopbackSocket, _ faults: Faults) {
        var allowance = Allowance(session, faults)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        guard send(connection, Array(head.utf8)), sendChunk(":ok\n\n", connection) else { return }
        Thread.sleep(forTimeInterval: faults.headerPause)
        let header = JSON.text(header(of: session))
        let history = session.entries
        let start = historyStart(in: history)
        let live = history.count
        let hasEnded = if case .exit = history.last { true } else { false }
        for copy in 0..<(era == .go && !hasEnded ? 2 : 1) {
            guard sendChunk("data: \(header)\n\n", connection) else { return }
            for (index, entry) in history.enumerated().dropFirst(start) {
                if index == live - 1 { Thread.sleep(forTimeInterval: faults.historyPause) }
                // What comes twice is no progress.
                guard copy == 1 || allowance.take(), send(entry, at: copy == 0 ? 0 : 0.5, session, connection, faults)
                else { return }
                if case .exit = entry, !faults.hasNoExitEvent { return end(connection) }
            }
        }
        for entry in history[start...].suffix(allowance.overlap) {
            guard allowance.take(), send(entry, at: 0.7, session, connection, faults) else { return }
        }
        var index = live
        var heartbeat = Date()
        func isOpen() -> Bool {
            guard !Self.isClosed(connection) else { return false }
            guard -heartbeat.timeIntervalSinceNow >= Self.heartbeatInterval else { return true }
            heartbeat = Date()
            return sendChunk(":heartbeat\n\n", connection)
        }
        while let entry = session.entry(index, while: isOpen) {
            guard allowance.take(), send(entry, at: 1.25, session, connection, faults) else { return }
            if case .exit = entry, !faults.hasNoExitEvent { return end(connection) }
            index += 1
        }
    }

    private func send(
        _ entry: VibeTunnelDoubleSession.Entry,
        at time: Double,
        _ session: VibeTunnelDoubleSession,
        _ connection: LoopbackSocket,
        _ faults: Faults
    ) -> Bool {
        let event: [Any]
        switch entry {
        case .output(let text): event = [time, "o", text]
        case .resize(let size): event = [time, "r", size]
        case .exit(let code):
            guard !faults.hasNoExitEvent else { return true }
            event = ["exit", era == .go && code > 128 ? -1 : code, session.id]
        }
        return sendChunk("data: \(JSON.text(event))\n\n", connection)
    }

    private static let heartbeatInterval: TimeInterval = 30

    private func sendChunk(_ text: String, _ connection: LoopbackSocket) -> Bool {
        send(connection, Array("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n".utf8))
    }

    private func end(_ connection: LoopbackSocket) {
        send(connection, Array("0\r\n\r\n".utf8))
    }

    private static func isClosed(_ connection: LoopbackSocket) -> Bool {
        var byte: UInt8 = 0
        return recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    // MARK: - WebSocket

    func serveSocket(_ connection: LoopbackSocket, _ request: VibeTunnelRequest, _ faults: Faults) {
        guard let key = request.fields["sec-websocket-key"] else { return }
        let socket = VibeTunnelSocket(connection, key: key, rest: request.rest, pieceBytes: faults.pieceBytes)
        socket.send(2, "", Array(#"{"ok":true,"version":3}"#.utf8))
        while let frame = socket.receive() {
            let session = sessions.first { $0.id == frame.session }
            switch frame.kind {
            case 10: subscribe(frame, session, socket, faults)
            case 30 where frame.session.isEmpty: fail("Missing sessionId for INPUT_TEXT", "", socket)
            case 30:
                guard let session else {
                    fail("Session not found", frame.session, socket)
                    continue
                }
                session.type(String(decoding: frame.payload, as: UTF8.self))
            case 31 where frame.payload == Array("enter".utf8): session?.type("\r")
            case 32 where frame.payload.count < 8: fail("Invalid RESIZE payload", frame.session, socket)
            case 32:
                session?.resize(
                    LittleEndian.number(frame.payload[0..<4]),
                    LittleEndian.number(frame.payload[4..<8])
                )
            case 33:
                let name = String(decoding: frame.payload, as: UTF8.self)
                let numbers: [String: Int32] = [
                    "": SIGTERM, "SIGTERM": SIGTERM, "SIGKILL": SIGKILL, "SIGINT": SIGINT, "SIGHUP": SIGHUP,
                ]
                if let session, let number = numbers[name] {
                    session.signal(number)
                } else {
                    fail("unknown signal", frame.session, socket)
                }
            case 40: socket.send(41, frame.session, frame.payload)
            default: break
            }
        }
    }

    private func fail(_ message: String, _ session: String, _ socket: VibeTunnelSocket) {
        socket.send(23, session, Array(JSON.text(["message": message]).utf8))
    }

    private func subscribe(
        _ frame: RawVibeTunnelFrame,
        _ session: VibeTunnelDoubleSession?,
        _ socket: VibeTunnelSocket,
        _ faults: Faults
    ) {
        guard frame.payload.count >= 12 else { return fail("Invalid SUBSCRIBE payload", frame.session, socket) }
        guard !frame.session.isEmpty else {
            socket.send(22, "", Array(#"{"type":"connected","timestamp":"2026-11-23T22:30:01.318Z"}"#.utf8))
            return
        }
        guard let session else { return fail("Session paths not found", frame.session, socket) }
        if let count = faults.largeMessageBytes {
            socket.message([UInt8](repeating: 0, count: count))
            return
        }
        let number = socket.addSubscription(to: session.id)
        Thread {
            self.follow(session, socket, number, flags: frame.payload[0], faults)
        }.start()
    }

    private func follow(
        _ session: VibeTunnelDoubleSession,
        _ socket: VibeTunnelSocket,
        _ subscription: Int,
        flags: UInt8,
        _ faults: Faults
    ) {
        var allowance = Allowance(session, faults)
        Thread.sleep(forTimeInterval: faults.headerPause)
        if flags & 4 != 0 {
            socket.send(22, session.id, Array(JSON.text(["kind": "header", "header": header(of: session)]).utf8))
        }
        let history = session.entries
        let start = historyStart(in: history)
        func send(_ entry: VibeTunnelDoubleSession.Entry) -> Bool {
            guard allowance.take() else {
                socket.close()
                return false
            }
            switch entry {
            case .output(let text): return socket.send(20, session.id, Array(text.utf8))
            case .resize(let size):
                return socket.send(22, session.id, Array(JSON.text(["kind": "resize", "dimensions": size]).utf8))
            case .exit(let code):
                if faults.hasNoExitEvent { return true }
                return socket.send(
                    22,
                    session.id,
                    Array(JSON.text(["kind": "exit", "exitCode": code] as [String: Any]).utf8)
                )
            }
        }
        for (index, entry) in history.enumerated().dropFirst(start) {
            if index == history.count - 1 { Thread.sleep(forTimeInterval: faults.historyPause) }
            guard send(entry) else { return }
        }
        for entry in history[start...].suffix(allowance.overlap) {
            guard send(entry) else { return }
        }
        var index = history.count
        func isCurrent() -> Bool { socket.isCurrent(subscription, to: session.id) }
        while let entry = session.entry(index, while: isCurrent), isCurrent() {
            guard send(entry) else { return }
            index += 1
        }
    }
}
