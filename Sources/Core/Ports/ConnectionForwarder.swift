/// Forwards connections over the connection to a server (RFC 4254 §7).
package protocol ConnectionForwarder: Sendable {
    /// Has the server connect to an address, and transfers data until both directions have ended.
    ///
    /// The end of the input is passed on to the server; `onEnd` is called at the end of the output.
    ///
    /// - Throws: `host.unreachable` if the server cannot connect or does not permit the connection, and if the
    ///   connection to the server is lost; errors thrown by the source, the sink and `onEnd`.
    func connect(
        to address: ForwardAddress,
        input: any ByteSource,
        output: any ByteSink,
        onEnd: @escaping @Sendable () async throws(VTError) -> Void
    ) async throws(VTError)

    /// Starts listening, and forwards connections until `finish` is called or the host is closed.
    ///
    /// Returns where connections are accepted, with the chosen port if the requested port was 0. `onFailure` is called
    /// when a connection was accepted, but the target could not be reached.
    ///
    /// - Throws: `exists` when the port or socket is in use; `cannot-create` or `host.unresolved` when it cannot be
    ///   used for other reasons; `config` for a forward that is not supported; `host.unreachable` when the connection
    ///   to the server is lost.
    func start(
        _ forward: Forward,
        options: ForwardOptions,
        onFailure: @escaping @Sendable (Forward, VTError) -> Void
    ) async throws(VTError) -> Forward.Listener

    /// Waits until the connection to the server is lost, and throws the reason.
    func waitUntilLost() async throws(VTError)

    /// Stops listening, and waits until all forwarded connections have ended.
    func finish() async throws(VTError)
}
