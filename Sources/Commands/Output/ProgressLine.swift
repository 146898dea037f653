import Core
import Synchronization

/// A line on a terminal that shows the progress of a long operation.
final class ProgressLine: Sendable {
    private struct State {
        /// The time of the first message.
        var beginning: ContinuousClock.Instant?
        var lastShown: ContinuousClock.Instant?
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
    func show(_ message: String) {
        let now = now()
        state.withLock { state in
            let beginning = state.beginning ?? now
            state.beginning = beginning
            guard beginning.duration(to: now) >= Self.delay,
                state.lastShown.map({ $0.duration(to: now) >= Self.interval }) ?? true,
                stream.isTerminal, !state.queues.contains(where: \.isPending)
            else { return }
            state.lastShown = now
            state.isVisible = true
            write(Self.erase + Array(clipped(message.sanitized).utf8))
        }
    }

    /// Erases the line, to make room for other output.
    func clear() {
        state.withLock { state in
            if state.isVisible { write(Self.erase) }
            state.isVisible = false
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
