import Core
import Runtime
import Synchronization

/// Tracks when output arrives and where it ends, without examining it.
final class OutputWatch: OutputReceiver {
    private let state = Mutex((last: ContinuousClock.now, end: UInt64(0)))

    /// The time since the last output.
    var silence: Duration { ContinuousClock.now - state.withLock { $0.last } }

    /// The current end of the output.
    var end: UInt64 { state.withLock { $0.end } }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        state.withLock { $0 = (ContinuousClock.now, offset + UInt64(bytes.count)) }
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        state.withLock { $0 = (ContinuousClock.now, end) }
    }
}

/// Searches rendered output for the first match.
///
/// The search runs on a separate thread, so that the wait can time out even if the expression is slow.
final class LineWatch: OutputReceiver {
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
final class PromptWatch: OutputReceiver {
    private let state: Mutex<(marks: PromptScanner, last: ContinuousClock.Instant)>
    /// The offset after which a prompt that the shell's hook reports counts; nil if a present prompt counts.
    private let start: UInt64?
    private let shown = Mutex<UInt64?>(nil)

    init(_ marks: PromptScanner, after start: UInt64?) {
        state = Mutex((marks, .now))
        self.start = start
    }

    /// The end of the first prompt that the shell's hook has reported.
    var reported: UInt64? { shown.withLock { $0 } }

    var wantsMarks: Bool { true }

    func mark(_ mark: ShellMark) async throws(VTError) -> Bool {
        guard mark.kind == .input, start.map({ mark.offset > $0 }) ?? true else { return true }
        shown.withLock { $0 = $0 ?? mark.offset }
        return false
    }

    var first: PromptScanner.Prompt? { state.withLock { $0.marks.first } }

    /// A prompt that has not been marked as complete.
    var begun: PromptScanner.Prompt? { state.withLock { $0.marks.begun } }

    /// Whether no marks have been found so far.
    var isSilent: Bool { state.withLock { $0.marks.isSilent } }

    /// The time since the last output.
    var silence: Duration { ContinuousClock.now - state.withLock { $0.last } }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        state.withLock { state in
            state.marks.scan(bytes, at: offset)
            state.last = .now
            return state.marks.first == nil
        }
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {}
}
