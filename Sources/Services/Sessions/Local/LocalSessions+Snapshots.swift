import Core
import Runtime
import System

extension LocalSessions {
    private var service: SnapshotService {
        get throws(VTError) {
            guard var service = snapshots else { throw VTError(.internal, "these sessions have no snapshots") }
            // The relay passes messages on to its client.
            service.diagnostics = diagnostics
            return service
        }
    }

    func snapshot(_ request: SnapshotRequest, of name: String) async throws(VTError) -> Snapshot {
        try await service.create(request, for: origin(try host.session(name)))
    }

    func snapshots(of name: String) throws(VTError) -> [Snapshot] {
        try service.snapshots(for: origin(try host.session(name)))
    }

    func removeSnapshots(_ words: [String], of name: String) async throws(VTError) -> [Snapshot] {
        try await service.remove(words, for: origin(try host.session(name)))
    }

    func diff(_ request: DiffRequest, of name: String, to sink: any ByteSink) async throws(VTError) -> Bool {
        let session = try await session(name)
        return try await service.diff(request, for: origin(session), turn: session.shell?.turn ?? 0, to: sink)
    }

    /// The session, with the current directory of its shell if that is known.
    private func origin(_ session: Session) -> SnapshotService.Origin {
        let current = session.state.isLive ? session.program.flatMap { WorkingDirectory.path(of: $0.processID) } : nil
        return SnapshotService.Origin(
            session: session.id.text,
            directory: current ?? session.shell?.directory ?? session.directory
        )
    }

    // MARK: - Rollback

    /// - Throws: `busy` when a command may be running in the session, unless the request is forced.
    func rollBack(
        _ name: String,
        _ request: RollbackRequest,
        receiver: any OutputReceiver
    ) async throws(VTError) -> RollbackResult {
        let session = try await session(name)
        if session.state.isLive, !session.state.isSuspended, !request.isForced, !request.isDryRun {
            try await checkPrompt(of: session, receiver: receiver)
        }
        let result = try await service.rollBack(request, for: origin(session))
        guard !request.isDryRun else { return result }
        await mark(result, in: session)
        if session.state.isLive, let program = session.program,
            WorkingDirectory.path(of: program.processID)?.hasSuffix(" (deleted)") ?? false
        {
            diagnostics.note("the working directory of '\(session.name)' no longer exists")
        }
        return result
    }

    /// How long the shell may take to show its prompt, after a command has ended and after the start of the session.
    private static let promptLimits = (ended: Duration.milliseconds(500), started: Duration.seconds(10))

    /// - Throws: `busy` unless the shell of the session is at its prompt.
    private func checkPrompt(of session: Session, receiver: any OutputReceiver) async throws(VTError) {
        guard session.shell?.state != .prompt else { return }
        let reason =
            session.shell == nil
            ? "its program is not a shell that reports its prompts" : "its shell is not at its prompt"
        let busy = VTError(
            .busy,
            "'\(session.name)' may be running a command: \(reason)",
            hint: "to roll back nevertheless, add --force"
        )
        var limit = Self.promptLimits.ended
        if session.shell?.state == .unknown, let start = session.startedAt {
            // The clock may have been set back since.
            let age = max(0, Timestamp.now().seconds - start.seconds)
            limit = max(.zero, Self.promptLimits.started - .seconds(age))
        } else if session.shell?.state != .running {
            throw busy
        }
        _ = try await withTimeout(limit, on: clock, throwing: busy) { () async throws(VTError) in
            try await wait(WaitRequest([.prompt]), of: session.id.text, receiver: receiver) { _ in }
        }
    }

    /// Adds a marker with the names of both snapshots to the timeline of a live session.
    private func mark(_ result: RollbackResult, in session: Session) async {
        guard session.state.isLive else { return }
        do throws(VTError) {
            let label = "rollback to snapshot \(result.snapshot), from \(result.safety ?? "")"
            _ = try await mark(session.id.text, try MarkerLabel(label))
        } catch {
            // The files are as wanted, which matters more.
            diagnostics.note("cannot add a marker to '\(session.name)': \(error.message)")
        }
    }

    // MARK: - Automatic snapshots

    /// Takes a snapshot before a line is run in the shell of a session, if the session is created so.
    ///
    /// If a command is running and the line may wait, waits until the shell is at its prompt. If it may not, the command
    /// may have ended just before; otherwise, the line will be refused.
    ///
    /// - Throws: `busy` when the shell is not at its prompt within that time.
    func snapshotAutomatically(
        before request: LineExecution,
        in session: Session,
        receiver: any OutputReceiver
    ) async throws(VTError) {
        guard session.automaticSnapshots != nil, session.state == .running, !request.isRepeated else { return }
        let id = session.id.text
        guard var shell = try await self.session(id).shell else { return }
        if shell.state == .running, let patience = request.patience {
            let busy = VTError(.busy, "'\(session.name)' has been running a command for \(patience.shortText)")
            _ = try await withTimeout(patience, on: clock, throwing: busy) { () async throws(VTError) in
                try await wait(WaitRequest([.prompt]), of: id, receiver: receiver) { _ in }
            }
            shell = try await self.session(id).shell ?? shell
        }
        await snapshotAutomatically(session, before: shell.turn + 1, timeout: request.timeout)
    }

    /// Takes a snapshot before input is sent that ends a line at the prompt of a shell, if the session is created so.
    func snapshotAutomatically(
        before input: [UInt8],
        in session: Session,
        timeout: Duration?
    ) async throws(VTError) {
        guard session.automaticSnapshots != nil, session.state == .running,
            input.contains(where: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }),
            let shell = try await self.session(session.id.text).shell, shell.state == .prompt
        else { return }
        await snapshotAutomatically(session, before: shell.turn + 1, timeout: timeout)
    }

    /// A failure is reported, but does not prevent the command, for which half of the time remains.
    func snapshotAutomatically(_ session: Session, before turn: UInt64, timeout: Duration? = nil) async {
        guard let kept = session.automaticSnapshots else { return }
        do throws(VTError) {
            let service = try service
            let origin = origin(session)
            guard let timeout else {
                return try await service.createAutomatically(before: turn, keeping: kept, for: origin)
            }
            let limit = timeout / 2
            let late = VTError(.timedOut, "it took longer than half of the timeout, \(limit.shortText)")
            try await withTimeout(limit, on: clock, throwing: late) { () async throws(VTError) in
                try await service.createAutomatically(before: turn, keeping: kept, for: origin)
            }
        } catch {
            diagnostics.failure("no snapshot was taken: \(error.message)")
        }
    }
}
