import Core
import Glibc
import System

/// A tree with its store, while something is done with its snapshots.
struct SnapshotPlace: Sendable {
    let store: SnapshotStore
    /// The user's repository that contains the tree.
    let repository: UserRepository?
    let environment: Environment
    let clock: any Clock<Duration>
    let diagnostics: any Diagnostics

    /// Runs `body` while no other process works on the snapshots of the tree, and passes the tree and a descriptor of
    /// the lock.
    ///
    /// - Throws: `not-found` when the tree does not exist; `busy` when another process holds the lock for longer than
    ///   `patience`.
    func withLock<Result: Sendable>(
        within patience: Duration = Self.lockTimeout,
        _ body: (TreeDirectory, CInt) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard let root = try TreeDirectory(root: store.tree) else {
            throw VTError(.notFound, "the directory '\(store.tree)' does not exist")
        }
        try FileContents.makeDirectory(store.path)
        let file = try await lockedFile(within: patience)
        defer { file.unlock() }
        try store.prepare()
        try store.removeScratch()
        if let (_, safety) = try store.interruptedRollback() { try RollbackStage.remove(safety, in: root) }
        Fault.point(.snapshotPrepared)
        let descriptor = try file.duplicate()
        defer { store.removeNewObjects() }
        do throws(VTError) {
            return try await body(root, descriptor.number)
        } catch {
            // The disk may be full.
            try? store.removePartialObjects()
            throw error
        }
    }

    /// How long to wait for the lock: as long as a snapshot of a large tree may take after a few changes.
    static let lockTimeout = Duration.seconds(60)
    /// How long a command waits for the snapshot of another one.
    static let automaticLockTimeout = Duration.seconds(5)

    /// Opens and locks the file of the lock, which contains the process ID of the last holder, for messages.
    ///
    /// The lock is released when the process that holds it ends, and `git gc`, which deletes objects, holds it too.
    ///
    /// - Throws: `busy`.
    private func lockedFile(within patience: Duration) async throws(VTError) -> OpenFile {
        let path = "\(store.path)/lock"
        let file = try OpenFile(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, failure: .cannotCreate)
        try await FileLock.retry(within: patience, on: clock) { () throws(VTError) in
            guard try file.tryLock() else { throw Self.busy(path) }
        }
        file.truncate(to: 0)
        try file.writeAll(Array("\(LinuxProcess.processID)\n".utf8))
        return file
    }

    private static func busy(_ path: String) -> VTError {
        let contents = (try? FileContents.read(path)) ?? []
        let processID = String(decoding: contents.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return VTError(
            .busy,
            "process \(processID) is working on the snapshots of the same directory",
            hint: "to see what it does, run: ps -fp \(processID)"
        )
    }

    func capture(
        _ root: TreeDirectory,
        _ scope: SnapshotScope,
        _ limits: SnapshotLimits,
        isStrict: Bool
    ) -> TreeCapture {
        TreeCapture(
            store: store,
            root: root,
            scope: scope,
            limits: limits,
            isStrict: isStrict,
            repository: repository,
            environment: environment
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
