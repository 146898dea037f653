import Core
import Synchronization

/// A line on a terminal that shows the progress of a long operation.
final class ProgressLine: Sendable {
    private struct Message: Hashable {
        let text: String
        let failures: String?
        let style: OutputStyle
    }

    private struct State {
        /// The time of the first message.
        var beginning: ContinuousClock.Instant?
        var lastShown: ContinuousClock.Instant?
        /// The last message, which may not have been shown.
        var message: Message?
        /// The message that was shown last.
        var shown: Message?
        var isVisible = false
        /// The queues to the terminal.
        var queues: [TerminalQueue] = []
    }

    private let stream: any StandardOutput
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// The time before the line appears; shorter operations show no progress.
    private static let delay = Duration.milliseconds(500)
    /// The minimum interval between updates.
    private static let interval = Duration.milliseconds(100)
    /// The minimum interval before the line is shown again after it was erased.
    static let refreshInterval = Duration.milliseconds(50)
    /// Returns to the first column, and erases to the end of the line (ECMA-48 §8.3.41, EL).
    private static let erase = Array("\r\u{1b}[K".utf8)

    /// Creates a line that is shown only if the stream is a terminal.
    init(_ stream: any StandardOutput, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.stream = stream
        self.now = now
    }

    /// Whether the line can appear.
    var isEnabled: Bool { stream.isTerminal }

    /// Shows the message, unless it is too early for an update or other output is about to be written.
    ///
    /// The first occurrence of `failures` in the message is shown as a failure.
    func show(_ message: String, failures: String? = nil, in style: OutputStyle = .plain) {
        state.withLock { state in
            state.beginning = state.beginning ?? now()
            state.message = Message(text: message, failures: failures, style: style)
            draw(&state)
        }
    }

    /// Shows the last message again if it has been erased, or was not shown because it was too early.
    func refresh() {
        state.withLock { draw(&$0) }
    }

    private func draw(_ state: inout State) {
        let now = now()
        let interval = state.isVisible ? Self.interval : Self.refreshInterval
        guard let message = state.message, !state.isVisible || state.shown != message,
            let beginning = state.beginning, beginning.duration(to: now) >= Self.delay,
            state.lastShown.map({ $0.duration(to: now) >= interval }) ?? true,
            stream.isTerminal, !state.queues.contains(where: \.isPending)
        else { return }
        (state.lastShown, state.shown, state.isVisible) = (now, message, true)
        var text = clipped(message.text.sanitized)
        if let failures = message.failures, let range = text.firstRange(of: failures) {
            text.replaceSubrange(range, with: message.style.red(failures))
        }
        write(Self.erase + Array(text.utf8))
    }

    /// Erases the line, to make room for other output.
    func clear() {
        clear {}
    }

    /// Erases the line, and writes other output with `body`, during which the line does not appear.
    func clear<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in
            if state.isVisible { write(Self.erase) }
            state.isVisible = false
            return try body()
        }
    }

    /// Keeps the line off the terminal while output waits in the queue.
    func yield(to queue: TerminalQueue) {
        state.withLock { $0.queues.append(queue) }
    }

    /// Truncates the text, because a wrapped line could not be erased.
    private func clipped(_ text: String) -> String {
        var text = text
        while text.displayWidth >= stream.terminalSize?.columns ?? 80, !text.isEmpty { text.removeLast() }
        return text
    }

    private func write(_ bytes: [UInt8]) {
        // A failure to show progress is not a failure of the operation.
        try? stream.write(bytes)
    }
}
