/// Opens connections to servers.
package protocol Connector: Sendable {
    /// Connects, checks the host key and authenticates.
    ///
    /// - Throws: `host.unresolved`, `host.unreachable`, `protocol`, `host-key.changed`, `host-key.unknown`,
    ///   `auth.denied`, `config`.
    func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost

    /// Asks a server for its host key of one type, as the handshake proves it; nothing is stored or sent after.
    ///
    /// Returns nil when the server has no key of that type.
    func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey?

    /// Ends what connections share, such as those to jump hosts; the connector is not used after.
    func close() async

    /// Host key types that the engine can check, the preferred first.
    func hostKeyTypes() throws(VTError) -> [String]
}
