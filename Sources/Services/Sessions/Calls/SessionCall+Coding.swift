import Core
import Recording

/// The encoding of calls, documented in docs/protocol.md.
extension SessionCall {
    enum Verb: String, JSONReadable {
        case create, list, show, logs, record, send, wait, screen, resize, mark, rename, kill, freeze, pause, resume
        case cleanup, connect, doctor
        case execute = "exec"
        case turns = "history"
        case requestState = "request"
        case snapshot, snapshots, diff
        case removeSnapshots = "remove_snapshots"
        case rollBack = "rollback"
    }

    private static let pieceBytes = 128 << 10

    /// The frames that make the call on another machine.
    package var frames: [SessionFrame] {
        var (call, data) = (self, [UInt8]())
        let json = CallFields.write { fields in
            var verb: Verb? = call.verb
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
        var (verb, count): (Verb?, Int?)
        fields.field("call", &verb)
        fields.field("data", &count)
        guard let verb, var call = Self.empty(verb, &fields) else {
            throw VTError(.protocolViolation, "this version of vt does not support the call")
        }
        call.declare(&fields, &data)
        try fields.check()
        // An argument that is ignored could change what the call does.
        if let unknown = fields.unknown.min() {
            throw VTError(
                .protocolViolation,
                "this version of vt does not support '\(unknown)' of the call '\(verb.rawValue)'"
            )
        }
        self = call
    }

    /// The call without its arguments, other than those without a default.
    private static func empty(_ verb: Verb, _ fields: inout CallFields) -> SessionCall? {
        var name: SessionName?
        fields.field("name", &name)
        switch verb {
        case .create: return name.map { .create(SessionCreation(name: $0, command: [])) }
        case .rename: return name.map { .rename("", to: $0) }
        case .list: return .list(SessionFilter())
        case .show: return .show("")
        case .logs: return .logs("", from: .offset(0), follows: false)
        case .record: return .record("", RecordRequest())
        case .send: return .send("", [], waits: false, timeout: nil)
        case .requestState: return .requestState("", request: "")
        case .execute: return .execute("", LineExecution([]))
        case .wait: return .wait("", WaitRequest([.exit]))
        case .screen: return .screen("", ScreenRequest())
        case .turns: return .turns("", TurnFilter())
        case .resize: return .resize("", .standard)
        case .mark: return .mark("", .none)
        case .kill: return .kill("", signal: nil, grace: .zero)
        case .freeze: return .suspend("", .freeze)
        case .pause: return .suspend("", .pause)
        case .resume: return .suspend("", .resume)
        case .cleanup: return .cleanUp([], SessionFilter(), isDryRun: false)
        case .connect: return .connect("")
        case .doctor: return .doctor
        case .snapshot: return .snapshot("", SnapshotRequest())
        case .snapshots: return .snapshots("")
        case .removeSnapshots: return .removeSnapshots("", [])
        case .rollBack: return .rollBack("", RollbackRequest(""))
        case .diff: return .diff("", DiffRequest())
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
        case .show(let session): self = .show(Self.declare(session, &fields))
        case .connect(let session): self = .connect(Self.declare(session, &fields))
        case .doctor: break
        case .snapshot, .snapshots, .removeSnapshots, .rollBack, .diff: declareSnapshots(&fields, &data)
        case .logs, .record, .send, .execute, .wait, .screen, .turns, .requestState, .resize, .mark, .rename, .kill,
            .suspend:
            declareRest(&fields, &data)
        }
    }

    private static func declare(_ session: String, _ fields: inout CallFields) -> String {
        var session = session
        fields.field("session", &session, default: "")
        return session
    }

    private mutating func declareRest(_ fields: inout CallFields, _ data: inout [UInt8]) {
        switch self {
        case .logs(let session, var start, var follows):
            start.declare(&fields)
            fields.field("follow", &follows, default: false)
            self = .logs(Self.declare(session, &fields), from: start, follows: follows)
        case .record(let session, var request):
            request.declare(&fields)
            self = .record(Self.declare(session, &fields), request)
        case .send(let session, let input, var waits, var timeout, var request):
            // One of them is empty.
            data += input
            fields.field("wait", &waits, default: false)
            fields.field("timeout_ms", &timeout)
            fields.field("request", &request)
            if request?.utf8.count ?? SessionFrame.tokenBytes < SessionFrame.tokenBytes { fields.reject("request") }
            let name = Self.declare(session, &fields)
            self = .send(name, data, waits: waits, timeout: timeout, request: request)
        case .requestState(let session, var request):
            fields.field("request", &request)
            if request.utf8.count < SessionFrame.tokenBytes { fields.reject("request") }
            self = .requestState(Self.declare(session, &fields), request: request)
        case .execute(let session, var request):
            request.declare(&fields, &data)
            self = .execute(Self.declare(session, &fields), request)
        case .wait(let session, var request):
            request.declare(&fields, &data)
            self = .wait(Self.declare(session, &fields), request)
        case .screen(let session, var request):
            request.declare(&fields)
            self = .screen(Self.declare(session, &fields), request)
        case .turns(let session, var filter):
            filter.declare(&fields)
            self = .turns(Self.declare(session, &fields), filter)
        case .resize(let session, var size):
            fields.field("size", &size, default: .standard)
            self = .resize(Self.declare(session, &fields), size)
        case .mark(let session, var label):
            fields.field("label", &label, default: .none)
            self = .mark(Self.declare(session, &fields), label)
        case .rename(let session, var name):
            fields.field("name", &name)
            self = .rename(Self.declare(session, &fields), to: name)
        case .kill(let session, var signal, var grace):
            fields.field("signal", &signal)
            fields.field("grace_ms", &grace, default: .zero)
            self = .kill(Self.declare(session, &fields), signal: signal, grace: grace)
        case .suspend(let session, let suspension):
            var isForced = suspension == .forcedPause
            if suspension == .pause || isForced { fields.field("force", &isForced, default: false) }
            self = .suspend(Self.declare(session, &fields), isForced ? .forcedPause : suspension)
        case .create, .list, .cleanUp, .show, .connect, .doctor: break
        case .snapshot, .snapshots, .removeSnapshots, .rollBack, .diff: break
        }
    }

    private mutating func declareSnapshots(_ fields: inout CallFields, _ data: inout [UInt8]) {
        switch self {
        case .snapshot(let session, var request):
            request.declare(&fields)
            self = .snapshot(Self.declare(session, &fields), request)
        case .snapshots(let session): self = .snapshots(Self.declare(session, &fields))
        case .removeSnapshots(let session, var snapshots):
            fields.field("snapshots", &snapshots, default: [])
            self = .removeSnapshots(Self.declare(session, &fields), snapshots)
        case .rollBack(let session, var request):
            request.declare(&fields, &data)
            self = .rollBack(Self.declare(session, &fields), request)
        case .diff(let session, var request):
            request.declare(&fields, &data)
            self = .diff(Self.declare(session, &fields), request)
        default: break
        }
    }

    private var verb: Verb {
        switch self {
        case .create: .create
        case .list: .list
        case .show: .show
        case .logs: .logs
        case .record: .record
        case .send: .send
        case .execute: .execute
        case .wait: .wait
        case .screen: .screen
        case .turns: .turns
        case .requestState: .requestState
        case .resize: .resize
        case .mark: .mark
        case .rename: .rename
        case .kill: .kill
        case .suspend(_, .freeze): .freeze
        case .suspend(_, .pause), .suspend(_, .forcedPause): .pause
        case .suspend(_, .resume): .resume
        case .cleanUp: .cleanup
        case .connect: .connect
        case .doctor: .doctor
        case .snapshot: .snapshot
        case .snapshots: .snapshots
        case .removeSnapshots: .removeSnapshots
        case .rollBack: .rollBack
        case .diff: .diff
        }
    }
}
