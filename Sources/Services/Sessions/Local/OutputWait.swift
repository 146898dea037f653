import Core
import Runtime

/// Waits for the first of several conditions in one session.
struct OutputWait: Sendable {
    let sessions: LocalSessions
    let session: Session
    let log: any SessionLog
    let request: WaitRequest
    /// The input whose echo does not count: that of the request, or the last input if the wait starts there.
    let sent: [UInt8]?
    let start: UInt64
    /// The end of the output when the wait began, if it does not start at a requested offset; a prompt that is already
    /// shown then counts.
    let now: UInt64?
    private let began = ContinuousClock.now

    var conditions: [WaitCondition] { request.conditions }

    /// Calls `onWatch` with what will have examined the output, also if no condition is met.
    func outcome(_ onWatch: (ConditionWatch) -> Void) async throws(VTError) -> WaitOutcome {
        let shell = waitsForPrompt || sent != nil ? try await currentShell() : nil
        let watch = ConditionWatch(
            lines: try lineWatch(shell),
            prompts: try promptWatch(shell),
            screen: try await screenWatch(),
            settles: request.settle != nil
        )
        onWatch(watch)
        var outcome = try await outcome(watch)
        outcome.output = output(watch, to: outcome.offset, isPrompt: outcome.condition == .prompt)
        return outcome
    }

    /// The output before an offset and after the echo of the input, if input was sent at the start; without the prompt
    /// that ends it.
    private func output(_ watch: ConditionWatch, to end: UInt64, isPrompt: Bool) -> Range<UInt64>? {
        guard request.sent != nil, let echo = watch.lines?.echo else { return nil }
        return echo.outputStart..<max(echo.outputStart, isPrompt ? echo.commandEnd ?? end : end)
    }

    /// The output after the echo of the input that came before the wait failed.
    func output(_ watch: ConditionWatch) throws(VTError) -> Range<UInt64>? {
        output(watch, to: try log.endOffset(), isPrompt: waitsForPrompt)
    }

    private func outcome(_ watch: ConditionWatch) async throws(VTError) -> WaitOutcome {
        let settles = request.settle != nil
        if !settles, let prompt = watch.prompts?.shown, prompt.offset <= start { return outcome(at: prompt) }
        switch try await firstEvent(watch) {
        case .stopped: return try await found(by: watch)
        case .shown(let view): return outcome(session, view)
        case .idle: return outcome(session, .idle, offset: max(start, watch.end))
        case .ended(let session): return try await outcome(of: session, watch)
        }
    }

    // MARK: - Expressions and prompts

    /// The expressions; those that mean a failure come first, and prevail if two matches end at the same offset.
    private var expressions: [(pattern: LinePattern, text: String, isFailure: Bool)] {
        let all = conditions.compactMap { condition -> (pattern: LinePattern, text: String, isFailure: Bool)? in
            guard case .match(let pattern, let text, let isFailure) = condition else { return nil }
            return (pattern, text, isFailure)
        }
        return all.filter(\.isFailure) + all.filter { !$0.isFailure }
    }

    private func lineWatch(_ shell: ShellStatus?) throws(VTError) -> LineWatch? {
        let patterns = expressions.map(\.pattern)
        guard !patterns.isEmpty || sent != nil else { return nil }
        let echo = try sent.map { sent throws(VTError) in try echoFilter(sent, shell) }
        let failureCount = expressions.count(where: \.isFailure)
        return LineWatch(
            LineMatcher(patterns, size: session.size),
            failureCount: failureCount,
            echo: echo,
            log: log
        )
    }

    private func echoFilter(_ sent: [UInt8], _ shell: ShellStatus?) throws(VTError) -> EchoFilter {
        let count = min(start, Self.pastBytes)
        // What an editor shows for an unfinished line, such as completions, can be what the caller waits for.
        let excludesEditor = request.sent != nil || !SentInput.lines(of: sent).isOpen
        return EchoFilter(
            sent,
            after: try log.read(from: start - count, limit: Int(count)),
            at: start,
            size: session.size,
            // Other shells report only the lines of 'vt sessions exec'.
            reportsCommands: excludesEditor && shell.map { $0.kind != "sh" } ?? false
        )
    }

