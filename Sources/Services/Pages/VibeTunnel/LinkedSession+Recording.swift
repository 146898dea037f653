import Core
import Recording
import Runtime
import Synchronization

/// What a session has written, and then more as it arrives, as a recording in UTF-8 that never splits a character.
///
/// If a session has written much already, the history begins with the bytes that restore its screen, so that the client
/// sees all of it at once.
extension LinkedSession {
    /// The maximum length of the output that is repeated in full.
    private static let historyBytes: UInt64 = 256 << 10

    /// Whether the history contains all output.
    var hasWholeHistory: Bool { session.firstOffset == 0 && session.outputBytes <= Self.historyBytes }

    /// Passes on the header, output and resizes, and finally the exit, whose status is -1 if it is unknown.
    ///
    /// - Throws: when the session cannot be followed to its end, whose status may be known later.
    ///
    /// Finding the screen of a session that has written much takes long; it is done for one client with a lock at a time.
    func follow(
        _ lock: AsyncLock,
        _ receive: @escaping @Sendable (RecordingItem) async throws(VTError) -> Void
    ) async throws(VTError) {
        var request = RecordRequest()
        request.follows = true
        guard !hasWholeHistory else { return try await follow(request, receive) }
        // The time of the last event, at which the screen is restored.
        request.start = .beforeEnd(RecordingTime(microseconds: 1))
        let (isFirst, hasBegun) = (Monitor(false), Monitor(false))
        try await withWatch({ () async throws(VTError) in
            try await lock.withLock { () async throws(VTError) in
                isFirst.update { $0 = true }
                try await hasBegun.wait { $0 ? () : nil }
            }
        }) { [request] () async throws(VTError) in
            try await isFirst.wait { $0 ? () : nil }
            try await follow(request) { item throws(VTError) in
                if !hasBegun.withLock(\.self) { hasBegun.update { $0 = true } }
                try await receive(item)
            }
        }
    }

    private func follow(
        _ request: RecordRequest,
        _ receive: @escaping @Sendable (RecordingItem) async throws(VTError) -> Void
    ) async throws(VTError) {
        let last = Mutex((time: RecordingTime.start, hasExited: false))
        let sink = RecordingSink(itemLimit: 1) { items async throws(VTError) in
            for item in items {
                if case .event(let event) = item {
                    last.withLock { last in
                        last.time = event.time
                        if case .exit = event.content { last.hasExited = true }
                    }
                }
                try await receive(item)
            }
        }
        do throws(VTError) {
            try await client.call(request, on: id, sink: sink)
            try await sink.finish()
        } catch {
            guard error.code.isNegative || error.code == .notFound else { throw error }
        }
        let (time, hasExited) = last.withLock(\.self)
        if !hasExited { try await receive(.event(RecordingEvent(time: time, .exit(-1)))) }
    }
}

extension RecordingHeader {
    /// The header of upstream's servers, an asciicast header of version 2.
    ///
    /// Includes the command and, with `withTerminal`, the type of the terminal.
    func vibeTunnelDocument(of session: Session, withTerminal: Bool) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("version", 2)
            writer.member("width", size.columns)
            writer.member("height", size.rows)
            writer.member("timestamp", timestamp)
            writer.member("command", session.command.joined(separator: " "))
            guard withTerminal else { return }
            writer.object("env") { $0.member("TERM", session.terminalType) }
        }
    }
}
