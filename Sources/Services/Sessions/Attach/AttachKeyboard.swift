import Core
import Runtime
import Synchronization

/// The input from a client's terminal: typed bytes, the replies to an initial query for its colors, and the keys that
/// detach or give a command.
final class AttachKeyboard: Sendable {
    private let filter = Mutex(AnswerFilter())
    /// When the terminal was queried; nil until then.
    private let asked = Monitor<ContinuousClock.Instant?>(nil)
    /// Nil if no key detaches.
    private let scanner: Monitor<DetachScanner?>
    /// Ensures that bytes are passed on in the order in which they arrived.
    private let order = AsyncLock()

    /// How long to wait for replies before the bytes held back count as typed.
    private static let timeout = Duration.seconds(2)
    /// How long to wait for a second press of the detach key, or for the key of a command.
    static let detachDelay = Duration.milliseconds(500)

    init(detachKey: DetachKey?) {
        scanner = Monitor(detachKey.map { DetachScanner($0) })
    }

    /// Whether the terminal has been queried and has not sent all replies.
    var isWaiting: Bool { filter.withLock { $0.isWaiting } }

    /// Returns the queries for the terminal.
    func startQueries() -> [UInt8] {
        defer { asked.update { $0 = .now } }
        return filter.withLock { $0.startQueries() }
    }

    /// Passes on typed input, and the colors once all are known.
    func consume(
        _ bytes: [UInt8],
        pass: ([UInt8]) async throws(VTError) -> Void,
        colors report: (TerminalColors) -> Void,
        perform: (DetachKey.Command) -> Void
    ) async throws(VTError) {
        try await order.withLock { () async throws(VTError) in
            let (typed, colors) = filter.withLock { filter in
                let wasWaiting = filter.isWaiting
                let typed = filter.filter(bytes)
                return (typed, wasWaiting && !filter.isWaiting ? filter.colors : nil)
            }
            if let colors, !colors.isEmpty { report(colors) }
            let (rest, commands) = scanner.update { scanner in
                (scanner?.filter(typed) ?? typed, scanner?.takeCommands() ?? [])
            }
            try await pass(rest)
            for command in commands { perform(command) }
        }
    }

    /// Returns when the detach key has been pressed, and neither it nor the key of a command follows immediately; if
    /// `detaches` is false, passes the key on instead, and does not return.
    func untilDetached(
        on clock: any Clock<Duration>,
        detaches: Bool,
        pass: ([UInt8]) async throws(VTError) -> Void
    ) async throws(VTError) {
        while true {
            let press = try await scanner.wait { $0?.press }
            try await clock.pause(for: Self.detachDelay)
            try await order.withLock { () async throws(VTError) in
                guard !detaches, scanner.withLock({ $0?.press }) == press else { return }
                try await pass(scanner.update { $0?.release() ?? [] })
            }
            if scanner.withLock({ $0?.press }) == press { return }
        }
    }

    /// Waits until the timeout for replies has expired, and then passes on the bytes that were held back.
    func limitWait(
        on clock: any Clock<Duration>,
        pass: ([UInt8]) async throws(VTError) -> Void
    ) async throws(VTError) {
        _ = try await asked.wait(\.self)
        try await clock.pause(for: Self.timeout)
        try await order.withLock { () async throws(VTError) in
            let rest = filter.withLock { $0.giveUp() }
            if !rest.isEmpty { try await pass(rest) }
        }
    }

    /// Waits for outstanding replies, so that they are not read as input by the next program on the terminal.
    ///
    /// What is typed meanwhile is lost, so the wait ends when the timeout since the query has expired.
    func drain(_ input: any ByteSource, on clock: any Clock<Duration>) async {
        guard let start = asked.withLock({ $0 }) else { return }
        let rest = Self.timeout - (ContinuousClock.now - start)
        guard rest > .zero else { return }
        // A terminal that does not reply in time is ignored.
        try? await withTimeout(rest, on: clock, throwing: .cancelled) { () async throws(VTError) in
            while self.isWaiting, let bytes = try await input.read() {
                _ = self.filter.withLock { $0.filter(bytes) }
            }
        }
    }
}
