import Core
import Synchronization

extension SessionClient {
    /// Takes a snapshot of the directory tree of a session.
    ///
    /// - Throws: the errors of `SnapshotService`, as do the following functions.
    package func snapshot(_ name: String, _ request: SnapshotRequest) async throws(VTError) -> Snapshot {
        try first(of: try records(in: try await result(of: .session(name, .snapshot(request)))))
    }

    /// Returns the snapshots of a session and its tree, oldest first.
    package func snapshots(of name: String) async throws(VTError) -> [Snapshot] {
        try records(in: try await result(of: .session(name, .snapshots)))
    }

    /// Removes snapshots, given by name or ID, and returns them.
    package func removeSnapshots(_ snapshots: [String], of name: String) async throws(VTError) -> [Snapshot] {
        try records(in: try await result(of: .session(name, .removeSnapshots(snapshots))))
    }

    /// Moves the tree of a session back to a snapshot.
    ///
    /// - Throws: `busy` unless the session's shell is at its prompt, or the request is forced.
    package func rollBack(_ name: String, _ request: RollbackRequest) async throws(VTError) -> RollbackResult {
        try first(of: try records(in: try await result(of: .session(name, .rollBack(request)))))
    }

    /// Passes the differences between two states of a session's tree to the sink; returns whether there are any.
    package func diff(_ name: String, _ request: DiffRequest, to sink: any ByteSink) async throws(VTError) -> Bool {
        let results = Mutex<[SessionFrame]>([])
        try await machine.perform(.session(name, .diff(request))) { frame throws(VTError) in
            if case .data(let bytes) = frame { try await sink.write(bytes) }
            results.withLock { if case .result = frame { $0.append(frame) } }
            return true
        }
        var differs = false
        try fields(in: results.withLock { $0 }) { $0.field("differs", &differs) }
        return differs
    }
}