    /// The amount of output from which the position of the cursor is determined.
    private static let pastBytes: UInt64 = 16 << 10

    private var waitsForPrompt: Bool { conditions.contains { $0.kind == .prompt } }

    private func promptWatch(_ shell: ShellStatus?) throws(VTError) -> PromptWatch? {
        guard waitsForPrompt else { return nil }
        let begin = now ?? start
        let isCurrent = now != nil && session.state.isLive || request.sent != nil
        // The hook of a new shell reports its first prompt; what is not the answer to input may have no hook.
        if let shell, shell.promptOffset != nil || request.sent != nil {
            return PromptWatch(
                PromptScanner(from: begin),
                from: begin,
                hasSeenAll: false,
                hasHook: true,
                shown: now != nil && shell.state == .prompt ? shell.lastPrompt : nil,
                isCurrent: isCurrent
            )
        }
        let countsShown = isCurrent && request.sent == nil
        let marks = countsShown ? try PromptScanner.atEnd(of: log, end: begin) : PromptScanner(from: begin)
        let before = countsShown || start == 0 ? nil : try PromptScanner.atEnd(of: log, end: start)
        let hasSeenAll = try log.firstOffset() == 0 && before?.isSilent ?? true
        return PromptWatch(marks, from: begin, hasSeenAll: hasSeenAll, hasHook: false, isCurrent: isCurrent)
    }

    /// The state of the session's shell, if it has a hook.
    func currentShell() async throws(VTError) -> ShellStatus? {
        let isCurrent = session.shell == nil || !session.state.isLive
        return isCurrent ? session.shell : try await sessions.session(session.id.text).shell
    }

    /// The match or the prompt that came first.
    private func found(by watch: ConditionWatch) async throws(VTError) -> WaitOutcome {
        let prompt = watch.prompts?.first ?? watch.prompts?.marked
        guard let match = watch.lines?.found, match.offset <= prompt?.offset ?? .max else {
            if let prompt {
                var outcome = outcome(at: prompt)
                if prompt == watch.prompts?.reported, prompt.commandStatus == nil {
                    outcome.commandExit = try await currentShell()?.lastPrompt?.commandStatus
                }
                return outcome
            }
            throw VTError(.internal, "a wait ended without a reason")
        }
        let expression = expressions[match.pattern]
        var outcome = outcome(session, expression.isFailure ? .failMatch : .match, offset: match.offset)
        outcome.expression = expression.text
        (outcome.match, outcome.line, outcome.row) = (match.text, match.line, match.row)
        return outcome
    }

    private func outcome(at prompt: PromptScanner.Prompt) -> WaitOutcome {
        var outcome = outcome(session, .prompt, offset: prompt.offset)
        outcome.commandExit = prompt.commandStatus
        return outcome
    }

    func outcome(_ session: Session, _ condition: WaitCondition.Kind, offset: UInt64) -> WaitOutcome {
        WaitOutcome(session, condition, offset: offset, elapsed: ContinuousClock.now - began)
    }

    // MARK: - The end of the session

