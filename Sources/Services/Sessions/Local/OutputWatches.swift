import Core
import Runtime
import Synchronization

/// Watches the output for several conditions: lines, prompts, and silence.
final class ConditionWatch: OutputReceiver {
    let lines: LineWatch?
    let prompts: PromptWatch?
    private let state = Mutex((isBusy: false, last: ContinuousClock.now, end: UInt64(0)))

    init(lines: LineWatch?, prompts: PromptWatch?) {
        self.lines = lines
        self.prompts = prompts
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
        return wantsLines && wantsPrompts
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await lines?.gap(from: start, to: end)
        state.withLock { $0 = (false, .now, end) }
    }

    func resized(to size: TerminalSize) async throws(VTError) {
        try await lines?.resized(to: size)
    }

    var wantsMarks: Bool { prompts != nil }

    func mark(_ mark: ShellMark) async throws(VTError) -> Bool { prompts?.mark(mark) ?? true }
}

/// Searches rendered output for the first match.
///
/// The search runs on a separate thread, so that the wait can time out even if the expression is slow.
final class LineWatch: Sendable {
    private let state: Mutex<(matcher: LineMatcher, found: LineMatcher.Match?)>
    /// Used to determine whether more output is already available.
    private let log: any SessionLog

    init(_ matcher: LineMatcher, log: any SessionLog) {
        state = Mutex((matcher, nil))
        self.log = log
    }

    var found: LineMatcher.Match? { state.withLock { $0.found } }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        let isLast = try log.endOffset() <= offset + UInt64(bytes.count)
        return try await onAbandonableThread {
            self.state.withLock { state in
                state.found = state.found ?? state.matcher.match(bytes, at: offset, isLast: isLast)
                return state.found == nil
            }
        }
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await onAbandonableThread {
            self.state.withLock { state in state.found = state.found ?? state.matcher.end() }
        }
    }

    func resized(to size: TerminalSize) async throws(VTError) {
        try await onAbandonableThread { self.state.withLock { $0.matcher.resize(to: size) } }
    }
}

/// Searches for the first prompt.
final class PromptWatch: Sendable {
    private let state: Mutex<(marks: PromptScanner, last: ContinuousClock.Instant)>
    private let start: UInt64
    /// Whether no output precedes what has been scanned.
    let hasSeenAll: Bool
    /// The prompt that was shown when the watch began.
    let shown: PromptScanner.Prompt?
    /// The end of the first prompt that the shell's hook has reported since then.
    private let reportedEnd = Mutex<UInt64?>(nil)

    /// `marks` has scanned the output before `start`.
    init(_ marks: PromptScanner, from start: UInt64, hasSeenAll: Bool, shown: PromptScanner.Prompt? = nil) {
        state = Mutex((marks, .now))
        self.start = start
        self.hasSeenAll = hasSeenAll
        self.shown = shown
    }

    var first: PromptScanner.Prompt? {
        shown ?? state.withLock { $0.marks.first } ?? reported.map { PromptScanner.Prompt(offset: $0) }
    }

    var reported: UInt64? { reportedEnd.withLock { $0 } }

    /// Returns false once a prompt has been reported.
    func mark(_ mark: ShellMark) -> Bool {
        guard mark.kind == .input, mark.offset > start else { return true }
        reportedEnd.withLock { $0 = $0 ?? mark.offset }
        return false
    }

    /// A prompt that has not been marked as complete.
    var begun: PromptScanner.Prompt? { state.withLock { $0.marks.begun } }

    /// Whether no marks have been found so far.
    var isSilent: Bool { state.withLock { $0.marks.isSilent } }

    /// The time since the last output.
    var silence: Duration { ContinuousClock.now - state.withLock { $0.last } }

    /// Returns false once a prompt has been found in the output so far.
    func output(_ bytes: [UInt8], at offset: UInt64) -> Bool {
        let end = offset + UInt64(bytes.count)
        if end > start {
            let known = Int(clamping: start - min(offset, start))
            state.withLock { state in
                state.marks.scan(Array(bytes.dropFirst(known)), at: max(offset, start))
                state.last = .now
            }
        }
        return first.map { $0.offset > end } ?? true
    }
}
