import Core
import System

/// A tree with its store, while something is done with its snapshots.
struct SnapshotPlace: Sendable {
    let store: SnapshotStore
    /// The user's repository that contains the tree.
    let repository: UserRepository?
    /// The user's home directory.
    let home: String
    let clock: any Clock<Duration>
    let diagnostics: any Diagnostics

    /// Runs `body` while no other process works on the snapshots of the tree, and passes a descriptor of the lock.
    ///
    /// - Throws: `not-found` when the tree does not exist.
    func withLock<Result: Sendable>(
        _ body: (CInt) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard FileVersion(at: store.tree) != nil else {
            throw VTError(.notFound, "the directory '\(store.tree)' does not exist")
        }
        try FileContents.makeDirectory(store.path)
        return try await StoreLock(path: "\(store.path)/lock", clock: clock).hold { lock throws(VTError) in
            try store.prepare()
            try store.removeScratch()
            if try store.interruptedRollback() != nil { try RollbackStage.removeAll(in: ByteString(store.tree)) }
            Fault.point(.snapshotPrepared)
            do throws(VTError) {
                return try await body(lock)
            } catch {
                // The disk may be full.
                try? store.removePartialObjects()
                throw error
            }
        }
    }

    func capture(_ scope: SnapshotScope, _ limits: SnapshotLimits, isStrict: Bool) -> TreeCapture {
        TreeCapture(
            store: store,
            scope: scope,
            limits: limits,
            isStrict: isStrict,
            repository: repository,
            home: home
        )
    }

    /// A new snapshot of a state, without its name.
    func snapshot(
        of state: TreeState,
        _ scope: SnapshotScope,
        _ origin: SnapshotService.Origin,
        after snapshots: [Snapshot]
    ) -> Snapshot {
        var snapshot = Snapshot()
        snapshot.id = String(RandomIdentifier.make().prefix(SnapshotStore.idDigits))
        snapshot.number = (snapshots.last?.number ?? 0) + 1
        snapshot.tree = store.tree
        snapshot.session = origin.session
        snapshot.createdAt = .now()
        snapshot.scope = scope
        snapshot.objectID = state.objectID
        snapshot.head = repository?.head
        snapshot.fileCount = state.fileCount
        snapshot.sizeBytes = state.sizeBytes
        snapshot.omitted = Array(state.omitted.prefix(Snapshot.omittedLimit))
        snapshot.omittedCount = state.omitted.count
        return snapshot
    }

    /// Has git pack the objects if there are many, without waiting for it: packing takes long, and can be done at any
    /// time.
    func packLater() async throws(VTError) {
        guard store.hasManyLooseObjects else { return }
        try await store.removeStaleReferences()
        try store.git.startCollection([]).dismiss(0)
    }

    /// Stores a snapshot, and makes its index the one with which the tree is compared next.
    func save(_ snapshot: Snapshot, _ state: TreeState) async throws(VTError) {
        try await store.add(snapshot, manifest: state.encodedManifest)
        Fault.point(.snapshotRecorded)
        try await store.adopt(state, for: snapshot.scope)
        Fault.point(.snapshotAdopted)
    }
}
