import Core
import Runtime
import Terminal

/// Passes on the output of a program, and notices when it prints nothing or waits for input.
///
/// Whether a program waits for input is known only where its machine reports it (`Session.isReading`).
package final class StallWatch: OutputReceiver {
    /// Why a program does not go on.
    package enum Stall: Hashable, Sendable {
        /// There has been no output for the limit.
        case silence
        /// The program in the foreground reads from the terminal, and the cursor follows this text in its row.
        case input(row: String)
    }

    private struct State: Sendable {
        /// Where the output starts, and since when; nil before the start.
        var start: (offset: UInt64, time: ContinuousClock.Instant)?
        /// The end of the output.
        var end: UInt64 = 0
        var last = ContinuousClock.now
        /// Counts the changes.
        var version = 0
    }

    private let session: String
    private let client: SessionClient
    private let receiver: any OutputReceiver
    private let clock: any Clock<Duration>
    private let state = Monitor(State())

    /// The pauses between two looks at a silent program; each is twice as long as the one before.
    private static let lookPauses = Duration.milliseconds(100)...Duration.seconds(1)

    package init(
        _ session: String,
        at client: SessionClient,
        _ receiver: any OutputReceiver,
        on clock: any Clock<Duration>
    ) {
        (self.session, self.client, self.receiver, self.clock) = (session, client, receiver, clock)
    }

    /// Where the output starts; nil before the start.
    package var start: UInt64? { state.withLock(\.start?.offset) }

    /// Starts to watch, when the program has been started.
    package func started(at offset: UInt64) {
        state.withLock { $0.start = (offset, .now) }
        note(offset)
    }

    /// The outcome of a line that has not ended.
    package func outcome(_ kind: LineOutcome.Kind) -> LineOutcome {
        state.withLock { state in
            var outcome = LineOutcome()
            outcome.kind = kind
            guard let start = state.start else { return outcome }
            (outcome.start, outcome.end) = (start.offset, state.end)
            outcome.elapsed = ContinuousClock.now - start.time
            return outcome
        }
    }

    private func note(_ end: UInt64) {
        state.update { state in
            (state.end, state.last) = (max(end, state.end), .now)
            state.version += 1
        }
    }

    package func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        let continues = try await receiver.output(bytes, at: offset)
        note(offset + UInt64(bytes.count))
        return continues
    }

    package func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await receiver.gap(from: start, to: end)
        note(end)
    }

    package func resized(to size: TerminalSize) async throws(VTError) {
        try await receiver.resized(to: size)
    }

    /// Waits until there has been no output for `idle` or, with `returnsOnInput`, the program waits for input in a row that
    /// it has not finished.
    package func stall(idle: Duration?, returnsOnInput: Bool) async throws(VTError) -> Stall {
        try await state.wait { $0.start == nil ? nil : () }
        var version = -1
        var look = Duration.zero
        while true {
            let now = state.withLock { $0 }
            if now.version != version { (version, look) = (now.version, Self.lookPauses.lowerBound) }
            let silence = ContinuousClock.now - now.last
            let isIdle = idle.map { silence >= $0 } ?? false
            let isDue = returnsOnInput && silence >= look
            if isIdle || isDue {
                do throws(VTError) {
                    if let session = try await silentSession(at: now.end) {
                        if isIdle { return .silence }
                        if session.isReading ?? false, let row = try await openRow() { return .input(row: row) }
                    }
                } catch {
                    // The caller learns from its own call that the session is gone, or cannot be reached.
                    guard !error.isCancellation else { throw error }
                }
                look = silence + min(look, Self.lookPauses.upperBound)
            }
            let rests = [idle.map { $0 - silence }, returnsOnInput ? look - silence : nil].compactMap { $0 }
            // What has come in the meantime is passed on before the next look.
            let pause = max(rests.min() ?? .zero, Self.lookPauses.lowerBound)
            try await resultInTime(pause, on: clock) { [version] () async throws(VTError) in
                try await self.state.wait { $0.version != version ? () : nil }
            }
        }
    }

    /// The session, unless it has ended or has output that has not been received.
    private func silentSession(at end: UInt64) async throws(VTError) -> Session? {
        let session = try await client.session(session)
        let hasAll = session.outputBytes <= end || !client.machine.hasStableOffsets
        return session.state.isLive && hasAll ? session : nil
    }

    /// The row with the cursor; nil if the cursor is at the start of a row, unless the program fills the screen.
    private func openRow() async throws(VTError) -> String? {
        let screen = try await client.call(ScreenRequest(), on: session).emulator().screen()
        let (row, column) = (screen.cursor.row, screen.cursor.column)
        guard screen.isAlternate || column > 0, screen.rows.indices.contains(row) else { return nil }
        return screen.rows[row].text
    }
}
