import Core
import Runtime
import System
import VibeTunnel

/// A session of a VibeTunnel server whose output is received by this process, and takes the place of the session's log.
///
/// Its offsets count from the start of the history that the first subscription returned, so they are not those of
/// another process.
final class FollowedSession: SessionLog {
    fileprivate struct State: Sendable {
        var record: Session
        var output: SessionOutput
        var end: UInt64 = 0
        var first: UInt64 = 0
        var events: [SessionLogEvent]
        /// The number of events that have been read, and are not changed any more.
        var sealedCount = 0
        /// When the current subscription began, when its last event arrived, and when there had been much output.
        var arrival = (begun: ContinuousClock.now, last: ContinuousClock.now, lastMuch: ContinuousClock.now)
        /// The output since `arrival.lastMuch`.
        var recentBytes = 0
        /// Whether events that have arrived are being processed, which can take any time for a slow reader.
        var isConsuming = false
        /// Whether the history of the current subscription has arrived.
        var isCurrent = false
        /// Whether there has been a subscription since `restart`.
        var hasBegun = false
        /// Why the connection was lost; nil while it works.
        var failure: VTError?
        /// The offset that the only reader has reached; nil if all output is kept.
        var readerOffset: UInt64?
        var input: SessionInputStream?
        var lastInput: UInt64 = 0
        /// Whether a failure after input has been reported.
        var hasNotedFailure = false
        /// Messages for the client that is attached.
        var notes: [String] = []
    }

    /// Whether the server accepts no input.
    let isReadOnly: Bool
    private let spool: SpoolFile
    private let diagnostics: any Diagnostics
    /// Whether notes are for the client that is attached, whose terminal must not be written to.
    private let keepsNotes: Bool
    private let state: Monitor<State>
    private let start = ContinuousClock.now
    private let startTime = Timestamp.now()
    /// Ensures that events are processed one after the other.
    private let consuming = AsyncLock()

    /// How much output is kept for a reader that is slower than the server.
    private static let lagLimitBytes: UInt64 = 8 << 20
    /// How much output makes it likely that a history is arriving.
    private static let muchBytes = 64 << 10
    /// Output within this time is one event of the timeline.
    private static let eventInterval: Int64 = 10_000
    /// Puts the cursor in the first cell of an empty screen, for output that does not continue the previous output.
    private static let blankScreen = Array("\u{1B}[m\u{1B}[H\u{1B}[2J".utf8)

    init(
        _ record: Session,
        era: ServerEra,
        isReadOnly: Bool,
        keepsNotes: Bool,
        diagnostics: any Diagnostics
    ) throws(VTError) {
        self.isReadOnly = isReadOnly
        spool = try SpoolFile()
        (self.keepsNotes, self.diagnostics) = (keepsNotes, diagnostics)
        let time = startTime.seconds * 1_000_000
        let size = SessionLogEvent(time: time, .resize(record.size))
        // Legacy servers differ.
        let output = SessionOutput(cutsHistory: era == .v3 ? true : nil)
        state = Monitor(State(record: record, output: output, events: [size]))
    }

    // MARK: - State

    var record: Session {
        state.withLock { state in
            var record = state.record
            record.outputBytes = state.end
            return record
        }
    }

    var hasEnded: Bool { state.withLock { !$0.record.state.isLive } }

    /// When the current subscription began, when its last event arrived, and when there had been much output.
    var arrival: (begun: ContinuousClock.Instant, last: ContinuousClock.Instant, lastMuch: ContinuousClock.Instant) {
        state.withLock(\.arrival)
    }

    /// How long nothing has arrived.
    var silence: Duration { state.withLock { $0.isConsuming ? .zero : ContinuousClock.now - $0.arrival.last } }

    /// Whether only another subscription shows how the output continues.
    var needsHistory: Bool { state.withLock(\.output.needsHistory) }

    /// Whether the history of the current subscription has begun, and whether it has arrived.
    var history: (hasBegun: Bool, hasArrived: Bool) {
        state.withLock { ($0.output.hasHeader, $0.isCurrent) }
    }

    /// Waits until the history has arrived, as far as one can tell; after `limit`, only until it has begun.
    func historyArrived(limit: Duration? = nil, on clock: any Clock<Duration>) async throws(VTError) {
        guard let limit else { return try await waitForHistory(toBegin: false) }
        let arrival: Void? = try await resultInTime(limit, on: clock) { () async throws(VTError) in
            try await self.waitForHistory(toBegin: false)
        }
        if arrival == nil { try await waitForHistory(toBegin: true) }
    }

