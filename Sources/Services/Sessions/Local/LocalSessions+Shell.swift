import Core

extension LocalSessions {
    /// Runs a line in a session's shell; calls `onStart` with the offset at which its output starts.
    func execute(
        _ request: LineExecution,
        in name: String,
        receiver: any OutputReceiver,
        onStart: @escaping @Sendable (UInt64) async throws(VTError) -> Void
    ) async throws(VTError) -> LineOutcome {
        let session = try await startedSession(name)
        if request.patience == nil, let error = session.suspensionError() { throw error }
        let log = try log(of: session)
        try await receiver.resized(to: session.size)
        let start = ContinuousClock.now
        try await snapshotAutomatically(before: request, in: session, receiver: receiver)
        var request = request
        if let timeout = request.timeout { request.timeout = max(.zero, timeout - (ContinuousClock.now - start)) }
        return try await withHolder(of: session) { connection throws(VTError) in
            try await LineRun(self, session, log, connection, request, receiver).outcome(onStart)
        }
    }

    /// The selected turns of a session, oldest first.
    ///
    /// - Throws: `negative` when the program of the session does not report its commands.
    func turns(of name: String, _ filter: TurnFilter) throws(VTError) -> [Turn] {
        let session = try host.session(name)
        guard session.shell != nil else {
            throw VTError(.negative, "the program of '\(session.name)' is not a shell that reports its commands")
        }
        let log = try log(of: session)
        var list = TurnList(
            filter,
            isLive: session.state.isLive && session.state != .paused,
            firstOffset: try log.firstOffset(),
            now: .now()
        )
        try log.turnMarks { event in list.add(event) }
        return list.turns.reversed()
    }
}
