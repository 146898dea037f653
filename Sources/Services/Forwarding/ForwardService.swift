import Core
import Runtime

/// Forwards connections through servers.
///
/// Forwards use a dedicated connection, which ends with the command.
package struct ForwardService: Sendable {
    private let connector: any Connector
    private let observer: ConnectionObserver
    let diagnostics: any Diagnostics

    /// Failures of individual connections, and forwards that cannot be set up, are noted in `diagnostics`.
    package init(_ world: World) {
        (connector, observer, diagnostics) = (world.makeConnector(), world.observer, world.diagnostics)
    }

    /// Connects the streams to an address that the server can reach; returns when both directions have ended.
    ///
    /// `onEnd` is called when the peer has sent everything.
    ///
    /// - Throws: Errors from `Connector.connect` and `ConnectionForwarder.connect`.
    package func connect(
        _ plan: ConnectionPlan,
        to address: ForwardAddress,
        input: any ByteSource,
        output: any ByteSink,
        onEnd: @escaping @Sendable () async throws(VTError) -> Void
    ) async throws(VTError) {
        try await withForwarder(plan) { _, forwarder async throws(VTError) in
            try await forwarder.connect(to: address, input: input, output: output, onEnd: onEnd)
        }
    }

    /// Sets up forwards, and keeps them until the connection to the server is lost; then throws the error.
    ///
    /// `whenReady` is called once they are set up. A forward that cannot be set up is only noted, unless the request's
    /// `exitsOnFailure` is true.
    ///
    /// - Throws: Errors from `Connector.connect`, `ConnectionForwarder.start` and `whenReady`.
    package func forward(
        _ forwards: ForwardRequest,
        over plan: ConnectionPlan,
        whenReady: () async throws(VTError) -> Void
    ) async throws(VTError) {
        try await withForwarder(plan) { _, forwarder async throws(VTError) in
            try await start(forwards, with: forwarder)
            try await whenReady()
            try await forwarder.waitUntilLost()
        }
    }

    /// Runs a program while forwards are open, and then waits until all forwarded connections have ended.
    ///
    /// - Throws: The same errors as `forward`; errors from `CommandHost.run`.
    package func run(
        _ program: ExecRequest,
        streams: ProgramStreams,
        with forwards: ForwardRequest,
        over plan: ConnectionPlan,
        whenReady: () async throws(VTError) -> Void
    ) async throws(VTError) -> ExitStatus {
        try await withForwarder(plan) { host, forwarder async throws(VTError) in
            try await start(forwards, with: forwarder)
            try await whenReady()
            let status = try await host.run(program, streams: streams)
            try await forwarder.finish()
            return status
        }
    }

    private func start(
        _ request: ForwardRequest,
        with forwarder: any ConnectionForwarder
    ) async throws(VTError) {
        for forward in request.forwards { try await start(forward, of: request, with: forwarder) }
    }

    private func start(
        _ forward: Forward,
        of request: ForwardRequest,
        with forwarder: any ConnectionForwarder
    ) async throws(VTError) {
        do throws(VTError) {
            let listener = try await forwarder.start(forward, options: request.options, onFailure: noteFailure)
            guard case .port(0, _) = forward.listener, case .port(let port, _) = listener else { return }
            // Scripts look for this text, which ssh(1) also prints.
            let side = forward.side == .local ? "local" : "remote"
            diagnostics.note("Allocated port \(port) for \(side) forward to \(forward.target?.description ?? "socks")")
        } catch {
            guard !request.exitsOnFailure, error.code != .hostUnreachable, !error.isCancellation else { throw error }
            diagnostics.note(error.message)
        }
    }

    /// Notes the failure of a forwarded connection.
    var noteFailure: @Sendable (Forward, VTError) -> Void {
        { [diagnostics] forward, error in
            diagnostics.note("a connection to '\(forward.listener)' was closed: \(error.message)")
        }
    }

    /// Runs `body` with a connection, which is closed afterward.
    func withForwarder<Result: Sendable>(
        _ plan: ConnectionPlan,
        _ body: (any RemoteHost, any ConnectionForwarder) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard case .ssh(var alone) = plan else { throw Self.unsupported(plan) }
        alone.sharing = nil
        let host = try await connector.connect(.ssh(alone), observer: observer)
        return try await withCleanup {
            await host.close()
            await connector.close()
        } _: { () async throws(VTError) in
            guard let forwarder = host.forwarder else { throw Self.unsupported(plan) }
            return try await body(host, forwarder)
        }
    }

    private static func unsupported(_ plan: ConnectionPlan) -> VTError {
        if case .link(let plan) = plan { return plan.unavailable("forward connections through") }
        return VTError(.config, "cannot forward connections through '\(plan.name)': it is not reached over SSH")
    }
}