    /// The result after the end of the session, if that or a silence was a condition.
    private func outcome(of end: Session, _ watch: ConditionWatch) async throws(VTError) -> WaitOutcome {
        // Nothing follows, so that the screen has settled.
        if watch.lines?.found != nil { return try await found(by: watch) }
        watch.screen?.finish()
        if let view = try await watch.screen?.examine(), request.isTogether ? view.meetsAll : !view.found.isEmpty {
            return outcome(end, view)
        }
        // A prompt that has started is complete, because nothing follows.
        if let prompts = watch.prompts, !prompts.hasHook, prompts.marked?.offset ?? 0 > now ?? start {
            return try await found(by: watch)
        }
        let kinds = conditions.map(\.kind)
        if kinds.contains(.exit) {
            guard end.exit != nil else { throw Self.unknownEnd(of: end) }
            return outcome(end, .exit, offset: end.outputBytes)
        }
        if kinds.contains(.idle) {
            guard end.state != .lost else { throw Self.unknownEnd(of: end) }
            return outcome(end, .idle, offset: end.outputBytes)
        }
        var failures = expressions.filter { !$0.isFailure }.map { "nothing matched '\($0.text)'" }
        let reason: VTError.SessionEnd.Reason = failures.isEmpty ? .ended : .noMatch
        if waitsForPrompt { failures.append("no prompt was shown") }
        failures += conditions.compactMap(\.screenFailure)
        throw ended(end, reason, failures.joined(separator: ", and "))
    }

    private func ended(_ session: Session, _ reason: VTError.SessionEnd.Reason, _ what: String) -> VTError {
        // A gap in the log only explains the error.
        let missing = (try? sessions.missingOutput(of: session, in: log)) ?? nil
        let status = session.exit.map { " (\($0.phrase))" } ?? ""
        var error = VTError(
            reason == .noMatch ? .negative : .ended,
            "'\(session.name)' \(session.state == .lost ? "was lost" : "ended\(status)") and \(what)",
            hint: conditions.contains { $0.screenText != nil }
                ? "to see the screen, use 'vt sessions screen \(session.name)'"
                : "to see the output, use 'vt sessions logs \(session.name) --plain --from \(start)'",
            causes: missing.map { ["output from offset \($0.lowerBound) to \($0.upperBound) was not logged"] } ?? []
        )
        error.sessionEnd = .init(session.state == .lost ? .lost : reason, exit: session.exit)
        return error
    }

    private static func unknownEnd(of session: Session) -> VTError {
        let message =
            switch session.state {
            case .failed: session.endText()
            case .unreadable: "\(session.endText()): \(Session.unknownStatus)"
            case .starting, .running, .frozen, .paused, .exited, .lost: session.lostText()
            }
        var error = VTError(.ended, message, hint: session.detailsHint())
        error.sessionEnd = .init(.lost, exit: nil)
        return error
    }

    // MARK: - Events

    private enum Event: Sendable {
        /// A match or a prompt has been found.
        case stopped
        /// Conditions on the screen are met.
        case shown(ScreenConditionWatch.View)
        case idle
        /// The session has ended.
        case ended(Session)
    }

    /// Follows the output until the watch has found something, the session has ended, or time decides.
    private func firstEvent(_ watch: ConditionWatch) async throws(VTError) -> Event {
        let timed = request.isTogether ? [] : conditions.filter { [.idle, .prompt].contains($0.kind) }
        return try await firstResult { tasks in
            for condition in [nil] + timed {
                tasks.add { () async throws(VTError) in try await event(condition, watch) }
            }
            if let screen = watch.screen {
                tasks.add { () async throws(VTError) in
                    try await waitUntilSettled(screen, watch).map { .shown($0) } ?? .stopped
                }
            }
            if let lines = watch.lines, lines.filtersEcho {
                tasks.add { () async throws(VTError) in
                    try await findHeldMatch(lines, watch)
                    try await settle(watch)
                    return .stopped
                }
            }
        }
    }

    /// The event that follows from the output or, with a condition, from the time that has passed since the last output.
    private func event(_ condition: WaitCondition?, _ watch: ConditionWatch) async throws(VTError) -> Event {
        if case .idle(let duration) = condition {
            try await waitUntilIdle(for: duration, watch)
            return .idle
        }
        guard condition != nil, let prompts = watch.prompts else { return try await follow(watch) }
        try await waitUntilShown(prompts)
        prompts.isShown = true
        try await settle(watch)
        return .stopped
    }

