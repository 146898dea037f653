import Core

/// Receives the frames of a call's result; returns false to stop the call.
package typealias SessionReceiver = @Sendable (SessionFrame) async throws(VTError) -> Bool

/// Performs calls to the sessions of one machine: this one, or a server.
package protocol SessionMachine: Sendable {
    /// Performs a call; returns after its result has been received, or the receiver has stopped it.
    ///
    /// - Throws: Errors of the call and of the receiver.
    func perform(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError)

    /// Opens a channel to a session's holder, by name or ID, for the duration of `body`.
    ///
    /// - Throws: `not-found`; `host.unreachable` when the connection fails; errors from `body`.
    func withHolder(
        of session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus?

    /// The name of a session in messages.
    func name(of session: String) -> String

    /// How long the holder's `hello` may take; nil for this machine, where only the holder itself can delay it.
    var greetingTimeout: Duration? { get }

    /// Whether an offset means the same for all commands; if not, calls that need one fail.
    var hasStableOffsets: Bool { get }

    /// Closes shared resources; no calls are possible afterward.
    func close() async
}

extension SessionMachine {
    package func name(of session: String) -> String { session }

    package var greetingTimeout: Duration? { nil }

    package var hasStableOffsets: Bool { true }

    package func close() async {}
}
