import Core
import Runtime
import VibeTunnel

/// Receives the events of the session from the server.
extension FollowedSession {
    /// A silence after which the history is considered complete: nothing marks its end.
    private static let historyPause = Duration.milliseconds(300)
    /// A time with little output after which the history is considered complete even if there is no silence, because a
    /// program such as a clock causes none.
    private static let calmPause = Duration.seconds(2)
    /// After this time, output is not part of the history, however much there is.
    private static let historyLimit = Duration.seconds(10)
    /// How long a command waits for the history if it can also process it later.
    static let historyTimeout = Duration.seconds(2)
    /// A silence after output without a header, after which the server is assumed to have lost the history.
    private static let headerTimeout = Duration.seconds(2)
    /// A silence after which the server is asked whether the session has ended: some ends are not reported.
    private static let silenceLimit = Duration.seconds(3)
    /// How long the rest of the output and an event about the end may take after the server has reported the end.
    private static let exitPause = Duration.seconds(3)
    private static let pingInterval = Duration.seconds(20)
    /// A silence, even of heartbeats and answers to pings, after which the connection is considered lost; legacy
    /// servers send a heartbeat each 30 seconds.
    private static let lossTimeout = Duration.seconds(75)

    /// Follows the session until it has ended; reconnects after a lost connection.
    ///
    /// - Throws: `host.unreachable` after the last attempt to reconnect; `not-found`; errors of the connection.
    func follow(_ policy: ReconnectPolicy) async throws(VTError) {
        let reconnection = Reconnection(policy, to: server.plan.name, on: clock)
        try await reconnection.run { () async throws(VTError) in
            let before = record.outputBytes
            do throws(VTError) {
                try await followOnce()
            } catch {
                if hasEnded { return }
                if history.hasBegun { reconnection.connected() }
                if record.outputBytes != before { reconnection.succeeded() }
                throw error
            }
        } announce: { failure, delay in
            guard delay > .zero else { return }
            diagnostics.detail("\(failure.message); retrying in \(delay.components.seconds + 1)s")
        }
    }

    /// Follows the session over one connection; returns when it has ended.
    ///
    /// - Throws: `host.unreachable` when the connection is lost; `not-found`; errors of the connection.
    func followOnce() async throws(VTError) {
        do throws(VTError) {
            repeat {
                try await server.follow(id) { (stream) async throws(VTError) in
                    begin(stream.input)
                    try await receive(stream)
                }
            } while needsHistory
        } catch {
            // A session whose record has been removed has ended.
            if hasEnded { return }
            if error.code == .notFound, record.outputBytes > 0 { return try await finish(nil) }
            throw error
        }
    }

    private func receive(_ stream: SessionStream) async throws(VTError) {
        let lastBytes = Monitor(ContinuousClock.now)
        let input = stream.input
        try await withWatch({ () async throws(VTError) in try await self.keepAlive(input, lastBytes) }) {
            () async throws(VTError) in
            try await withWatch({ () async throws(VTError) in try await self.watch() }) { () async throws(VTError) in
                try await self.pump(stream, lastBytes)
            }
        }
    }

    /// Passes on events until the session ends, or only another subscription shows how the output continues.
    private func pump(_ stream: SessionStream, _ lastBytes: Monitor<ContinuousClock.Instant>) async throws(VTError) {
        var stream = stream
        while let events = try await stream.next() {
            lastBytes.withLock { $0 = .now }
            if !events.isEmpty { try await consume(events) }
            if hasEnded || needsHistory { return }
            if events.contains(.failure(Self.unknownSession)) { _ = try await server.session(id) }
        }
        throw lost
    }

    /// An error of the v3 protocol, which does not end the stream if the session exists.
    private static let unknownSession = "Session paths not found"

    /// Recognizes the end of the history, and an end of the session that is not reported, after which it throws an error.
    private func watch() async throws(VTError) {
        while true {
            let silence = self.silence
            if !history.hasArrived {
                let rest = historyEnd - .now
                if rest <= .zero { try await endHistory() } else { try await clock.pause(for: rest) }
            } else if silence < Self.silenceLimit {
                try await clock.pause(for: Self.silenceLimit - silence)
            } else if let ended = try await ended() {
                try await clock.pause(for: Self.exitPause)
                guard self.silence >= Self.silenceLimit + Self.exitPause else { continue }
                try await finish(ended.code)
                throw lost
            } else {
                try await clock.pause(for: Self.silenceLimit)
            }
        }
    }

    /// When the history is considered complete if nothing arrives until then.
    private var historyEnd: ContinuousClock.Instant {
        let arrival = self.arrival
        let limit = arrival.begun + Self.historyLimit
        guard history.hasBegun else {
            // A busy server can take some time before it sends anything.
            return arrival.last == arrival.begun ? limit : min(arrival.last + Self.headerTimeout, limit)
        }
        return min(arrival.last + Self.historyPause, arrival.lastMuch + Self.calmPause, limit)
    }

    private struct End {
        /// The exit status, if the server knows it.
        var code: Int?
    }

    /// How the session has ended; nil if it has not.
    private func ended() async throws(VTError) -> End? {
        do throws(VTError) {
            let current = try await server.session(id)
            // A server that finds that a program no longer exists reports 1.
            return current.hasEnded ? End(code: current.exitCode == 1 ? nil : current.exitCode) : nil
        } catch {
            guard !error.isCancellation else { throw error }
            if error.code == .notFound { return End(code: nil) }
            // The stream reports whether the connection works.
            diagnostics.detail(error.message)
            return nil
        }
    }

    /// - Throws: `host.unreachable` when the connection does not work any more.
    private func keepAlive(
        _ input: SessionInputStream?,
        _ lastBytes: Monitor<ContinuousClock.Instant>
    ) async throws(VTError) {
        while true {
            try await clock.pause(for: Self.pingInterval)
            guard ContinuousClock.now - lastBytes.withLock({ $0 }) < Self.lossTimeout else { throw lost }
            try await input?.ping()
        }
    }

    private var lost: VTError { .connectionLost(to: name) }
}
