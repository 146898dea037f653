import Core
import Recording

/// What a `SessionCall` does with one session.
package enum SessionAction: Sendable {
    case show
    case logs(from: LogStart, follows: Bool)
    case record(RecordRequest)
    /// With the ID of a request, input that the holder has received before is not written again.
    case send([UInt8], waits: Bool, timeout: Duration?, request: String? = nil)
    /// Asks what is known about a request with this ID.
    case requestState(String)
    case execute(LineExecution)
    case wait(WaitRequest)
    case screen(ScreenRequest)
    case turns(TurnFilter)
    case resize(TerminalSize)
    case mark(MarkerLabel)
    case rename(SessionName)
    case kill(signal: SignalName?, grace: Duration)
    case suspend(Suspension)
    case snapshot(SnapshotRequest)
    case snapshots
    case removeSnapshots([String])
    case rollBack(RollbackRequest)
    case diff(DiffRequest)
    /// Connects to the holder: after the call, the channel carries the frames of client and holder.
    case connect
}

extension SessionAction {
    /// See `SessionCall.isShort`; `resume` starts a program, like `create`.
    var isShort: Bool {
        switch self {
        case .connect, .wait, .logs(_, follows: true), .suspend(.resume): false
        case .snapshot, .removeSnapshots, .rollBack, .diff: false
        case .record(let request): !request.follows
        default: true
        }
    }

    /// See `SessionCall.workLimit`.
    var workLimit: Duration? {
        switch self {
        case .send, .execute, .wait, .connect, .logs(_, follows: true): nil
        case .snapshot, .removeSnapshots, .rollBack, .diff: nil
        case .record(let request): request.follows ? nil : .zero
        case .kill(_, let grace): grace * 2
        case .suspend: Suspension.limit
        default: .zero
        }
    }

    /// See `SessionCall.role`.
    var role: PageRole {
        switch self {
        case .show, .logs, .record, .wait, .screen, .turns, .requestState, .connect: .read
        case .send, .execute, .resize, .mark: .write
        case .rename, .kill, .suspend: .owner
        // They concern files, which cannot be seen in the session.
        case .snapshot, .snapshots, .removeSnapshots, .rollBack, .diff: .owner
        }
    }
}

// MARK: - Encoding

extension SessionAction {
    var verb: String {
        switch self {
        case .show: "show"
        case .logs: "logs"
        case .record: "record"
        case .send: "send"
        case .requestState: "request"
        case .execute: "exec"
        case .wait: "wait"
        case .screen: "screen"
        case .turns: "history"
        case .resize: "resize"
        case .mark: "mark"
        case .rename: "rename"
        case .kill: "kill"
        case .suspend(.freeze): "freeze"
        case .suspend(.pause), .suspend(.forcedPause): "pause"
        case .suspend(.resume): "resume"
        case .snapshot: "snapshot"
        case .snapshots: "snapshots"
        case .removeSnapshots: "remove_snapshots"
        case .rollBack: "rollback"
        case .diff: "diff"
        case .connect: "connect"
        }
    }

    /// The action without its arguments, other than those without a default; nil for an unknown verb.
    static func empty(_ verb: String, _ fields: inout CallFields) -> SessionAction? {
        switch verb {
        case "show": return .show
        case "logs": return .logs(from: .offset(0), follows: false)
        case "record": return .record(RecordRequest())
        case "send": return .send([], waits: false, timeout: nil)
        case "request": return .requestState("")
        case "exec": return .execute(LineExecution([]))
        case "wait": return .wait(WaitRequest([.exit]))
        case "screen": return .screen(ScreenRequest())
        case "history": return .turns(TurnFilter())
        case "resize": return .resize(.standard)
        case "mark": return .mark(.none)
        case "rename":
            var name: SessionName?
            fields.field("name", &name)
            return name.map { .rename($0) }
        case "kill": return .kill(signal: nil, grace: .zero)
        case "freeze": return .suspend(.freeze)
        case "pause": return .suspend(.pause)
        case "resume": return .suspend(.resume)
        case "snapshot": return .snapshot(SnapshotRequest())
        case "snapshots": return .snapshots
        case "remove_snapshots": return .removeSnapshots([])
        case "rollback": return .rollBack(RollbackRequest(""))
        case "diff": return .diff(DiffRequest())
        case "connect": return .connect
        default: return nil
        }
    }

    /// Declares the arguments.
    mutating func declare(_ fields: inout CallFields, _ data: inout [UInt8]) {
        switch self {
        case .show, .snapshots, .connect: break
        case .logs(var start, var follows):
            start.declare(&fields)
            fields.field("follow", &follows, default: false)
            self = .logs(from: start, follows: follows)
        case .record(var request):
            request.declare(&fields)
            self = .record(request)
        case .send(let input, var waits, var timeout, var request):
            // One of them is empty.
            data += input
            fields.field("wait", &waits, default: false)
            fields.field("timeout_ms", &timeout)
            fields.field("request", &request)
            if request?.utf8.count ?? SessionFrame.tokenBytes < SessionFrame.tokenBytes { fields.reject("request") }
            self = .send(data, waits: waits, timeout: timeout, request: request)
        case .requestState(var request):
            fields.field("request", &request)
            if request.utf8.count < SessionFrame.tokenBytes { fields.reject("request") }
            self = .requestState(request)
        case .execute(var request):
            request.declare(&fields, &data)
            self = .execute(request)
        case .wait(var request):
            request.declare(&fields, &data)
            self = .wait(request)
        case .screen(var request):
            request.declare(&fields)
            self = .screen(request)
        case .turns(var filter):
            filter.declare(&fields)
            self = .turns(filter)
        case .resize(var size):
            fields.field("size", &size, default: .standard)
            self = .resize(size)
        case .mark(var label):
            fields.field("label", &label, default: .none)
            self = .mark(label)
        case .rename(var name):
            fields.field("name", &name)
            self = .rename(name)
        case .kill(var signal, var grace):
            fields.field("signal", &signal)
            fields.field("grace_ms", &grace, default: .zero)
            self = .kill(signal: signal, grace: grace)
        case .suspend(let suspension):
            var isForced = suspension == .forcedPause
            if suspension == .pause || isForced { fields.field("force", &isForced, default: false) }
            self = .suspend(isForced ? .forcedPause : suspension)
        case .snapshot(var request):
            request.declare(&fields)
            self = .snapshot(request)
        case .removeSnapshots(var snapshots):
            fields.field("snapshots", &snapshots, default: [])
            self = .removeSnapshots(snapshots)
        case .rollBack(var request):
            request.declare(&fields, &data)
            self = .rollBack(request)
        case .diff(var request):
            request.declare(&fields, &data)
            self = .diff(request)
        }
    }
}
