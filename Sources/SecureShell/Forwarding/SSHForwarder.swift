import Core
import NIOCore
import Runtime

/// Forwards connections over an SSH connection.
actor SSHForwarder: ConnectionForwarder {
    private nonisolated let connection: SSHConnection
    private var listeners: [LocalListener] = []
    /// The number of connections that are being forwarded.
    private let count = Monitor(0)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe connection.unownedExecutor
    }

    init(_ connection: SSHConnection) {
        self.connection = connection
    }

    func connect(
        to address: ForwardAddress,
        input: any ByteSource,
        output: any ByteSink,
        onEnd: @escaping @Sendable () async throws(VTError) -> Void
    ) async throws(VTError) {
        try await connection.connect(to: address, input: input, output: output, onEnd: onEnd)
    }

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

    func waitUntilLost() async throws(VTError) {
        try await connection.waitUntilLost()
    }

    func finish() async throws(VTError) {
        await stopListening()
        try await count.wait { $0 == 0 ? () : nil }
    }

    /// Stops listening; connections that are being forwarded continue.
    func stopListening() async {
        for listener in listeners { listener.stop() }
        listeners = []
        await connection.stopListening()
    }

    // MARK: - Listening

    private func startLocal(
        _ forward: Forward,
        _ options: ForwardOptions,
        _ onFailure: @escaping @Sendable (Forward, VTError) -> Void
    ) async throws(VTError) -> Forward.Listener {
        let bound = Monitor(forward)
        let (connection, count, end) = (connection, count, onEnd(of: bound, onFailure))
        let listener = try await LocalListener.start(
            forward.listener,
            options: options,
            on: connection.eventLoop
        ) { channel in
            try connection.assumeIsolated { try $0.forward(channel, to: forward.target, onEnd: end) }
            count.update { $0 += 1 }
        }
        bound.update { $0.listener = listener.listener }
        listeners.append(listener)
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
        let (connection, count, end) = (connection, count, onEnd(of: bound, onFailure))
        let chosen = try await connection.listen(on: port, bindAddress: address) { id in
            count.update { $0 += 1 }
            connection.assumeIsolated { $0.connect(id, to: target, onEnd: end) }
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
        { [count] error in
            if let error { onFailure(forward.withLock { $0 }, error) }
            count.update { $0 -= 1 }
        }
    }
}
