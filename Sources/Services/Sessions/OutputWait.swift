import Core
import Synchronization

/// One wait for something of one session.
struct OutputWait: Sendable {
    private let sessions: LocalSessions
    private let session: SessionRecord
    private let log: any SessionLog
    private let start: UInt64
    private let began = ContinuousClock.now

    init(_ sessions: LocalSessions, session: SessionRecord, log: any SessionLog, from start: UInt64) {
        self.sessions = sessions
        self.session = session
        self.log = log
        self.start = start
    }

    func outcome(of condition: WaitCondition) async throws(VTError) -> WaitOutcome {
        switch condition {
        case .exit: try await exit()
        case .match(let pattern, let text): try await match(pattern, text)
        case .idle(let duration): try await idle(duration)
        }
    }

    private func exit() async throws(VTError) -> WaitOutcome {
        let watch = OutputWatch()
        let end = try await follow(from: start, isLossless: false, receiver: watch) ?? session
        guard end.exit != nil else { throw Self.unknownEnd(of: end) }
        return outcome(end, offset: end.outputBytes)
    }

    private func match(_ pattern: LinePattern, _ text: String) async throws(VTError) -> WaitOutcome {
        let search = MatchReceiver(LineMatcher(pattern))
        let end = try await follow(from: start, isLossless: true, receiver: search)
        guard let match = search.found else {
            let session = end ?? session
            throw VTError(
                .negative,
                "'\(session.name)' \(session.state == .lost ? "was lost" : "ended") and nothing matched '\(text)'",
                hint: "vt sessions logs \(session.name) --plain --from \(start)"
            )
        }
        return WaitOutcome(
            session,
            offset: match.offset,
            match: match.text,
            line: match.line,
            elapsed: ContinuousClock.now - began
        )
    }

    /// Ends when no output came for so long, or none can come any more.
    private func idle(_ duration: Duration) async throws(VTError) -> WaitOutcome {
        let watch = OutputWatch()
        let result = await withTaskGroup(of: Result<SessionRecord?, VTError>.self) { group in
            group.addTask {
                do throws(VTError) {
                    return .success(try await follow(from: start, isLossless: false, receiver: watch))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                do throws(VTError) {
                    while true {
                        let left = duration - watch.silence
                        guard left > .zero else { return .success(nil) }
                        try await sessions.pause(left)
                    }
                } catch {
                    return .failure(error)
                }
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        let ended = try result.get()
        return outcome(ended ?? session, offset: ended?.outputBytes ?? max(start, watch.end))
    }

    private func follow(
        from offset: UInt64,
        isLossless: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> SessionRecord? {
        var follower = OutputFollower(
            sessions,
            session: session,
            log: log,
            from: offset,
            isLossless: isLossless,
            receiver: receiver
        )
        return try await follower.follow()
    }

    private func outcome(_ session: SessionRecord, offset: UInt64) -> WaitOutcome {
        WaitOutcome(session, offset: offset, elapsed: ContinuousClock.now - began)
    }

    private static func unknownEnd(of session: SessionRecord) -> VTError {
        VTError(
            .negative,
            session.state == .failed
                ? "'\(session.name)' could not be started"
                : "'\(session.name)' was lost: how its program ended is unknown",
            hint: "vt sessions show \(session.name)"
        )
    }
}

/// Takes note of output without looking at it.
private final class OutputWatch: OutputReceiver {
    private let state = Mutex((last: ContinuousClock.now, end: UInt64(0)))

    /// For how long there has been no output.
    var silence: Duration { ContinuousClock.now - state.withLock { $0.last } }

    /// Where the output ended last.
    var end: UInt64 { state.withLock { $0.end } }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        state.withLock { $0 = (ContinuousClock.now, offset + UInt64(bytes.count)) }
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        state.withLock { $0 = (ContinuousClock.now, end) }
    }
}

/// Looks for the first match.
private final class MatchReceiver: OutputReceiver {
    private let state: Mutex<(matcher: LineMatcher, found: LineMatcher.Match?)>

    init(_ matcher: LineMatcher) {
        state = Mutex((matcher, nil))
    }

    var found: LineMatcher.Match? { state.withLock { $0.found } }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        state.withLock { state in
            state.found = state.matcher.match(bytes, at: offset)
            return state.found == nil
        }
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {}
}
