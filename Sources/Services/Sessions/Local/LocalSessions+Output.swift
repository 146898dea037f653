import Core
import POSIX
import Synchronization

extension LocalSessions {
    package func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session {
        let session = try await startedSession(name)
        let log = try host.log(of: session.id)
        let end = try log.endOffset()
        let offset = try LogReader.offset(of: start, in: log, end: end)
        guard follows else {
            var reader = LogReader(log, from: offset)
            // Where the log stopped, what came after it is told as a gap.
            let last = session.logStoppedAt == nil ? end : max(end, session.outputBytes)
            _ = try await reader.read(to: last, receiver: receiver)
            return session
        }
        var follower = OutputFollower(self, session: session, log: log, from: offset, receiver: receiver)
        return try await follower.follow() ?? session
    }

    package func wait(
        for condition: WaitCondition,
        of name: String,
        from offset: UInt64?,
        timeout: Duration?
    ) async throws(VTError) -> WaitOutcome {
        guard let timeout else { return try await wait(for: condition, of: name, from: offset) }
        let late = condition.timedOut("'\(try host.session(name).name)'", after: timeout)
        return try await withTimeout(timeout, on: clock, throwing: late) { () async throws(VTError) in
            try await wait(for: condition, of: name, from: offset)
        }
    }

    private func wait(
        for condition: WaitCondition,
        of name: String,
        from offset: UInt64?
    ) async throws(VTError) -> WaitOutcome {
        let session = try await startedSession(name)
        let log = try host.log(of: session.id)
        let start: UInt64
        if let offset {
            start = offset
        } else if case .match = condition {
            // What a command that was sent has answered may be there already. Its holder knows what was sent last.
            start = try await sentOffset(of: session)
        } else {
            start = try log.endOffset()
        }
        let wait = OutputWait(self, session: session, log: log, from: start, isFromNow: offset == nil)
        return try await wait.outcome(of: condition)
    }
}

extension LocalSessions {
    /// The session, once there is output of it to be had.
    private func startedSession(_ name: String) async throws(VTError) -> Session {
        try await host.started(try host.session(name), clock: clock)
    }

    /// How long a holder may take to say what was sent last.
    private static let answerPatience = Duration.seconds(2)

    /// Where the output stood before what was sent last, or 0.
    private func sentOffset(of session: Session) async throws(VTError) -> UInt64 {
        guard session.state.isLive else { return session.sentOffset ?? 0 }
        let late = VTError(.busy, "the holder of '\(session.name)' did not answer")
        do throws(VTError) {
            return try await withHolder(of: session) { connection throws(VTError) in
                try await withTimeout(Self.answerPatience, on: clock, throwing: late) { () async throws(VTError) in
                    try await connection.status()
                }
            }.sentOffset ?? 0
        } catch {
            // One that does not even greet will not do so for the output either.
            guard error != .cancelled, error.code != .protocolViolation else { throw error }
            // It has just ended, or is busy; its record is written with everything that is sent.
            return try host.session(session.id.text).sentOffset ?? 0
        }
    }
}

extension WaitCondition {
    /// What has not happened in time.
    func timedOut(_ session: String, after timeout: Duration) -> VTError {
        let failure =
            switch self {
            case .exit: "it did not end"
            case .match(_, let text, _): "nothing matched '\(text)'"
            case .prompt: "no prompt was shown"
            case .idle(let duration): "its output did not pause for \(duration.shortText)"
            }
        return VTError(.timedOut, "\(session): \(failure) within \(timeout.shortText)", hint: hint)
    }

    private var hint: String? {
        if case .prompt = self { "vt help sessions wait" } else { nil }
    }
}
