import Core

/// The way from a client to the holder of a session.
package protocol SessionRoute: Sendable {
    /// What messages call a session at its other end.
    func name(of session: String) -> String

    /// How long the holder's greeting may take; nil where only the holder can be slow.
    var greetingTimeout: Duration? { get }

    /// Opens a channel to what speaks for a session, a name or id, for as long as `body` runs.
    ///
    /// - Throws: `not-found`; `host.unreachable` when there is no link; what `body` throws.
    func withChannel(
        to session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus?

    /// Ends what channels share; there can be none after.
    func close() async
}
