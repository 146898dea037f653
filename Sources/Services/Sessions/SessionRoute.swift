import Core

/// A way to connect a client to the holder of a session.
package protocol SessionRoute: Sendable {
    /// The name of a session in messages.
    func name(of session: String) -> String

    /// How long the holder's `hello` may take; nil for a local connection, which only the holder itself can delay.
    var greetingTimeout: Duration? { get }

    /// Opens a channel to a session's holder, by name or ID, for the duration of `body`.
    ///
    /// - Throws: `not-found`; `host.unreachable` when the connection fails; errors from `body`.
    func withChannel(
        to session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus?

    /// Closes shared resources; no channels can be opened afterward.
    func close() async
}
