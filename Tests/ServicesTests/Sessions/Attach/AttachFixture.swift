import Core
import CoreTestSupport
import Runtime
import Services
import Synchronization

/// A server with a session double, to which connections fail with the errors that a test specifies.
final class FakeRoute: SessionMachine {
    private let holder: SessionDouble
    private let failures = Mutex<[VTError]>([])
    private let asked = Mutex<[String]>([])

    init(_ holder: SessionDouble) {
        self.holder = holder
    }

    var greetingTimeout: Duration? { EagerClock.endless }
    /// The requested sessions, one name or ID per connection attempt.
    var sessions: [String] { asked.withLock { $0 } }

    func name(of session: String) -> String { "web:\(session)" }

    func close() async {}

    func perform(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        throw VTError(.internal, "this machine performs no calls")
    }

    /// Makes the next connections fail with these errors, one each.
    func fail(_ errors: [VTError]) {
        failures.withLock { $0 = errors }
    }

    func withHolder(
        of session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus? {
        asked.withLock { $0.append(session) }
        if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
        return try await body(DoubleChannel(holder))
    }
}

/// The simulated terminal of a user.
final class FakeTerminal: AttachTerminal {
    private struct Seen {
        var output: [UInt8] = []
        var notes: [String] = []
        var reset: [UInt8]?
        var prepared: [UInt8] = []
        /// The reset sequences written before suspensions, in order.
        var pauses: [[UInt8]] = []
        var size: TerminalSize?
    }

    private struct Sink: ByteSink {
        let seen: FakeTerminal

        func write(_ bytes: [UInt8]) async throws(VTError) {
            seen.seen.withLock { $0.output += bytes }
        }
    }

    let keys = BytePipe()
    let hasKeyboard: Bool
    let hasScreen: Bool
    let answersQueries: Bool
    let resizes: AsyncStream<Void>
    let suspensions: AsyncStream<Void>
    private let resized: AsyncStream<Void>.Continuation
    private let suspended: AsyncStream<Void>.Continuation
    private let seen = Mutex(Seen())

    init(
        hasKeyboard: Bool = true,
        hasScreen: Bool = true,
        answersQueries: Bool = false,
        size: TerminalSize? = .standard
    ) {
        self.hasKeyboard = hasKeyboard
        self.hasScreen = hasScreen
        self.answersQueries = answersQueries
        (resizes, resized) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (suspensions, suspended) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        seen.withLock { $0.size = size }
    }

    var input: (any ByteSource)? { keys }
    var output: any ByteSink { Sink(seen: self) }
    var size: TerminalSize? { seen.withLock { $0.size } }

    var text: String { seen.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var notes: [String] { seen.withLock { $0.notes } }
    var reset: String? { seen.withLock { $0.reset.map { String(decoding: $0, as: UTF8.self) } } }

    func note(_ message: String) {
        seen.withLock { $0.notes.append(message) }
    }

    var prepared: String { seen.withLock { String(decoding: $0.prepared, as: UTF8.self) } }
    var pauses: [String] { seen.withLock { $0.pauses.map { String(decoding: $0, as: UTF8.self) } } }

    func prepare(reset: [UInt8]) {
        seen.withLock { $0.prepared = reset }
    }

    func suspend(writing reset: [UInt8]) async {
        seen.withLock { $0.pauses.append(reset) }
    }

    /// Requests a suspension.
    func suspend() {
        suspended.yield()
    }

    func leave(writing reset: [UInt8]) {
        seen.withLock { $0.reset = reset }
    }

    func type(_ text: String) async throws {
        try await keys.write(Array(text.utf8))
    }

    func resize(_ columns: Int, _ rows: Int) {
        seen.withLock { $0.size = TerminalSize(columns: columns, rows: rows) }
        resized.yield()
    }
}

/// A clock that never advances: waits below a limit are recorded and end immediately; longer waits take the requested
/// time.
final class EagerClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        func duration(to other: Instant) -> Duration { other.offset - offset }

        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    static let endless = Duration.seconds(3600)
    private let limit: Duration
    private let waited = Mutex<[Duration]>([])

    init(limit: Duration = endless) {
        self.limit = limit
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    /// The recorded waits, in order.
    var waits: [Duration] { waited.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        guard deadline.offset < limit else { return try await Task.sleep(for: deadline.offset) }
        waited.withLock { $0.append(deadline.offset) }
    }
}

/// A clock that never advances, so that no wait ends unless it is canceled.
struct StoppedClock: Clock {
    var now: EagerClock.Instant { EagerClock.Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: EagerClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: EagerClock.endless)
    }
}

/// A client attached to a session double.
struct AttachFixture {
    let holder = SessionDouble()
    let route: FakeRoute
    let terminal: FakeTerminal
    var request = AttachRequest()
    var clock: any Clock<Duration> = ContinuousClock()

    init(_ terminal: FakeTerminal = FakeTerminal()) {
        route = FakeRoute(holder)
        self.terminal = terminal
        request.reconnects = ReconnectPolicy(attempts: 10, limit: .zero, jitter: 0)
    }

    /// Attaches to the session while `body` controls the holder, the terminal and the route.
    func attach(
        during body: @escaping @Sendable (SessionDouble, FakeTerminal, FakeRoute) async throws -> Void
    ) async throws -> AttachOutcome {
        let service = AttachService(machine: route, clock: clock, version: "1")
        let (holder, terminal, route, request) = (holder, terminal, route, request)
        async let outcome = service.attach(to: "build", request, terminal: terminal)
        try await holder.until { !$0.attachments.isEmpty }
        try await body(holder, terminal, route)
        return try await outcome
    }
}
