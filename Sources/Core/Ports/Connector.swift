/// Opens connections to far ends.
package protocol Connector: Sendable {
    /// Connects; over SSH, this includes checking the host key and authenticating.
    ///
    /// - Throws: `host.unresolved`, `host.unreachable`, `protocol`, `host-key.changed`, `host-key.unknown`,
    ///   `auth.denied` or `config`.
    func connect(
        _ plan: ConnectionPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> any RemoteHost

    /// Checks what prevents a connection on this machine, such as a private key that cannot be used, without connecting
    /// or requesting secrets.
    ///
    /// - Throws: The error with which `connect` would fail.
    func check(_ plan: ConnectionPlan) throws(VTError)

    /// Requests the server's host key of the given type; returns nil if the server has none.
    ///
    /// The handshake verifies that the server owns the key. The key is not stored, and nothing is sent after the
    /// handshake.
    func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey?

    /// Closes shared resources, such as connections to jump hosts; the connector must not be used afterward.
    func close() async

    /// Supported host key types, most preferred first.
    func hostKeyTypes() throws(VTError) -> [String]
}

extension Connector {
    /// By default, nothing is known before a connection is attempted.
    package func check(_ plan: ConnectionPlan) throws(VTError) {}
}

/// Receives the progress of a connection to the server with this name.
///
/// The steps up to `authenticated` are reported in the order in which `ConnectionStep` declares them.
package typealias ConnectionObserver = @Sendable (_ name: String, _ step: ConnectionStep) -> Void
