import Core
import Recording

/// A request to one machine's sessions; each session is given by its exact name or ID.
///
/// `SessionClient` documents the calls and their results.
package enum SessionCall: Sendable {
    case create(SessionCreation)
    case list(SessionFilter)
    case show(String)
    case logs(String, from: LogStart, follows: Bool)
    case record(String, RecordRequest)
    /// With the ID of a request, input that the holder has received before is not written again.
    case send(String, [UInt8], waits: Bool, timeout: Duration?, request: String? = nil)
    /// Asks what is known about a request with this ID.
    case requestState(String, request: String)
    case execute(String, LineExecution)
    case wait(String, WaitRequest)
    case screen(String, ScreenRequest)
    case turns(String, TurnFilter)
    case resize(String, TerminalSize)
    case mark(String, MarkerLabel)
    case rename(String, to: SessionName)
    case kill(String, signal: SignalName?, grace: Duration)
    case suspend(String, Suspension)
    case cleanUp([String], SessionFilter, isDryRun: Bool)
    case snapshot(String, SnapshotRequest)
    case snapshots(String)
    case removeSnapshots(String, [String])
    case rollBack(String, RollbackRequest)
    case diff(String, DiffRequest)
    /// Connects to the holder of a session: after the call, the channel carries the frames of client and holder.
    case connect(String)
    /// Checks the machine, as `vt doctor` does.
    case doctor
}

extension SessionCall {
    /// Whether the call ends soon, and can use a relay that an earlier command has started.
    ///
    /// `create` and `resume` cannot, because what a program gets must not depend on when a relay was started.
    var isShort: Bool {
        switch self {
        case .create, .connect, .wait, .logs(_, _, follows: true), .suspend(_, .resume): false
        case .snapshot, .removeSnapshots, .rollBack, .diff: false
        case .record(_, let request): !request.follows
        case .list, .show, .logs, .send, .execute, .screen, .turns, .requestState, .resize, .mark, .rename, .kill,
            .suspend, .cleanUp, .doctor, .snapshots:
            true
        }
    }
}

extension SessionCall {
    /// Whether frames of the result must be passed on immediately, because more may follow only later.
    var isStreamed: Bool {
        if case .execute = self { true } else { !isShort }
    }
}

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
    package var hasStableOffsets: Bool { true }
}
