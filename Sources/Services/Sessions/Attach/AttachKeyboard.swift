import Core
import POSIX
import Synchronization

/// What comes from the terminal of a client: what is typed, and before that its colors, which it is asked for once.
final class AttachKeyboard: Sendable {
    private let filter = Mutex(AnswerFilter())
    private let hasAsked = Monitor(false)
    /// So that bytes are passed on in the order in which they came.
    private let order = AsyncLock()

    /// How long an answer may take before what it may begin with counts as typed.
    private static let timeout = Duration.seconds(2)

    /// Whether the terminal has been asked, and has not answered all.
    var isWaiting: Bool { filter.withLock { $0.isWaiting } }

    /// Returns what to ask the terminal.
    func ask() -> [UInt8] {
        defer { hasAsked.update { $0 = true } }
        return filter.withLock { $0.ask() }
    }

    /// Passes on what was typed, and the colors once all are known.
    func take(
        _ bytes: [UInt8],
        pass: ([UInt8]) async throws(VTError) -> Void,
        tell: (TerminalColors) -> Void
    ) async throws(VTError) {
        try await order.withLock { () async throws(VTError) in
            let (typed, colors) = filter.withLock { filter in
                let wasWaiting = filter.isWaiting
                let typed = filter.take(bytes)
                return (typed, wasWaiting && !filter.isWaiting ? filter.colors : nil)
            }
            if let colors, !colors.isEmpty { tell(colors) }
            try await pass(typed)
        }
    }

    /// Returns once no answer is waited for, which has an end; passes on what was held back.
    func limitWait(
        on clock: any Clock<Duration>,
        pass: ([UInt8]) async throws(VTError) -> Void
    ) async throws(VTError) {
        try await hasAsked.wait { $0 ? () : nil }
        do {
            try await clock.sleep(for: Self.timeout)
        } catch {
            throw .cancelled
        }
        try await order.withLock { () async throws(VTError) in
            let rest = filter.withLock { $0.giveUp() }
            if !rest.isEmpty { try await pass(rest) }
        }
    }

    /// Waits for answers that are still to come, so that none of them is typed for whoever reads the terminal next.
    func drain(_ input: any ByteSource, on clock: any Clock<Duration>) async {
        // A terminal that does not answer in time is left.
        try? await withTimeout(Self.timeout, on: clock, throwing: .cancelled) { () async throws(VTError) in
            while self.isWaiting, let bytes = try await input.read() {
                _ = self.filter.withLock { $0.take(bytes) }
            }
        }
    }
}
