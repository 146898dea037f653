import Core

/// A request to one machine's sessions.
///
/// `SessionClient` documents the calls and their results.
package enum SessionCall: Sendable {
    case create(SessionCreation)
    case list(SessionFilter)
    case cleanUp([String], SessionFilter, isDryRun: Bool)
    /// Checks the machine, as `vt doctor` does.
    case doctor
    /// Concerns one session, given by its exact name or ID.
    case session(String, SessionAction)
}

extension SessionCall {
    /// Whether the call ends soon, and can use a relay that an earlier command has started.
    ///
    /// `create` cannot, because what a program gets must not depend on when a relay was started.
    var isShort: Bool {
        switch self {
        case .create: false
        case .list, .cleanUp, .doctor: true
        case .session(_, let action): action.isShort
        }
    }

    /// Whether frames of the result must be passed on immediately, because more may follow only later.
    var isStreamed: Bool {
        if case .session(_, .execute) = self { true } else { !isShort }
    }

    /// How long the call may work without sending anything; nil if it waits for a program.
    var workLimit: Duration? {
        if case .session(_, let action) = self { action.workLimit } else { .zero }
    }

    /// The role that a link must have for the call.
    var role: PageRole {
        switch self {
        case .list: .read
        case .create, .cleanUp, .doctor: .owner
        case .session(_, let action): action.role
        }
    }
}

// MARK: - Encoding

/// The encoding is documented in docs/protocol.md.
extension SessionCall {
    private static let pieceBytes = 128 << 10

    /// The frames that make the call on another machine.
    package var frames: [SessionFrame] {
        var (call, data) = (self, [UInt8]())
        let json = CallFields.write { fields in
            var verb = call.verb
            fields.field("call", &verb)
            call.declare(&fields, &data)
            var count = data.count
            fields.field("data", &count, default: 0)
        }
        let starts = stride(from: 0, to: data.count, by: Self.pieceBytes)
        return [.call(json)] + starts.map { .data(Array(data[$0...].prefix(Self.pieceBytes))) }
    }

    /// The number of data bytes that follow a call.
    static func dataBytes(of json: [UInt8]) throws(VTError) -> Int {
        var (fields, count) = (try CallFields(reading: json), 0)
        fields.field("data", &count, default: 0)
        return count
    }

    /// Decodes a call.
    ///
    /// - Throws: `protocol` for a call, or an argument, that this version does not know; `usage` for an invalid value.
    package init(_ json: [UInt8], data: [UInt8]) throws(VTError) {
        var (fields, data) = (try CallFields(reading: json), data)
        var (verb, count): (String?, Int?)
        fields.field("call", &verb)
        fields.field("data", &count)
        guard let verb, var call = Self.empty(verb, &fields) else {
            throw VTError(.protocolViolation, "this version of vt does not support the call")
        }
        call.declare(&fields, &data)
        try fields.check()
        // An argument that is ignored could change what the call does.
        if let unknown = fields.unknown.min() {
            throw VTError(.protocolViolation, "this version of vt does not support '\(unknown)' of the call '\(verb)'")
        }
        self = call
    }

    private var verb: String {
        switch self {
        case .create: "create"
        case .list: "list"
        case .cleanUp: "cleanup"
        case .doctor: "doctor"
        case .session(_, let action): action.verb
        }
    }

    /// The call without its arguments, other than those without a default.
    private static func empty(_ verb: String, _ fields: inout CallFields) -> SessionCall? {
        switch verb {
        case "create":
            var name: SessionName?
            fields.field("name", &name)
            return name.map { .create(SessionCreation(name: $0, command: [])) }
        case "list": return .list(SessionFilter())
        case "cleanup": return .cleanUp([], SessionFilter(), isDryRun: false)
        case "doctor": return .doctor
        default: return SessionAction.empty(verb, &fields).map { .session("", $0) }
        }
    }

    /// Declares the arguments.
    private mutating func declare(_ fields: inout CallFields, _ data: inout [UInt8]) {
        switch self {
        case .create(var creation):
            creation.declare(&fields, &data)
            self = .create(creation)
        case .list(var filter):
            filter.declare(&fields)
            self = .list(filter)
        case .cleanUp(var sessions, var filter, var isDryRun):
            fields.field("sessions", &sessions, default: [])
            filter.declare(&fields)
            fields.field("dry_run", &isDryRun, default: false)
            self = .cleanUp(sessions, filter, isDryRun: isDryRun)
        case .doctor: break
        case .session(var session, var action):
            action.declare(&fields, &data)
            fields.field("session", &session, default: "")
            self = .session(session, action)
        }
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
