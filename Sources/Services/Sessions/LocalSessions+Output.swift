import Core
import Synchronization

extension LocalSessions {
    package func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> SessionRecord {
        let session = try host.session(name)
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
        let session = try host.session(name)
        let log = try host.log(of: session.id)
        let start: UInt64
        if let offset { start = offset } else { start = try log.endOffset() }
        let wait = OutputWait(self, session: session, log: log, from: start, isFromNow: offset == nil)
        guard let timeout else { return try await wait.outcome(of: condition) }
        let late = condition.timedOut("'\(session.name)'", after: timeout)
        return try await withTimeout(timeout, on: clock, throwing: late) { () async throws(VTError) in
            try await wait.outcome(of: condition)
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
