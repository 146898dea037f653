import Core

extension LocalSessions {
    package func perform(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        switch call {
        case .create(let creation):
            let (session, isNew) = try await create(creation)
            try await pass(session, isNew: isNew, to: receive)
        case .list(let filter): try await pass(try await sessions(filter), to: receive)
        case .cleanUp(let names, let filter, let isDryRun):
            try await pass(try await cleanUp(names, filter, isDryRun: isDryRun), to: receive)
        case .doctor: throw VTError(.internal, "this call does not concern sessions")
        case .session(let name, let action): try await perform(action, on: name, receive)
        }
    }

    private func perform(
        _ action: SessionAction,
        on name: String,
        _ receive: @escaping SessionReceiver
    ) async throws(VTError) {
        switch action {
        case .show: _ = try await receive(.record(try await session(name)))
        case .logs(let start, let follows):
            let output = FrameOutput(receive: receive)
            let session = try await logs(of: name, from: start, follows: follows, receiver: output)
            _ = try await receive(.record(session))
        case .record(let request): try await record(name, request, to: FrameOutput(receive: receive))
        case .send(let bytes, let waits, let timeout, let request):
            let sent = try await send(bytes, to: name, waits: waits, timeout: timeout, request: request)
            _ = try await receive(.accepted(sequence: 0, offset: sent.offset ?? 0, isHidden: sent.isHidden))
        case .execute(let request):
            let output = FrameOutput(receive: receive)
            var outcome = try await execute(request, in: name, receiver: output) { (start) async throws(VTError) in
                _ = try await receive(.accepted(sequence: 0, offset: start))
            }
            _ = try await receive(.result(CallFields.write { outcome.declare(&$0) }))
        case .wait(let request):
            let output = FrameOutput(receive: receive)
            var outcome = try await wait(request, of: name, receiver: output) { (start) async throws(VTError) in
                _ = try await receive(.accepted(sequence: 0, offset: start))
            }
            _ = try await receive(.record(outcome.session))
            _ = try await receive(.result(CallFields.write { outcome.declare(&$0) }))
        case .screen(let request): try await Self.pass(try await screen(of: name, request), to: receive)
        case .requestState(let request):
            var state = try host.state(ofRequest: request, to: try host.session(name).id)
            _ = try await receive(.result(CallFields.write { $0.field("state", &state) }))
        case .turns(let filter):
            for turn in try turns(of: name, filter) {
                guard try await receive(.result(turn.json)) else { return }
            }
        case .resize(let size): try await resize(name, to: size)
        case .mark(let label):
            _ = try await receive(.accepted(sequence: 0, offset: try await mark(name, label)))
        case .rename(let new): try await rename(name, to: new)
        case .kill(let signal, let grace):
            let survivors = try await kill(name, signal: signal, grace: grace)
            _ = try await receive(.killed(survivors: survivors))
        case .suspend(let suspension):
            let (session, survivors) = try await suspend(name, suspension)
            _ = try await receive(.record(session))
            _ = try await receive(.killed(survivors: survivors))
        case .snapshot, .snapshots, .removeSnapshots, .rollBack, .diff:
            try await performSnapshots(action, on: name, receive)
        case .connect: throw VTError(.internal, "this call does not concern the records of sessions")
        }
    }

    /// Sends a screen in as many frames as necessary.
    static func pass(_ screen: SessionScreen, to receive: SessionReceiver) async throws(VTError) {
        _ = try await receive(.record(screen.session))
        _ = try await receive(.resized(screen.size))
        var rest = screen.state[...]
        repeat {
            let part = rest.prefix(SessionFrame.screenLimitBytes)
            rest = rest.dropFirst(part.count)
            _ = try await receive(.screen(offset: screen.offset, bytes: Array(part)))
        } while !rest.isEmpty
    }
}

extension SessionMachine {
    func pass(_ sessions: [Session], to receive: SessionReceiver) async throws(VTError) {
        for session in sessions {
            guard try await receive(.record(session)) else { return }
        }
    }

    /// Sends the result of the call `create`.
    func pass(_ session: Session, isNew: Bool, to receive: SessionReceiver) async throws(VTError) {
        _ = try await receive(.record(session))
        var isExisting = !isNew
        _ = try await receive(.result(CallFields.write { $0.field("is_existing", &isExisting, default: false) }))
    }
}

/// Passes on output and recordings as frames.
struct FrameOutput: OutputReceiver, ByteSink {
    let receive: SessionReceiver

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await receive(.output(offset: offset, bytes: bytes))
    }

    func resized(to size: TerminalSize) async throws(VTError) {
        _ = try await receive(.resized(size))
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        _ = try await receive(.gap(from: start, to: end))
    }

    /// Recordings are written in lines, or in pieces of at most 256 KiB.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        guard try await receive(.data(bytes)) else { throw .cancelled }
    }
}
