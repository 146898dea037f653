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
        /// Where to type while the current subscription works; nil if the protocol has another way.
        var input: SessionInputStream?
        var lastInput: UInt64 = 0
        /// The start of a character that the client has not typed completely.
        var typed: [UInt8] = []
        /// Whether a failure after input has been reported.
        var hasNotedFailure = false
        /// Messages for the client that is attached.
        var notes: [String] = []
    }

    /// The ID of the session on the server.
    let id: SessionID
    /// The session's name in messages about the connection.
    let name: String
    let server: VibeTunnelServer
    let world: World
    /// Whether the server accepts no input.
    private let isReadOnly: Bool
    private let spool: SpoolFile
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
        _ description: ServerSession,
        named name: String,
        on server: VibeTunnelServer,
        keepsNotes: Bool,
        in world: World
    ) async throws(VTError) {
        (id, isReadOnly) = (description.id, description.isReadOnly)
        (self.name, self.server, self.keepsNotes, self.world) = (name, server, keepsNotes, world)
        spool = try SpoolFile()
        var record = Session(description)
        // Only the stream says how the session ended.
        (record.state, record.exit) = (.running, nil)
        let size = SessionLogEvent(time: startTime.seconds * 1_000_000, .resize(record.size))
        // Legacy servers differ.
        let output = SessionOutput(cutsHistory: try await server.era() == .v3 ? true : nil)
        state = Monitor(State(record: record, output: output, events: [size]))
    }

    var clock: any Clock<Duration> { world.clock }
    var diagnostics: any Diagnostics { world.diagnostics }

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
    func historyArrived(limit: Duration? = nil) async throws(VTError) {
        guard let limit else { return try await waitForHistory(toBegin: false) }
        let arrival: Void? = try await resultInTime(limit, on: clock) { () async throws(VTError) in
            try await self.waitForHistory(toBegin: false)
        }
        if arrival == nil { try await waitForHistory(toBegin: true) }
    }

    /// Expects another subscription, after the connection was lost.
    func restart() {
        state.update { ($0.failure, $0.hasBegun, $0.typed) = (nil, false, []) }
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

    // MARK: - Notes

    private func note(_ text: String) {
        if keepsNotes { state.update { $0.notes.append(text) } } else { diagnostics.note(text) }
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

extension FollowedSession: StandInSource {
    var log: any SessionLog { self }
    var features: UInt64 { 0 }

    func prepare(_ attachment: SessionFrame.Attachment?) async throws(VTError) {
        guard attachment?.isReadOnly ?? true || !isReadOnly else {
            throw VTError(.authDenied, "the link is for watching only", hint: "add --read-only")
        }
        try await connected()
        if attachment?.from == nil { try await historyArrived(limit: Self.historyTimeout) }
    }

    func screenSize(_ attachment: SessionFrame.Attachment) -> TerminalSize { record.size }

    func changed(after position: UInt64?, _ size: TerminalSize?) async throws(VTError) -> Void? {
        try await state.wait { state -> Result<Void, VTError>? in
            let isLive = state.record.state.isLive
            if let failure = state.failure, isLive { return .failure(failure) }
            guard let position else { return nil }
            return state.end > position || !isLive || state.record.size != size ? .success(()) : nil
        }.get()
    }

    func nextNote() -> String? {
        state.withLock { $0.notes.isEmpty ? nil : $0.notes.removeFirst() }
    }

    /// Keeps only output that follows; the reader that starts here is the only one.
    func hasRead(to offset: UInt64) {
        let released = state.update { state -> Range<UInt64>? in
            state.readerOffset = max(state.readerOffset ?? offset, offset)
            guard offset > state.first + Self.lagLimitBytes else { return nil }
            defer { state.first = offset }
            return state.first..<offset
        }
        if let released { spool.release(Int64(released.lowerBound)..<Int64(released.upperBound)) }
    }

    func answer(to request: SessionFrame) async throws(VTError) -> [SessionFrame] {
        switch request {
        case .input(let sequence, _, let bytes):
            try await type(bytes, sequence)
            return [.accepted(sequence: sequence, offset: record.outputBytes)]
        // Clients of the server share the terminal, so that a client of vt must not change its size.
        case .resize: return []
        default: return [.failure(VTError(.usage, "sessions of a VibeTunnel server do not support this"))]
        }
    }

    /// Types what a client has sent, unless it was sent over this or an earlier connection; the protocol has only text.
    private func type(_ bytes: [UInt8], _ sequence: UInt64) async throws(VTError) {
        let (text, input) = state.withLock { state -> (String, SessionInputStream?) in
            guard sequence > state.lastInput else { return ("", nil) }
            state.lastInput = sequence
            let all = state.typed + bytes
            let rest = all.unfinishedCharacterBytes
            state.typed = Array(all.suffix(rest))
            return (String(decoding: all.dropLast(rest), as: UTF8.self), state.input)
        }
        guard !text.isEmpty else { return }
        do throws(VTError) {
            if let input { try await input.type(text) } else { try await server.type(text, in: id) }
        } catch {
            // It is not sent again.
            note("\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes") of input might not have been delivered")
            throw error
        }
    }
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
