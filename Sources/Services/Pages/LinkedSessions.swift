import Core

/// The sessions that a link leads to, for a client that makes calls instead of showing pages.
struct LinkedSessions: SessionMachine {
    let server: PageServer
    let access: PageAccess

    /// - Throws: `auth.denied` for a call that the link does not allow; `not-found` for a session that it does not lead
    ///   to; `usage` for a call that no link offers.
    func perform(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        guard access.role >= call.verb.role else { throw access.role.denial }
        switch call.verb {
        case is DoctorRequest: throw VTError(.usage, "a link does not lead to the machine, only to its sessions")
        case is ListRequest: try await list(call, receive)
        case let request as CleanupRequest where !request.names.isEmpty:
            for name in request.names {
                try await withSession(name) { machine, id async throws(VTError) in
                    var request = request
                    request.names = [id]
                    try await machine.perform(SessionCall(request), receive)
                }
            }
        case is SessionCreation, is CleanupRequest:
            guard server.catalog.servesAll else {
                throw VTError(.usage, "the server serves certain sessions only, and not the machine")
            }
            try await server.watched.client(of: nil).machine.perform(call, receive)
        default:
            try await withSession(call.session) { machine, id async throws(VTError) in
                try await machine.perform(SessionCall(call.verb, on: id), receive)
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
        return try await catalog.withCurrent({ () throws(VTError) in try catalog.session(named: name, for: access) }) {
            session async throws(VTError) in
            try await body(try server.watched.client(of: session.profile).machine, session.id.text)
        }
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
        case .input, .identify, .resize, .colors, .execute, .withdraw, .marker, .ask, .force: .write
        default: .owner
        }
    }
}
