import Core
import Runtime
import Synchronization

/// Watches the output for several conditions: lines, prompts, the screen, and silence.
final class ConditionWatch: OutputReceiver {
    let lines: LineWatch?
    let prompts: PromptWatch?
    let screen: ScreenConditionWatch?
    /// Whether a match or a prompt counts only when the screen has settled, so that output is needed after it.
    private let settles: Bool
    private let state = Mutex((isBusy: false, last: ContinuousClock.now, end: UInt64(0)))

    init(lines: LineWatch?, prompts: PromptWatch?, screen: ScreenConditionWatch?, settles: Bool) {
        self.lines = lines
        self.prompts = prompts
        self.screen = screen
        self.settles = settles
    }

    /// The time since the last output; zero while output is being examined.
    var silence: Duration { state.withLock { $0.isBusy ? .zero : ContinuousClock.now - $0.last } }

    /// The current end of the output.
    var end: UInt64 { state.withLock { $0.end } }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        state.withLock { $0.isBusy = true }
        let wantsLines = try await lines?.output(bytes, at: offset) ?? true
        let wantsPrompts = prompts?.output(bytes, at: offset) ?? true
        state.withLock { $0 = (false, .now, offset + UInt64(bytes.count)) }
        screen?.output(bytes, at: offset)
        return continues(wantsLines, wantsPrompts)
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await lines?.gap(from: start, to: end)
        state.withLock { $0 = (false, .now, end) }
        try await screen?.skip()
    }

    func resized(to size: TerminalSize) async throws(VTError) {
        try await lines?.resized(to: size)
        screen?.resize(to: size)
    }

    private func continues(_ wantsLines: Bool, _ wantsPrompts: Bool) -> Bool {
        guard settles else { return wantsLines && wantsPrompts }
        screen?.touch()
        return !(lines?.hasFailed ?? false)
    }

    var wantsMarks: Bool { prompts != nil || lines?.filtersEcho ?? false }

    func begin(after mark: ShellMark) async throws(VTError) {
        try await lines?.begin(after: mark)
    }

    func mark(_ mark: ShellMark) async throws(VTError) -> Bool {
        let wantsLines = try await lines?.mark(mark) ?? true
        let wantsPrompts = prompts?.mark(mark) ?? true
        return continues(wantsLines, wantsPrompts)
    }
}

/// Searches rendered output for the first match, except the echo of input.
///
/// The search runs on a separate thread, so that the wait can time out even if the expression is slow.
final class LineWatch: Sendable {
    private struct State {
        var matcher: LineMatcher
        var echo: EchoFilter?
        var found: LineMatcher.Match?

        /// Examines output that is not echo; `isLast` means that no more is available for now.
        mutating func search(_ pieces: [EchoFilter.Piece], isLast: Bool) {
            for (index, piece) in pieces.enumerated() where found == nil {
                // Output on either side of an echo is not one line.
                if matcher.position != piece.offset { found = matcher.end() }
                let isLast = isLast && index == pieces.count - 1
                found = found ?? matcher.match(piece.bytes, at: piece.offset, isLast: isLast)
            }
        }
    }

    private let state: Mutex<State>
    /// The number of expressions that mean a failure, which are the first ones.
    private let failureCount: Int
    /// Used to determine whether more output is already available.
    private let log: any SessionLog

    init(_ matcher: LineMatcher, failureCount: Int, echo: EchoFilter?, log: any SessionLog) {
        state = Mutex(State(matcher: matcher, echo: echo))
        self.failureCount = failureCount
        self.log = log
    }

    var found: LineMatcher.Match? { state.withLock { $0.found } }

    /// Whether an expression that means a failure has matched.
    var hasFailed: Bool { found.map { $0.pattern < failureCount } ?? false }

    var echo: EchoFilter? { state.withLock { $0.echo } }