    /// Expects another subscription, after the connection was lost.
    func restart() {
        state.update { ($0.failure, $0.hasBegun) = (nil, false) }
    }

    /// Waits until the server has sent something about the session.
    ///
    /// - Throws: The error of the connection, if it comes first.
    func connected() async throws(VTError) {
        try await state.wait { state -> Result<Void, VTError>? in
            if state.hasBegun, state.output.hasHeader || state.isCurrent { return .success(()) }
            return state.failure.map { .failure($0) }
        }.get()
    }

    private func waitForHistory(toBegin: Bool) async throws(VTError) {
        try await state.wait { [missing] state -> Result<Void, VTError>? in
            // A connection that is lost during the history is continued from there.
            if let failure = state.failure { return state.output.hasHeader ? .success(()) : .failure(failure) }
            if !state.record.state.isLive { return .success(()) }
            guard state.output.hasHeader else { return state.isCurrent ? .failure(missing) : nil }
            return state.isCurrent || toBegin ? .success(()) : nil
        }.get()
    }

    private var missing: VTError { VTError(.timedOut, "the server has not sent the output of '\(record.name)'") }

    /// Waits for the next change.
    func changed() async {
        await state.waitForUpdate()
    }

    /// Returns a part of the state once there is one.
    func wait<Result: Sendable>(
        _ attempt: @Sendable (_ end: UInt64, _ record: Session, _ failure: VTError?) -> Result?
    ) async throws(VTError) -> Result {
        try await state.wait { attempt($0.end, $0.record, $0.failure) }
    }

    /// Keeps only output that follows what a reader has got, which starts at an offset.
    func readOnce(from offset: UInt64) {
        state.update { $0.readerOffset = $0.readerOffset ?? offset }
        hasRead(to: offset)
    }

    func hasRead(to offset: UInt64) {
        let released = state.update { state -> Range<UInt64>? in
            guard let reader = state.readerOffset else { return nil }
            state.readerOffset = max(reader, offset)
            guard offset > state.first + Self.lagLimitBytes else { return nil }
            defer { state.first = offset }
            return state.first..<offset
        }
        if let released { spool.release(Int64(released.lowerBound)..<Int64(released.upperBound)) }
    }

    // MARK: - Events

    /// Expects the events of a new subscription.
    func begin(_ input: SessionInputStream?) {
        state.update { state in
            state.output.begin()
            (state.failure, state.isCurrent, state.input, state.hasBegun) = (nil, false, input, true)
            let now = ContinuousClock.now
            state.arrival = (now, now, now)
            state.recentBytes = 0
        }
    }

    /// The subscription has ended before the session did.
    func fail(_ failure: VTError) {
        state.update { ($0.failure, $0.input) = (failure, nil) }
    }

    func consume(_ events: [StreamEvent]) async throws(VTError) {
        state.withLock { $0.isConsuming = true }
        defer { state.withLock { $0.isConsuming = false } }
        try await consuming.withLock { () async throws(VTError) in
            for event in events {
                try await waitForReader()
                try apply(state.withLock { $0.output.consume(event) })
            }
        }
        state.update { state in
            state.arrival.last = .now
            for case .output(let bytes, _) in events { state.recentBytes += bytes.count }
            if state.recentBytes >= Self.muchBytes { (state.arrival.lastMuch, state.recentBytes) = (.now, 0) }
            // The connection is closed.
            if state.output.needsHistory { state.input = nil }
        }
    }

    /// The history has arrived, as far as one can tell from a silence.
    func endHistory() async throws(VTError) {
        try await consuming.withLock { () async throws(VTError) in
            try apply(state.withLock { $0.output.endHistory() })
            state.update { $0.isCurrent = true }
        }
    }

    /// The session has ended; `exitCode` is nil if it is not known how.
    func finish(_ exitCode: Int?) async throws(VTError) {
        try await consuming.withLock { () async throws(VTError) in
            guard !hasEnded else { return }
            try apply([.exit(exitCode)])
        }
    }

