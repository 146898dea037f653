import Core
import Recording
import Runtime

/// A session as server-sent events, which clients of 2025 read (WHATWG HTML, "Server-sent events").
struct VibeTunnelEventStream: Sendable {
    private let sessions: ServedSessions
    private let found: ServedSession

    /// How often a comment is sent, as upstream.
    private static let heartbeat = Duration.seconds(30)

    init(_ sessions: ServedSessions, _ found: ServedSession) {
        (self.sessions, self.found) = (sessions, found)
    }

    var answer: WebAnswer {
        var answer = WebAnswer(type: "text/event-stream", .stream { sink throws(VTError) in try await write(to: sink) })
        // Proxies must not collect the events.
        answer.headers = [("X-Accel-Buffering", "no")]
        return answer
    }

    /// Writes events until the session has ended, or the link is no longer valid.
    private func write(to sink: any ByteSink) async throws(VTError) {
        let (links, access, clock) = (sessions.server.links, sessions.access, sessions.server.clock)
        try await sink.write(Array(":ok\n\n".utf8))
        try await withWatch({ () async throws(VTError) in
            _ = try await links.end(of: access)
            throw VTError(.authDenied, "the link is no longer valid")
        }) { () async throws(VTError) in
            try await withWatch({ () async throws(VTError) in
                while true {
                    try await clock.pause(for: Self.heartbeat)
                    try await sink.write(Array(":heartbeat\n\n".utf8))
                }
            }) { () async throws(VTError) in
                try await VibeTunnelStream(found).follow { item throws(VTError) in
                    if let data = data(of: item) { try await sink.write(Array("data: ".utf8) + data + [0x0A, 0x0A]) }
                }
            }
        }
    }

    private func data(of item: RecordingItem) -> [UInt8]? {
        let event: RecordingEvent
        switch item {
        case .header(let header): return header.vibeTunnelDocument(of: found.session, withTerminal: true)
        case .event(let given): event = given
        }
        var writer = JSONWriter()
        switch event.content {
        case .output, .resize:
            writer.array { writer in
                writer.number(event.time.seconds)
                writer.string(event.code)
                writer.string(String(decoding: event.data, as: UTF8.self))
            }
        case .exit(let status):
            writer.array { writer in
                writer.string("exit")
                writer.integer(status)
                writer.string(found.id)
            }
        case .input, .marker, .other: return nil
        }
        return writer.bytes
    }
}
