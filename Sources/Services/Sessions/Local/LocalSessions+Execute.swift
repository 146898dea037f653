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
        if request.patience == nil, let error = session.suspensionError { throw error }
        let log = try log(of: session)
        try await receiver.resized(to: session.size)
        try await snapshotAutomatically(before: request, in: session, receiver: receiver)
        return try await withHolder(of: session) { connection throws(VTError) in
            try await LineRun(self, session, log, connection, request, receiver).outcome(onStart)
        }
    }
}