    private func apply(_ items: [SessionOutput.Item]) throws(VTError) {
        for item in items {
            switch item {
            case .output(let bytes): try append(bytes)
            case .resize(let size):
                state.update { state in
                    guard size != state.record.size else { return }
                    state.record.size = size
                    state.add(.resize(size), at: time)
                }
            case .exit(let code): end(code)
            case .disconnected:
                note(
                    "the output of '\(record.name)' does not continue where the connection was lost: some is missing, or is "
                        + "repeated"
                )
                try append(Self.blankScreen)
            case .failure(let message): report(message)
            }
        }
    }

    /// Reports a failure that does not end the session.
    ///
    /// After input, which is not acknowledged, it may be the only sign that the server has rejected it.
    private func report(_ failure: String) {
        let isNoted = state.withLock { state in
            guard state.lastInput > 0, !state.hasNotedFailure else { return false }
            state.hasNotedFailure = true
            return true
        }
        let message = "'\(record.name)': \(failure)"
        if isNoted { note(message) } else { diagnostics.detail(message) }
    }

    private func append(_ bytes: [UInt8]) throws(VTError) {
        try spool.append(bytes)
        state.update { state in
            state.end += UInt64(bytes.count)
            state.addOutput(at: time, within: Self.eventInterval)
        }
    }

    /// Waits until the reader has almost caught up, so that the server must wait for it.
    private func waitForReader() async throws(VTError) {
        try await state.wait { state in
            guard let reader = state.readerOffset, state.failure == nil else { return () }
            return state.end - reader < Self.lagLimitBytes ? () : nil
        }
    }

    private func end(_ code: Int?) {
        state.update { state in
            guard state.record.state.isLive else { return }
            let status = code.flatMap { UInt32(exactly: $0) }.map { ExitStatus.exited($0) }
            state.record.exit = status
            state.record.state = status == nil ? .lost : .exited
            state.record.endedAt = state.record.endedAt ?? .now()
            state.record.program = nil
            if let status { state.add(.exit(status), at: time) }
        }
    }

    private var time: Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return (startTime.seconds + seconds) * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    // MARK: - Input

    /// Where to type while the current subscription works; nil if the protocol has another way.
    var input: SessionInputStream? { state.withLock(\.input) }

    /// Returns whether input has not been sent before, over this or an earlier connection.
    func takes(_ sequence: UInt64) -> Bool {
        state.withLock { state in
            guard sequence > state.lastInput else { return false }
            state.lastInput = sequence
            return true
        }
    }

    /// Reports input that may not have arrived, and is not sent again.
    func reportLostInput(_ count: Int) {
        note("\(count) \(count == 1 ? "byte" : "bytes") of input might not have been delivered")
    }

    // MARK: - Notes

    private func note(_ text: String) {
        if keepsNotes { state.update { $0.notes.append(text) } } else { diagnostics.note(text) }
    }

    /// Removes and returns the next note for the client that is attached.
    func nextNote() -> String? {
        state.withLock { $0.notes.isEmpty ? nil : $0.notes.removeFirst() }
    }

    // MARK: - Log

    func firstOffset() throws(VTError) -> UInt64 { state.withLock(\.first) }

    func endOffset() throws(VTError) -> UInt64 { state.withLock(\.end) }

    func read(from offset: UInt64, limit: Int) throws(VTError) -> [UInt8] {
        let count = state.withLock { offset < $0.end ? min(UInt64(limit), $0.end - offset) : 0 }
        return count == 0 ? [] : try spool.read(at: Int64(offset), limit: Int(count))
    }

    func offset(at time: Timestamp) throws(VTError) -> UInt64 { try endOffset() }

    func events(from position: UInt64) throws(VTError) -> SessionLogPage {
        state.withLock { state in
            let start = min(Int(clamping: position), state.events.count)
            let page = Array(state.events[start...].prefix(Self.pageCount))
            state.sealedCount = max(state.sealedCount, start + page.count)
            return SessionLogPage(page, next: UInt64(start + page.count))
        }
    }

    private static let pageCount = 1024
}

extension FollowedSession.State {
    fileprivate mutating func add(_ kind: SessionLogEvent.Kind, at time: Int64) {
        events.append(SessionLogEvent(time: time, kind))
    }

    /// Adds an event for the output up to `end`, or extends the last one if it is recent and has not been read.
    fileprivate mutating func addOutput(at time: Int64, within interval: Int64) {
        if sealedCount < events.count, let last = events.last, case .output = last.kind, time - last.time < interval {
            events[events.count - 1] = SessionLogEvent(time: last.time, .output(end: end))
        } else {
            add(.output(end: end), at: time)
        }
    }
}
