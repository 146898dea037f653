import Core

/// Waits for one condition in one session.
struct OutputWait: Sendable {
    private let sessions: LocalSessions
    private let session: Session
    private let log: any SessionLog
    private let start: UInt64
    /// Whether the wait starts now, not at a requested offset; a prompt that is already shown then counts.
    private let isFromNow: Bool
    private let began = ContinuousClock.now

    init(_ sessions: LocalSessions, session: Session, log: any SessionLog, from start: UInt64, isFromNow: Bool) {
        self.sessions = sessions
        self.session = session
        self.log = log
        self.start = start
        self.isFromNow = isFromNow
    }

    func outcome(of condition: WaitCondition) async throws(VTError) -> WaitOutcome {
        switch condition {
        case .exit: try await exit()
        case .match(let pattern, let text): try await match(pattern, text)
        case .prompt: try await prompt()
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
        let search = LineWatch(LineMatcher(pattern, size: session.size), log: log)
        let end = try await follow(from: start, isLossless: true, receiver: search)
        guard let match = search.found else { throw ended(end ?? session, .noMatch, "nothing matched '\(text)'") }
        var outcome = outcome(session, offset: match.offset)
        (outcome.match, outcome.line, outcome.row) = (match.text, match.line, match.row)
        return outcome
    }

    /// A prompt that has started counts as complete after this pause, because some shells do not mark its end.
    private static let promptPause = Duration.milliseconds(250)

    private func prompt() async throws(VTError) -> WaitOutcome {
        var marks = PromptScanner(from: start)
        var hasSeenAll = start == 0
        if isFromNow, session.state.isLive {
            marks = try PromptScanner.atEnd(of: log, end: start)
            if let prompt = marks.current { return outcome(at: prompt) }
            marks.forgetFirst()
            hasSeenAll = try log.firstOffset() == 0
        }
        if let offset = try firstReportedPrompt() { return try await outcome(atReported: offset) }
        let watch = PromptWatch(marks, after: isFromNow ? nil : start)
        let unmarkedPause = hasSeenAll ? sessions.unmarkedPause : nil
        let end = try await follow(receiver: watch, isLossless: true) { () throws(VTError) in
            while watch.begun == nil || watch.silence < Self.promptPause {
                if let unmarkedPause, watch.isSilent, watch.silence >= unmarkedPause { throw neverMarked }
                try await sessions.pause(watch.begun == nil ? Self.promptPause : Self.promptPause - watch.silence)
            }
        }
        if let offset = watch.reported { return try await outcome(atReported: offset) }
        guard let prompt = watch.first ?? watch.begun else {
            throw ended(end ?? session, .ended, "no prompt was shown")
        }
        return outcome(at: prompt)
    }

    private var neverMarked: VTError {
        VTError(
            .negative,
            "'\(session.name)' has never marked a prompt (OSC 133) and has been silent for "
                + sessions.unmarkedPause.shortText,
            hint: "see 'vt help sessions wait' for how to mark prompts, or wait with --match '[$#] $' or --idle 2s"
        )
    }

    /// The end of the first prompt at or after the start that the shell's hook has reported so far.
    private func firstReportedPrompt() throws(VTError) -> UInt64? {
        guard !isFromNow, session.shell != nil else { return nil }
        var timeline = SessionTimeline()
        while let event = try timeline.next(in: log) {
            if case .shell(let mark) = event.kind, mark.kind == .input, mark.offset > start { return mark.offset }
        }
        return nil
    }

    private func outcome(atReported offset: UInt64) async throws(VTError) -> WaitOutcome {
        let latest = try await sessions.session(session.id.text)
        var outcome = outcome(latest, offset: offset)
        outcome.commandExit = latest.shell?.lastExit.map { Int($0) }
        return outcome
    }

    private func outcome(at prompt: PromptScanner.Prompt) -> WaitOutcome {
        var outcome = outcome(session, offset: prompt.offset)
        outcome.commandExit = prompt.commandStatus
        return outcome
    }

    /// Returns when there has been no output for this duration, or when no more can follow.
    private func idle(_ duration: Duration) async throws(VTError) -> WaitOutcome {
        let watch = OutputWatch()
        let ended = try await follow(receiver: watch, isLossless: false) { () throws(VTError) in
            repeat {
                while watch.silence < duration { try await sessions.pause(duration - watch.silence) }
                // A session whose holder is stopped is silent, but not idle.
                try await sessions.checkHolder(of: session)
            } while watch.silence < duration
        }
        if let ended, ended.state == .lost { throw Self.unknownEnd(of: ended) }
        return outcome(ended ?? session, offset: ended?.outputBytes ?? max(start, watch.end))
    }

    /// Follows the output until the receiver stops reading, the session ends, or `enough` returns.
    ///
    /// Returns the session in its final state, or nil if it has not ended.
    private func follow(
        receiver: any OutputReceiver,
        isLossless: Bool,
        until enough: @Sendable @escaping () async throws(VTError) -> Void
    ) async throws(VTError) -> Session? {
        let result = await withTaskGroup(of: Result<Session?, VTError>.self) { group in
            group.addTask {
                do throws(VTError) {
                    return .success(try await follow(from: start, isLossless: isLossless, receiver: receiver))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                do throws(VTError) {
                    try await enough()
                    return .success(nil)
                } catch {
                    return .failure(error)
                }
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        return try result.get()
    }

    private func follow(
        from offset: UInt64,
        isLossless: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session? {
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

    private func outcome(_ session: Session, offset: UInt64) -> WaitOutcome {
        WaitOutcome(session, offset: offset, elapsed: ContinuousClock.now - began)
    }

    private func ended(_ session: Session, _ reason: VTError.SessionEnd.Reason, _ what: String) -> VTError {
        // A gap in the log only explains the error.
        let missing = (try? sessions.missingOutput(of: session, in: log)) ?? nil
        let status = session.exit.map { " (\($0.phrase))" } ?? ""
        var error = VTError(
            .negative,
            "'\(session.name)' \(session.state == .lost ? "was lost" : "ended\(status)") and \(what)",
            hint: "to see the output, use 'vt sessions logs \(session.name) --plain --from \(start)'",
            causes: missing.map { ["output from offset \($0.lowerBound) to \($0.upperBound) was not logged"] } ?? []
        )
        error.sessionEnd = .init(session.state == .lost ? .lost : reason, exit: session.exit)
        return error
    }

    private static func unknownEnd(of session: Session) -> VTError {
        let message =
            switch session.state {
            case .failed: "'\(session.name)' could not be started"
            case .unreadable:
                "the record of '\(session.name)' cannot be read: the exit status of its program is unknown"
            case .starting, .running, .exited, .lost:
                "'\(session.name)' was lost: the exit status of its program is unknown"
            }
        var error = VTError(.negative, message, hint: session.detailsHint)
        error.sessionEnd = .init(.lost, exit: nil)
        return error
    }
}