    var filtersEcho: Bool { echo != nil }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        let isLast = try log.endOffset() <= offset + UInt64(bytes.count)
        return try await examine { state in
            state.search(state.echo?.pass(bytes, at: offset, isLast: isLast) ?? [(offset, bytes)], isLast: isLast)
        }
    }

    /// Searches the output that is held back because it may become an echo; returns false once a match has been found.
    func releaseHeldOutput() async throws(VTError) -> Bool {
        try await examine { state in state.search(state.echo?.release() ?? [], isLast: true) }
    }

    func begin(after mark: ShellMark) async throws(VTError) {
        _ = try await examine { $0.echo?.begin(after: mark) }
    }

    func mark(_ mark: ShellMark) async throws(VTError) -> Bool {
        try await examine { state in state.search(state.echo?.apply(mark) ?? [], isLast: true) }
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        _ = try await examine { state in state.found = state.found ?? state.matcher.end() }
    }

    func resized(to size: TerminalSize) async throws(VTError) {
        _ = try await examine { $0.matcher.resize(to: size) }
    }

    /// Returns false once a match has been found.
    private func examine(_ body: @escaping @Sendable (inout State) -> Void) async throws(VTError) -> Bool {
        try await onAbandonableThread {
            self.state.withLock { state in
                body(&state)
                return state.found == nil
            }
        }
    }
}

/// Searches for the first prompt.
final class PromptWatch: Sendable {
    private let state: Monitor<(marks: PromptScanner, last: ContinuousClock.Instant)>
    private let start: UInt64
    /// Whether no output precedes what has been scanned.
    let hasSeenAll: Bool
    /// Whether the session's shell has a hook, so that marks in the output are not those of its prompt.
    let hasHook: Bool
    /// The prompt that was shown when the watch began.
    let shown: PromptScanner.Prompt?
    /// Whether only a prompt counts at which a program is waiting for input now, even if it was shown before the start.
    private let isCurrent: Bool
    private let isConfirmed = Mutex(false)
    /// The first prompt that the shell's hook has reported since then, and the status of the command before it.
    private let reports = Mutex<(prompt: PromptScanner.Prompt?, commandStatus: Int?)>((nil, nil))

    /// `marks` has scanned the output before `start`.
    init(
        _ marks: PromptScanner,
        from start: UInt64,
        hasSeenAll: Bool,
        hasHook: Bool,
        shown: PromptScanner.Prompt? = nil,
        isCurrent: Bool
    ) {
        state = Monitor((marks, .now))
        self.start = start
        self.hasSeenAll = hasSeenAll
        self.hasHook = hasHook
        self.shown = shown
        self.isCurrent = isCurrent
    }

    var first: PromptScanner.Prompt? {
        shown ?? (hasHook || isCurrent ? nil : state.withLock { $0.marks.first }) ?? reported
    }

    /// Whether a marked prompt has been found to be one.
    var isShown: Bool {
        get { isConfirmed.withLock { $0 } }
        set { isConfirmed.withLock { $0 = newValue } }
    }

    var reported: PromptScanner.Prompt? { reports.withLock { $0.prompt } }

    /// Returns false once a prompt has been reported.
    func mark(_ mark: ShellMark) -> Bool {
        reports.withLock { reports in
            switch mark.kind {
            case .end(let status): reports.commandStatus = Int(status)
            case .input where mark.offset > start || isCurrent:
                let new = PromptScanner.Prompt(offset: mark.offset, commandStatus: reports.commandStatus)
                reports.prompt = reports.prompt ?? new
            case .prompt, .input, .continuation, .command, .replaced, .unknown: break
            }
            return reports.prompt == nil
        }
    }

    /// The prompt that was marked last in the output, unless a command has started since.
    var marked: PromptScanner.Prompt? { state.withLock { $0.marks.current ?? $0.marks.begun } }

    /// Whether that prompt is complete.
    var isComplete: Bool { state.withLock { $0.marks.current != nil } }

    /// Suspends until there is such a prompt.
    func waitForMark() async throws(VTError) {
        try await state.wait { $0.marks.current == nil && $0.marks.begun == nil ? nil : () }
    }

    /// Whether no marks have been found so far.
    var isSilent: Bool { state.withLock { $0.marks.isSilent } }

    /// The time since the last output.
    var silence: Duration { ContinuousClock.now - state.withLock { $0.last } }

    /// Returns false once a prompt has been found in the output so far.
    func output(_ bytes: [UInt8], at offset: UInt64) -> Bool {
        let end = offset + UInt64(bytes.count)
        if end > start {
            state.update { state in
                state.marks.scan(Array(bytes.new(at: offset, after: start)), at: max(offset, start))
                state.last = .now
            }
        }
        return first.map { $0.offset > end } ?? true
    }
}
