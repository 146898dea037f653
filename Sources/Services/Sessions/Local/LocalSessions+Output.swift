import Core
import Runtime
import Synchronization

extension LocalSessions {
    package func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session {
        var session = try await startedSession(name)
        // Once the log has stopped, only the holder knows the current end of the output.
        if session.state.isLive, session.logStoppedAt != nil { session = try await self.session(session.id.text) }
        let log = try log(of: session)
        let end = try log.endOffset()
        let offset = try LogReader.offset(of: start, in: log, end: end)
        // Output that is missing at the end is reported as a gap.
        let last = try missingOutput(of: session, in: log)?.upperBound ?? end
        try Self.check(offset, of: session, end: last)
        guard follows else {
            var reader = LogReader(log, from: offset)
            _ = try await reader.read(to: last, receiver: receiver)
            return session
        }
        var follower = OutputFollower(self, session: session, log: log, from: offset, receiver: receiver)
        return try await follower.follow() ?? session
    }

    /// Calls `onStart` with the offset at which the wait starts; passes output that the request includes to the receiver.
    package func wait(
        _ request: WaitRequest,
        of name: String,
        receiver: any OutputReceiver,
        onStart: @escaping @Sendable (UInt64) async throws(VTError) -> Void
    ) async throws(VTError) -> WaitOutcome {
        let late = try request.timeout.map { timeout throws(VTError) in
            request.timedOut("'\(try host.session(name).name)'", after: timeout)
        }
        var isLate = false
        // What has been watched, if the wait has begun.
        let watched = Mutex<(wait: OutputWait, watch: ConditionWatch)?>(nil)
        do throws(VTError) {
            guard let timeout = request.timeout, let late else {
                return try await outcome(of: request, name, receiver, onStart) { wait, watch in
                    watched.withLock { $0 = (wait, watch) }
                }
            }
            let found = try await resultInTime(timeout, on: clock) { () async throws(VTError) in
                try await outcome(of: request, name, receiver, onStart) { wait, watch in
                    watched.withLock { $0 = (wait, watch) }
                }
            }
            if let found { return found }
            isLate = true
            throw late
        } catch {
            // The failure of the wait is the error to report.
            if !error.isCancellation, request.includesOutput, let (wait, watch) = watched.withLock({ $0 }) {
                try? await pass(wait.output(watch), of: wait, to: receiver)
            }
            if isLate { try? await reportMissingOutput(of: name) }
            throw error
        }
    }

    private func outcome(
        of request: WaitRequest,
        _ name: String,
        _ receiver: any OutputReceiver,
        _ onStart: (UInt64) async throws(VTError) -> Void,
        _ onWatch: (OutputWait, ConditionWatch) -> Void
    ) async throws(VTError) -> WaitOutcome {
        let session = try await startedSession(name)
        let log = try log(of: session)
        let end = try log.endOffset()
        var start = end
        var last: SentInput?
        if let offset = request.start {
            start = offset
            // The holder of a running session checks the offset.
            if !session.state.isLive { try Self.check(offset, of: session, end: end) }
        } else if request.hasExpression {
            // The last input may have been a command that has already written its output, so start at that input.
            let input = try await sentInput(to: session)
            (last, start) = (input, input.offsets.upperBound)
        }
        try await onStart(start)
        if last == nil, request.hasExpression, request.sent == nil { last = try await sentInput(to: session) }
        let now = request.start == nil ? end : nil
        let wait = OutputWait(
            sessions: self,
            session: session,
            log: log,
            request: request,
            sent: request.sent ?? last?.text(from: start),
            start: start,
            now: now
        )
        let outcome = try await wait.outcome { onWatch(wait, $0) }
        if request.includesOutput { try await pass(outcome.output, of: wait, to: receiver) }
        return outcome
    }

    /// Passes a part of the output of the session that has been waited for.
    private func pass(
        _ output: Range<UInt64>?,
        of wait: OutputWait,
        to receiver: any OutputReceiver
    ) async throws(VTError) {
        guard let output else { return }
        try await receiver.resized(to: wait.session.size)
        var reader = LogReader(wait.log, from: output.lowerBound)
        _ = try await reader.read(to: output.upperBound, receiver: receiver)
    }
}

