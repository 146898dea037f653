import Core
import Runtime

/// Forwards connections.
extension SSHConnection: ConnectionForwarder {
    func start(
        _ forward: Forward,
        options: ForwardOptions,
        onFailure: @escaping @Sendable (Forward, VTError) -> Void
    ) async throws(VTError) -> Forward.Listener {
        switch forward.side {
        case .local: try await startLocal(forward, options, onFailure)
        case .remote: try await startRemote(forward, onFailure)
        }
    }

    func finish() async throws(VTError) {
        stopListening()
        try await forwardCount.wait { $0 == 0 ? () : nil }
    }

    // MARK: - Listening

    private func startLocal(
        _ forward: Forward,
        _ options: ForwardOptions,
        _ onFailure: @escaping @Sendable (Forward, VTError) -> Void
    ) async throws(VTError) -> Forward.Listener {
        let bound = Monitor(forward)
        let (count, end) = (forwardCount, onEnd(of: bound, onFailure))
        let listener = try await LocalListener.start(
            forward.listener,
            options: options,
            on: eventLoop
        ) { channel in
            try self.assumeIsolated { try $0.forward(channel, to: forward.target, onEnd: end) }
            count.update { $0 += 1 }
        }
        bound.update { $0.listener = listener.listener }
        localStops.append { listener.stop() }
        return listener.listener
    }

    private func startRemote(
        _ forward: Forward,
        _ onFailure: @escaping @Sendable (Forward, VTError) -> Void
    ) async throws(VTError) -> Forward.Listener {
        guard let target = forward.target, case .port(let port, let address) = forward.listener else {
            throw VTError(.config, "the server cannot listen on '\(forward.listener)': only ports are supported")
        }
        let bound = Monitor(forward)
        let (count, end) = (forwardCount, onEnd(of: bound, onFailure))
        let chosen = try await listen(on: port, bindAddress: address) { id in
            count.update { $0 += 1 }
            self.assumeIsolated { $0.connect(id, to: target, onEnd: end) }
        }
        let listener = Forward.Listener.port(chosen, bindAddress: address)
        bound.update { $0.listener = listener }
        return listener
    }

    /// Returns the function to call on the event loop at the end of each connection; the port of the forward may be
    /// chosen later.
    private nonisolated func onEnd(
        of forward: Monitor<Forward>,
        _ onFailure: @escaping @Sendable (Forward, VTError) -> Void
    ) -> @Sendable (VTError?) -> Void {
        { [count = forwardCount] error in
            if let error { onFailure(forward.withLock { $0 }, error) }
            count.update { $0 -= 1 }
        }
    }
}