    private func follow(_ watch: ConditionWatch) async throws(VTError) -> Event {
        var follower = OutputFollower(
            sessions,
            session: session,
            log: log,
            from: start,
            isLossless: watch.lines != nil || watch.prompts != nil || watch.screen != nil,
            // A prompt that was shown before now must not look like a new one.
            hasPastMarks: (now == nil || watch.prompts == nil) && watch.wantsMarks,
            receiver: watch
        )
        return try await follower.follow().map { .ended($0) } ?? .stopped
    }

    /// Output that may become the echo of input is output after this pause.
    private static let echoPause = Duration.seconds(1)

    private func findHeldMatch(_ lines: LineWatch, _ watch: ConditionWatch) async throws(VTError) {
        while true {
            try await sessions.clock.pause(for: Self.echoPause)
            if watch.silence >= Self.echoPause, try await !lines.releaseHeldOutput() { return }
        }
    }

    private func waitUntilIdle(for duration: Duration, _ watch: ConditionWatch) async throws(VTError) {
        // Output that exists already must be examined first, however long that takes.
        let existing = try log.endOffset()
        func remaining() -> Duration? {
            let rest = duration - watch.silence
            return rest > .zero ? rest : max(start, watch.end) < existing ? max(duration, .milliseconds(1)) : nil
        }
        repeat {
            while let rest = remaining() { try await sessions.clock.pause(for: rest) }
            // A session whose holder is stopped is silent, but not idle.
            try await sessions.checkHolder(of: session)
        } while watch.silence < duration
    }

    /// A prompt that has started counts as complete after this pause, because some shells do not mark its end.
    private static let promptPause = Duration.milliseconds(250)
    /// A prompt that is not that of the session's shell, but possibly of one that was started in it, counts after this
    /// pause, because a program can print any marks.
    private static let foreignPromptPause = Duration.seconds(1)
    /// The pauses between two looks at what waits for input; each is twice as long as the one before.
    private static let lookPauses = Duration.milliseconds(1)...Duration.milliseconds(200)

    private func waitUntilShown(_ prompts: PromptWatch) async throws(VTError) {
        // With other conditions, the wait can end without a prompt.
        let failsUnmarked = prompts.hasSeenAll && conditions.allSatisfy { [.prompt, .failMatch].contains($0.kind) }
        var pause = Self.lookPauses.lowerBound
        while true {
            while failsUnmarked, prompts.isSilent {
                if prompts.silence >= sessions.unmarkedPause { throw neverMarked }
                try await sessions.clock.pause(for: Self.lookPauses.upperBound / 4)
            }
            try await prompts.waitForMark()
            let silence = prompts.hasHook ? Self.foreignPromptPause : prompts.isComplete ? .zero : Self.promptPause
            if prompts.silence < silence {
                try await sessions.clock.pause(for: silence - prompts.silence)
            } else {
                if try await isPrompt(of: prompts), prompts.marked != nil { return }
                try await sessions.clock.pause(for: pause)
                pause = min(pause * 2, Self.lookPauses.upperBound)
            }
        }
    }

    /// Whether a program is waiting for input, as at a prompt; if the session's shell has a hook, the program is not that
    /// shell.
    private func isPrompt(of prompts: PromptWatch) async throws(VTError) -> Bool {
        let current = session.state.isLive ? try await sessions.session(session.id.text) : session
        if prompts.hasHook, current.shell?.state == .prompt { return false }
        return current.isReading ?? true
    }

    private var neverMarked: VTError {
        VTError(
            .negative,
            "'\(session.name)' has never marked a prompt (OSC 133) and has been silent for "
                + sessions.unmarkedPause.shortText,
            hint: "see 'vt help sessions wait' for how to mark prompts, or wait with --match '[$#] $' or --idle 2s"
        )
    }
}

extension ShellStatus {
    /// The prompt that was shown last.
    fileprivate var lastPrompt: PromptScanner.Prompt? {
        promptOffset.map { PromptScanner.Prompt(offset: $0, commandStatus: lastExit.map { Int($0) }) }
    }
}
