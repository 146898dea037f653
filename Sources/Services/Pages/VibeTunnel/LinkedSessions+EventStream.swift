import Core
import Recording
import Runtime

/// A session as server-sent events, which clients of 2025 read (WHATWG HTML, "Server-sent events").
extension LinkedSessions {
    /// How often a comment is sent, as upstream.
    private static let heartbeat = Duration.seconds(30)

    func eventStream(of found: LinkedSession) -> WebAnswer {
        let content = WebAnswer.Content.stream { sink throws(VTError) in try await writeEvents(of: found, to: sink) }
        var answer = WebAnswer(type: "text/event-stream", content)
        // Proxies must not collect the events.
        answer.headers = [("X-Accel-Buffering", "no")]
        return answer
    }

    /// Writes events until the session has ended, or the link is no longer valid.
    private func writeEvents(of found: LinkedSession, to sink: any ByteSink) async throws(VTError) {
        let (links, access, clock) = (server.links, self.access, server.clock)
        try await sink.write(Array(":ok\n\n".utf8))
        try await links.whileValid(access) { () async throws(VTError) in
            try await withWatch({ () async throws(VTError) in
                while true {
                    try await clock.pause(for: Self.heartbeat)
                    try await sink.write(Array(":heartbeat\n\n".utf8))
                }
            }) { () async throws(VTError) in
                try await found.follow(links.lock(of: access)) { item throws(VTError) in
                    if let data = Self.event(item, of: found) {
                        try await sink.write(Array("data: ".utf8) + data + [0x0A, 0x0A])
                    }
                }
            }
        }
    }

    private static func event(_ item: RecordingItem, of found: LinkedSession) -> [UInt8]? {
        let event: RecordingEvent
        switch item {
        case .header(let header): return header.vibeTunnelDocument(of: found.session, withTerminal: true)
        case .event(let given): event = given
        }
        switch event.content {
        case .output, .resize:
            return JSONWriter.array { writer in
                writer.number(event.time.seconds)
                writer.string(event.code)
                writer.string(String(decoding: event.data, as: UTF8.self))
            }
        case .exit(let status):
            return JSONWriter.array { writer in
                writer.string("exit")
                writer.integer(status)
                writer.string(found.id)
            }
        case .input, .marker, .other: return nil
        }
    }
}
