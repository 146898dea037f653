import Core

extension ForwardService {
    /// Sets up forwards and keeps them until the task is canceled: when the connection to the server is lost,
    /// reconnects as `policy` allows, and listens on the same ports again.
    ///
    /// `whenReady` is called once, with the forwards and the ports that the system chose for them. While the server is
    /// not connected, connections to the forwards are refused.
    ///
    /// - Throws: Errors from `Connector.connect`, `ConnectionForwarder.start` and `whenReady`; `host.unreachable` after
    ///   the last attempt.
    package func keep(
        _ forwards: [Forward],
        options: ForwardOptions,
        over plan: ConnectionPlan,
        reconnecting policy: ReconnectPolicy,
        clock: any Clock<Duration>,
        whenReady: @Sendable ([Forward]) async throws(VTError) -> Void
    ) async throws(VTError) {
        let reconnection = Reconnection(policy, to: plan.name, on: clock)
        var standing: [Forward]?
        try await reconnection.run { () async throws(VTError) in
            var connectedAt: ContinuousClock.Instant?
            do throws(VTError) {
                try await withForwarder(plan) { _, forwarder async throws(VTError) in
                    let isFirst = standing == nil
                    let ready = try await start(standing ?? forwards, options, with: forwarder, isFirst: isFirst)
                    standing = ready
                    connectedAt = .now
                    reconnection.connected()
                    if isFirst { try await whenReady(ready) } else { diagnostics.note("reconnected to '\(plan.name)'") }
                    try await forwarder.waitUntilLost()
                }
            } catch {
                if let connectedAt, .now - connectedAt >= Self.stablePeriod { reconnection.succeeded() }
                throw error
            }
        } announce: { failure, delay in
            diagnostics.note("\(failure.message); \(Self.announcement(of: delay))")
        }
    }

    /// How long a connection must last before the delays start over; a server that closes connections right after
    /// accepting them must not be contacted again without a pause.
    private static let stablePeriod = Duration.seconds(10)

    private static func announcement(of delay: Duration) -> String {
        delay < .seconds(1) ? "reconnecting" : "reconnecting in \(delay.components.seconds)s"
    }

    /// Returns the forwards with the ports that were chosen.
    private func start(
        _ forwards: [Forward],
        _ options: ForwardOptions,
        with forwarder: any ConnectionForwarder,
        isFirst: Bool
    ) async throws(VTError) -> [Forward] {
        var standing = forwards
        do throws(VTError) {
            for index in standing.indices {
                standing[index].listener = try await forwarder.start(
                    standing[index],
                    options: options,
                    onFailure: noteFailure
                )
            }
        } catch {
            // The server may not have noticed yet that the previous connection was lost, and may still be listening for
            // it.
            guard !isFirst, [.exists, .protocolViolation].contains(error.code) else { throw error }
            throw VTError(.hostUnreachable, error.message)
        }
        return standing
    }
}
