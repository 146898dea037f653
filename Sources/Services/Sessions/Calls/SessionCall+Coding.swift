import Core
import Recording

/// The encoding of calls, documented in docs/protocol.md.
extension SessionCall {
    /// The frames that make the call on another machine.
    package var frames: [SessionFrame] {
        var data: [UInt8] = []
        let json = CallFields.write { fields in write(&fields, &data) }
        var frames = [SessionFrame.call(json)]
        var rest = data[...]
        while !rest.isEmpty {
            frames.append(.data(Array(rest.prefix(Self.pieceBytes))))
            rest = rest.dropFirst(Self.pieceBytes)
        }
        return frames
    }

    /// The number of data bytes that follow a call.
    static func dataBytes(of json: [UInt8]) throws(VTError) -> Int {
        var (fields, count) = (try CallFields(reading: json), 0)
        fields.number("data", &count)
        try fields.check()
        return max(0, count)
    }

    /// Decodes a call.
    ///
    /// - Throws: `protocol` for a call, or an argument, that this version does not know; `usage` for an invalid value.
    package init(_ json: [UInt8], data: [UInt8]) throws(VTError) {
        var fields = try CallFields(reading: json)
        var (name, count) = ("", 0)
        fields.text("call", &name)
        fields.number("data", &count)
        guard let call = try Self.read(name, &fields, data) else {
            throw VTError(.protocolViolation, "this version of vt does not support the call '\(name)'")
        }
        try fields.check()
        // An argument that is ignored could change what the call does.
        if let unknown = fields.unknown.min() {
            throw VTError(.protocolViolation, "this version of vt does not support '\(unknown)' in the call '\(name)'")
        }
        self = call
    }

    private static let pieceBytes = 128 << 10

    // MARK: - Writing

    private func write(_ fields: inout CallFields, _ data: inout [UInt8]) {
        var (name, session): (String, String?) = (name, session)
        fields.text("call", &name)
        fields.text("session", &session)
        switch self {
        case .create(var creation):
            data = creation.words
            creation.declare(&fields)
            var count = creation.command.count
            fields.number("words", &count)
        case .list(var filter): filter.declare(&fields)
        case .show, .connect, .doctor: break
        case .logs(_, var start, var follows):
            start.declare(&fields)
            fields.flag("follow", &follows)
        case .record(_, var request): request.declare(&fields)
        case .send(_, let input, var timeout):
            data = input
            fields.duration("timeout_ms", &timeout)
        case .wait(_, let condition, var offset, var timeout):
            condition.write(&fields)
            fields.number("from", &offset)
            fields.duration("timeout_ms", &timeout)
        case .screen(_, var request): request.declare(&fields)
        case .resize(_, let size):
            var size = Optional(size)
            fields.size("size", &size)
        case .rename(_, let new):
            var new = new.text
            fields.text("name", &new)
        case .kill(_, let signal, let grace):
            var (signal, grace) = (signal?.text, Optional(grace))
            fields.text("signal", &signal)
            fields.duration("grace_ms", &grace)
        case .cleanUp(var sessions, var filter, var isDryRun):
            fields.texts("sessions", &sessions)
            filter.declare(&fields)
            fields.flag("dry_run", &isDryRun)
        }
        var count = data.count
        fields.number("data", &count)
    }

    private var name: String {
        switch self {
        case .create: "create"
        case .list: "list"
        case .show: "show"
        case .logs: "logs"
        case .record: "record"
        case .send: "send"
        case .wait: "wait"
        case .screen: "screen"
        case .resize: "resize"
        case .rename: "rename"
        case .kill: "kill"
        case .cleanUp: "cleanup"
        case .connect: "connect"
        case .doctor: "doctor"
        }
    }

    /// The session of the call; nil for calls that concern several sessions or a new one.
    private var session: String? {
        switch self {
        case .create, .list, .cleanUp, .doctor: nil
        case .show(let session), .connect(let session), .logs(let session, _, _), .record(let session, _),
            .send(let session, _, _), .wait(let session, _, _, _), .screen(let session, _), .resize(let session, _),
            .rename(let session, _), .kill(let session, _, _):
            session
        }
    }

    // MARK: - Reading

    /// Returns nil for an unknown call.
    private static func read(
        _ name: String,
        _ fields: inout CallFields,
        _ data: [UInt8]
    ) throws(VTError) -> SessionCall? {
        var session = ""
        fields.text("session", &session)
        switch name {
        case "create":
            var (new, count) = ("", 0)
            fields.text("name", &new)
            fields.number("words", &count)
            var creation = SessionCreation(name: try SessionName(new), command: [])
            creation.declare(&fields)
            try creation.read(data, count: count)
            return .create(creation)
        case "list", "cleanup":
            var (filter, sessions, isDryRun) = (SessionFilter(), [String](), false)
            filter.declare(&fields)
            guard name == "cleanup" else { return .list(filter) }
            fields.texts("sessions", &sessions)
            fields.flag("dry_run", &isDryRun)
            return .cleanUp(sessions, filter, isDryRun: isDryRun)
        case "show": return .show(session)
        case "connect": return .connect(session)
        case "doctor": return .doctor
        case "send":
            var timeout: Duration?
            fields.duration("timeout_ms", &timeout)
            return .send(session, data, timeout: timeout)
        case "rename":
            var new = ""
            fields.text("name", &new)
            return .rename(session, to: try SessionName(new))
        default: return try readRest(name, session, &fields)
        }
    }

    private static func readRest(
        _ name: String,
        _ session: String,
        _ fields: inout CallFields
    ) throws(VTError) -> SessionCall? {
        switch name {
        case "logs":
            var (start, follows) = (LogStart.offset(0), false)
            start.declare(&fields)
            fields.flag("follow", &follows)
            return .logs(session, from: start, follows: follows)
        case "record":
            var request = RecordRequest()
            request.declare(&fields)
            return .record(session, request)
        case "wait":
            let condition = try WaitCondition(&fields)
            var (offset, timeout): (UInt64?, Duration?)
            fields.number("from", &offset)
            fields.duration("timeout_ms", &timeout)
            return .wait(session, condition, from: offset, timeout: timeout)
        case "screen":
            var request = ScreenRequest()
            request.declare(&fields)
            return .screen(session, request)
        case "resize":
            var size: TerminalSize?
            fields.size("size", &size)
            return .resize(session, size ?? .standard)
        case "kill":
            var (signal, grace): (String?, Duration?)
            fields.text("signal", &signal)
            fields.duration("grace_ms", &grace)
            return .kill(session, signal: signal.map { SignalName($0) }, grace: grace ?? .zero)
        default: return nil
        }
    }
}
