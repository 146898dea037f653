import Core
import Runtime
import Terminal

/// Conditions on what the screen shows, and matches and prompts that count when it has settled.
extension OutputWait {
    func screenWatch() async throws(VTError) -> ScreenConditionWatch? {
        guard request.settle != nil || conditions.contains(where: { $0.screenText != nil }) else { return nil }
        let (sessions, id, screen) = (sessions, session.id.text, ScreenRequest(scrollback: request.scrollback))
        return try await ScreenConditionWatch(request) { () async throws(VTError) in
            try await sessions.screen(of: id, screen)
        }
    }

    /// The shortest time between two examinations of the screen; a terminal rarely shows more frames.
    private static let frameInterval = Duration.milliseconds(5)

    /// Waits until a condition counts; returns the screen on which it is met, or nil for a match or a prompt.
    func waitUntilSettled(
        _ screen: ScreenConditionWatch,
        _ watch: ConditionWatch
    ) async throws(VTError) -> ScreenConditionWatch.View? {
        let clock = sessions.clock
        while true {
            let began = ContinuousClock.now
            let view = try await screen.examine()
            let rest = try await rest(view, watch)
            if rest == .zero { return view.found.isEmpty ? nil : view }
            // Slow examinations, as of many rows, take at most a fifth of the time.
            let next = began + max(Self.frameInterval, (ContinuousClock.now - began) * 5)
            let limits = [rest, view.updateLimit.map { $0 - ContinuousClock.now }].compactMap { $0 }
            if let limit = limits.min() {
                try await resultInTime(max(limit, .zero), on: clock) { () async throws(VTError) in
                    try await screen.changed()
                }
            } else {
                try await screen.changed()
            }
            try await clock.pause(for: max(next - ContinuousClock.now, .zero))
        }
    }

    /// The time that must pass without a change before a condition counts; nil if none is met.
    private func rest(
        _ view: ScreenConditionWatch.View,
        _ watch: ConditionWatch
    ) async throws(VTError) -> Duration? {
        guard request.isTogether ? view.meetsAll : !view.found.isEmpty || hasFound(watch) else { return nil }
        var rest = Duration.zero
        if let settle = request.settle {
            guard view.updateLimit == nil else { return nil }
            rest = max(rest, settle - (ContinuousClock.now - view.changed))
        }
        if request.isTogether, let idle = conditions.compactMap(\.idle).max() {
            // A session whose holder is stopped is silent, but not idle.
            if rest == .zero, watch.silence >= idle { try await sessions.checkHolder(of: session) }
            rest = max(rest, idle - watch.silence)
        }
        if rest == .zero, view.found.isEmpty, try await !isStillMet(watch) { return nil }
        return rest
    }

    /// Whether there is a match or a prompt, which counts only when the screen has settled.
    private func hasFound(_ watch: ConditionWatch) -> Bool {
        guard request.settle != nil else { return false }
        return watch.lines?.found != nil || watch.prompts.map { $0.isShown || $0.first != nil } ?? false
    }

    /// Whether there is a match, or the shell is still at the prompt that has been found.
    private func isStillMet(_ watch: ConditionWatch) async throws(VTError) -> Bool {
        if watch.lines?.found != nil || watch.prompts?.marked != nil { return true }
        guard watch.prompts?.hasHook ?? false else { return false }
        return try await currentShell()?.state == .prompt
    }

    /// Leaves it to the task that waits for the screen to end the wait, if it must settle.
    func settle(_ watch: ConditionWatch) async throws(VTError) {
        guard request.settle != nil, let screen = watch.screen else { return }
        screen.touch()
        try await Monitor(()).wait { _ -> Void? in nil }
    }

    func outcome(_ session: Session, _ view: ScreenConditionWatch.View) -> WaitOutcome {
        let isMixed = request.isTogether && conditions.count > 1
        let first = isMixed ? view.found.first { $0.place != nil } : view.found.first
        var outcome = outcome(session, isMixed ? .together : first?.condition.kind ?? .together, offset: view.end)
        outcome.expression = first?.condition.screenText?.text
        (outcome.text, outcome.line) = (first?.text, first?.line)
        (outcome.row, outcome.column, outcome.width) = (first?.place?.row, first?.place?.column, first?.place?.width)
        return outcome
    }
}

extension WaitCondition {
    fileprivate var idle: Duration? { if case .idle(let duration) = self { duration } else { nil } }

    /// Why a condition on the screen was not met; nil for others.
    var screenFailure: String? {
        switch self {
        case .screen(let text, isAbsent: false): "the screen did not show '\(text.text)'"
        case .screen(let text, isAbsent: true): "'\(text.text)' was still on the screen"
        case .title(let text): "the title did not contain '\(text.text)'"
        case .exit, .match, .prompt, .idle: nil
        }
    }
}