extension LocalSessions {
    /// The session, once it has started and may have output.
    func startedSession(_ name: String) async throws(VTError) -> Session {
        try await host.started(try host.session(name), clock: clock)
    }

    /// Reports the output that is missing because the log of a session has stopped, if it has.
    private func reportMissingOutput(of name: String) async throws(VTError) {
        guard try host.session(name).logStoppedAt != nil else { return }
        let session = try await session(name)
        try reportMissingOutput(of: session, in: try log(of: session))
    }

    /// - Throws: `data.invalid` when an offset is after the end of the output. For a lost session, the end is unknown.
    private static func check(_ offset: UInt64, of session: Session, end: UInt64) throws(VTError) {
        guard offset > end, session.state != .lost, offset > session.outputBytes || session.state.isLive else { return }
        throw VTError(.dataInvalid, "offset \(offset) is beyond the end of the output (\(end))")
    }

    /// How long a holder may take to report the last input.
    private static let replyTimeout = Duration.seconds(2)

    /// The last input from a command.
    private func sentInput(to session: Session) async throws(VTError) -> SentInput {
        guard session.state.isLive else { return SentInput(of: session) }
        let late = VTError(.busy, "the holder of '\(session.name)' did not answer")
        do throws(VTError) {
            return try await withHolder(of: session) { connection throws(VTError) in
                try await withTimeout(Self.replyTimeout, on: clock, throwing: late) { () async throws(VTError) in
                    try await connection.sentInput()
                }
            }
        } catch {
            // A holder that does not send hello will not send output either.
            guard !error.isCancellation, error.code != .protocolViolation else { throw error }
            // The session has just ended, or its holder is busy; the offset is also in the record.
            return SentInput(of: try host.session(session.id.text))
        }
    }

    // MARK: - Missing output

    /// The output that the log of a session lacks at its end, because the log could not be written or has been damaged.
    ///
    /// Nil if nothing is missing, and for a running session whose log is being written.
    func missingOutput(of session: Session, in log: any SessionLog) throws(VTError) -> Range<UInt64>? {
        guard session.logStoppedAt != nil || !session.state.isLive else { return nil }
        let end = try log.endOffset()
        return end < session.outputBytes ? end..<session.outputBytes : nil
    }

    /// Reports the output that the log lacks at its end, if any.
    func reportMissingOutput(of session: Session, in log: any SessionLog) throws(VTError) {
        guard let missing = try missingOutput(of: session, in: log) else { return }
        diagnostics.note(
            "output of '\(session.name)' from offset \(missing.lowerBound) to \(missing.upperBound) was not logged"
        )
    }
}

extension SentInput {
    /// The input as far as it is in the record of a session.
    init(of session: Session) {
        let offset = session.sentOffset ?? 0
        self.init(Array((session.sentText ?? "").utf8), at: offset...offset)
    }
}

extension WaitRequest {
    /// Whether a condition is an expression to match.
    var hasExpression: Bool { conditions.contains { if case .match = $0 { true } else { false } } }

    /// The error for a wait that timed out.
    func timedOut(_ session: String, after timeout: Duration) -> VTError {
        let failures = conditions.compactMap { condition -> String? in
            switch condition {
            case .exit: "the session did not end"
            case .match(_, _, isFailure: true): nil
            case .match(_, let text, _): "nothing matched '\(text)'"
            case .prompt: "no prompt was shown"
            case .idle(let duration): "the output did not pause for \(duration.shortText)"
            case .screen, .title: condition.screenFailure
            }
        }
        let isMixed = isTogether && conditions.count > 1
        let text = isMixed ? "the conditions were not met at the same time" : failures.joined(separator: ", and ")
        return VTError(.timedOut, "\(session): \(text) within \((statedTimeout ?? timeout).shortText)")
    }
}
