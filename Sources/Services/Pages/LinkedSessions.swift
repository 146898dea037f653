import Core

/// The sessions that a link leads to, for a client that makes calls instead of showing pages.
struct LinkedSessions: SessionMachine {
    private let access: PageAccess
    private let server: PageServer

    init(_ access: PageAccess, _ server: PageServer) {
        (self.access, self.server) = (access, server)
    }

    var greetingTimeout: Duration? { nil }

    func name(of session: String) -> String { session }

    func close() async {}

    /// - Throws: `auth.denied` for a call that the link does not allow; `not-found` for a session that it does not lead
    ///   to; `usage` for a call that no link offers.
    func perform(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        guard access.role >= call.role else { throw access.role.denial }
        switch call {
        case .doctor: throw VTError(.usage, "a link does not lead to the machine, only to its sessions")
        case .list: try await list(call, receive)
        case .create, .cleanUp([], _, _):
            guard server.catalog.servesAll else {
                throw VTError(.usage, "the server serves certain sessions only, and not the machine")
            }
            try await server.watched.client(of: nil).machine.perform(call, receive)
        case .cleanUp(let names, let filter, let isDryRun):
            for name in names {
                try await withSession(name) { machine, id async throws(VTError) in
                    try await machine.perform(.cleanUp([id], filter, isDryRun: isDryRun), receive)
                }
            }
        default:
            guard let name = call.session else { throw VTError(.internal, "the call names no session") }
            try await withSession(name) { machine, id async throws(VTError) in
                try await machine.perform(call.applied(to: id), receive)
            }
        }
    }

    func withHolder(
        of session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus? {
        let role = access.role
        return try await withSession(session) { machine, id async throws(VTError) in
            try await machine.withHolder(of: id) { channel async throws(VTError) in
                try await body(LinkedChannel(channel, role))
            }
        }
    }

    /// Runs `body` with the machine and the ID of a session, given by its reference, name or ID.
    ///
    /// - Throws: `not-found`; errors from `body`.
    private func withSession<Result>(
        _ name: String,
        _ body: (any SessionMachine, String) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let catalog = server.catalog
        if case .session(let profile, let id) = catalog.subject(named: name, for: access) {
            do throws(VTError) {
                return try await body(try server.watched.client(of: profile).machine, id.text)
            } catch {
                // Another session may have got the name in the meantime.
                guard error.code == .notFound else { throw error }
            }
        }
        try await catalog.refresh(isForced: true)
        guard case .session(let profile, let id) = catalog.subject(named: name, for: access) else {
            throw VTError(.notFound, "no session '\(name)'")
        }
        return try await body(try server.watched.client(of: profile).machine, id.text)
    }

    private func list(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        let catalog = server.catalog
        try await catalog.refresh(isForced: true)
        for profile in catalog.machines {
            try await server.watched.client(of: profile).machine.perform(call) { frame throws(VTError) in
                guard case .record(let session) = frame, catalog.serves(session, on: profile, to: access) else {
                    return true
                }
                return try await receive(frame)
            }
        }
    }
}

extension SessionCall {
    /// The role that a link must have for the call.
    fileprivate var role: PageRole {
        switch self {
        case .list, .show, .logs, .record, .wait, .screen, .turns, .requestState, .connect: .read
        case .send, .execute, .resize, .mark: .write
        case .create, .rename, .kill, .suspend, .cleanUp, .doctor: .owner
        // They concern files, which cannot be seen in the session.
        case .snapshot, .snapshots, .removeSnapshots, .rollBack, .diff: .owner
        }
    }

    /// The session of the call; nil for a call that does not concern exactly one.
    fileprivate var session: String? {
        switch self {
        case .show(let name), .logs(let name, _, _), .record(let name, _), .send(let name, _, _, _, _),
            .requestState(let name, _), .execute(let name, _), .wait(let name, _), .screen(let name, _),
            .turns(let name, _), .resize(let name, _), .mark(let name, _), .rename(let name, _), .kill(let name, _, _),
            .suspend(let name, _), .snapshot(let name, _), .snapshots(let name), .removeSnapshots(let name, _),
            .rollBack(let name, _), .diff(let name, _), .connect(let name):
            name
        case .create, .list, .cleanUp, .doctor: nil
        }
    }

    /// The same call to another session.
    fileprivate func applied(to name: String) -> SessionCall {
        switch self {
        case .show: .show(name)
        case .logs(_, let start, let follows): .logs(name, from: start, follows: follows)
        case .record(_, let request): .record(name, request)
        case .send(_, let bytes, let waits, let timeout, let request):
            .send(name, bytes, waits: waits, timeout: timeout, request: request)
        case .requestState(_, let request): .requestState(name, request: request)
        case .execute(_, let request): .execute(name, request)
        case .wait(_, let request): .wait(name, request)
        case .screen(_, let request): .screen(name, request)
        case .turns(_, let filter): .turns(name, filter)
        case .resize(_, let size): .resize(name, size)
        case .mark(_, let label): .mark(name, label)
        case .rename(_, let new): .rename(name, to: new)
        case .kill(_, let signal, let grace): .kill(name, signal: signal, grace: grace)
        case .suspend(_, let suspension): .suspend(name, suspension)
        case .snapshot(_, let request): .snapshot(name, request)
        case .snapshots: .snapshots(name)
        case .removeSnapshots(_, let snapshots): .removeSnapshots(name, snapshots)
        case .rollBack(_, let request): .rollBack(name, request)
        case .diff(_, let request): .diff(name, request)
        case .connect: .connect(name)
        case .create, .list, .cleanUp, .doctor: self
        }
    }
}

/// A channel to a holder that passes on only the frames that a link allows.
private actor LinkedChannel: SessionChannel {
    private let channel: any SessionChannel
    private let role: PageRole
    private var decoder = SessionFrameDecoder()

    init(_ channel: any SessionChannel, _ role: PageRole) {
        (self.channel, self.role) = (channel, role)
    }

    nonisolated var isPeerBusy: Bool { channel.isPeerBusy }

    nonisolated func read() async throws(VTError) -> [UInt8]? { try await channel.read() }

    nonisolated func close() async { await channel.close() }

    /// - Throws: `auth.denied` for a frame that the link does not allow.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        guard role != .owner else { return try await channel.write(bytes) }
        decoder.append(bytes)
        while let frame = try decoder.next() {
            guard role >= frame.role else {
                var denial = role.denial
                if case .attach = frame { denial.hint = "add --read-only" }
                throw denial
            }
            try await channel.write(frame.encoded)
        }
    }
}

extension SessionFrame {
    /// The role that a link must have for a frame to a holder.
    fileprivate var role: PageRole {
        switch self {
        case .hello, .status, .redraw: .read
        case .attach(let attachment): attachment.isReadOnly && attachment.size == nil ? .read : .write
        case .input, .identify, .resize, .colors, .execute, .withdraw, .marker: .write
        default: .owner
        }
    }
}

extension PageRole: Comparable {
    package static func < (left: PageRole, right: PageRole) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .write: 1
        case .owner: 2
        }
    }

    /// The error for something that a link with this role does not allow.
    var denial: VTError {
        switch self {
        case .read: VTError(.authDenied, "the link is for watching only")
        case .write, .owner: VTError(.authDenied, "the link allows watching and typing only")
        }
    }
}
