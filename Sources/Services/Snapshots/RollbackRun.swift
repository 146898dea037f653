import Core
import Glibc
import System

/// Moves a tree to a snapshot: saves the current state, checks that no unsaved file is in the way, puts the new files
/// into a stage, and then replaces and removes files.
///
/// A rollback that was interrupted is finished by the next one, which starts from the state that it finds.
struct RollbackRun: Sendable {
    let place: SnapshotPlace
    let root: TreeDirectory
    let target: Snapshot
    let request: RollbackRequest
    let origin: SnapshotService.Origin

    private var store: SnapshotStore { place.store }
    private var git: Git { store.writer }

    /// How often the state is saved again if files change in the meantime.
    private static let attempts = 3

    /// Must be called with the lock of the store.
    ///
    /// - Throws: `exists` when unsaved files are in the way, in which case nothing is changed; `busy` when files keep
    ///   changing; `io` when the result is not that of the snapshot.
    func result() async throws(VTError) -> RollbackResult {
        try reportInterruption()
        let capture = place.capture(root, target.scope, target.limits, isStrict: false)
        // git lists the files of the target while it saves the current ones.
        async let listing = Result { () async throws(VTError) in try await targetListing() }
        for attempt in 1...Self.attempts {
            let state = try await capture.state()
            let changes = try await changes(from: state.objectID)
            let (entries, manifest) = try await listing.get()
            var plan = RollbackPlan(from: state, to: entries, manifest, changes, paths: request.paths)
            if let path = plan.missing(among: request.paths) {
                throw VTError(.notFound, "neither the snapshot nor the tree has saved files at '\(path.repairedText)'")
            }
            var result = RollbackResult()
            result.snapshot = target.id
            result.tree = store.tree
            result.changes = Self.listed(plan, changes)
            if target.head != place.repository?.head { result.earlierHead = target.head }
            result.isDryRun = request.isDryRun
            let guardian = try RollbackGuard(plan, root: root)
            try guardian.check()
            guard !request.isDryRun else { return result }
            // Files that have changed since they were saved would be lost.
            let statuses = try guardian.statuses()
            plan.replace(Set(plan.changedModes.filter { (statuses[$0]?.st_nlink ?? 0) > 1 }), by: entries)
            let changed = statuses.filter { !state.isCurrent($0.key, $0.value) }.keys.sorted {
                $0.bytes.lexicographicallyPrecedes($1.bytes)
            }
            guard changed.isEmpty else {
                guard attempt < Self.attempts else { throw Self.changing(changed) }
                try FileContents.remove("\(git.directory)/\(state.index)")
                continue
            }
            guard !plan.isEmpty else {
                try await store.adopt(state, for: target.scope)
                try store.recordRollbackEnd()
                return result
            }
            let safety = try await saved(state)
            result.safety = safety.id
            do throws(VTError) {
                try await perform(plan, statuses.mapValues { FileVersion($0) }, safety)
                try await verify(plan, capture)
            } catch {
                // Otherwise, nothing has been changed.
                guard try store.interruptedRollback() != nil else { throw error }
                var error = error
                let undo = "to undo it, roll back to the snapshot '\(safety.id)', which has the state before it"
                error.hint = error.hint.map { "\($0); \(undo)" } ?? undo
                throw error
            }
            return result
        }
        throw VTError(.internal, "a rollback has ended without a result")
    }

    // MARK: - Before

    private func targetListing() async throws(VTError) -> ([TreeEntry], Manifest) {
        let entries = try TreeEntry.parse(
            try await git.output(["ls-tree", "-r", "-z", ByteString(target.objectID)])
        )
        return (entries, try Manifest(decoding: try store.manifest(of: target), of: entries))
    }

    private func reportInterruption() throws(VTError) {
        guard let (earlier, safety) = try store.interruptedRollback() else { return }
        place.diagnostics.note(
            "a rollback of '\(store.tree)' to '\(earlier)' was interrupted; the snapshot of the state before it is '\(safety)'"
        )
    }

    private func saved(_ state: TreeState) async throws(VTError) -> Snapshot {
        var safety = place.snapshot(of: state, target.scope, origin, after: try store.snapshots())
        safety.kind = .safety
        safety.limits = target.limits
        try await place.save(safety, state)
        return safety
    }

    private func changes(from objectID: String) async throws(VTError) -> [TreeChange] {
        let words: [ByteString] = ["diff-tree", "-r", "-z", "--raw", "--no-renames"]
        return try TreeChange.parse(
            try await git.output(words + [ByteString(objectID), ByteString(target.objectID)])
        )
    }

    private static func listed(_ plan: RollbackPlan, _ changes: [TreeChange]) -> [FileChange] {
        let written = Set(plan.writes.map(\.path))
        let removed = Set(plan.removals)
        var listed: [FileChange] = []
        for change in changes where written.contains(change.path) || removed.contains(change.path) {
            let status: FileChange.Status =
                change.new == nil
                ? .deleted
                : change.old == nil ? .added : change.old?.isRegular == change.new?.isRegular ? .modified : .typeChanged
            listed.append(FileChange(change.path, status))
        }
        listed += plan.changedModes.map { FileChange($0, .modified) }
        return listed.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    private static func changing(_ paths: [ByteString]) -> VTError {
        VTError(
            .busy,
            "'\(paths.first?.repairedText ?? "")' keeps changing; nothing has been changed",
            hint: "stop the program that writes to the tree, for example with 'vt sessions freeze'"
        )
    }

    // MARK: - Changes

    private func perform(
        _ plan: RollbackPlan,
        _ versions: [ByteString: FileVersion],
        _ safety: Snapshot
    ) async throws(VTError) {
        try store.recordRollback(to: target, safety: safety)
        Fault.point(.rollbackPlanned)
        let access = WritableDirectories(root: root)
        var stage: RollbackStage?
        do throws(VTError) {
            if !plan.writes.isEmpty || !plan.removals.isEmpty {
                let new = try RollbackStage(
                    in: try access.open(""),
                    id: safety.id,
                    entries: plan.writes,
                    modes: plan.modes.files
                )
                stage = new
                try await new.fill(from: git, sizeBytes: target.sizeBytes)
            }
        } catch {
            // Nothing has been changed; a stage that cannot be removed now is removed by the next rollback.
            try? RollbackStage.remove(safety.id, in: root)
            try? access.restore()
            try store.recordRollbackEnd()
            throw error
        }
        Fault.point(.rollbackStaged)
        let (root, filled) = (root, stage)
        try await onOwnThread { () throws(VTError) in
            var changes = RollbackChanges(plan: plan, root: root, versions: versions, access: access)
            try changes.perform(filled)
            try filled?.remove()
            // Last, because the stage is in the tree.
            for directory in access.opened where plan.modes.directories[directory] == nil {
                try access.restore(directory)
            }
            try RollbackChanges.setModes(of: plan, root: root)
        }
        Fault.point(.rollbackChanged)
    }

    // MARK: - Verification

    /// Saves the tree again, and compares it with the target.
    private func verify(_ plan: RollbackPlan, _ capture: TreeCapture) async throws(VTError) {
        // The rollback may have changed the ignore rules, but what matters here are the files that it wrote.
        let state = try await capture.state(with: plan.writes.map(\.path))
        // Contents are compared by the trees of git.
        let contents = try await changes(from: state.objectID).map(\.path)
        let differences = (plan.differences(in: state) + contents).filter { path in
            request.paths.isEmpty || request.paths.contains { path.isBelowOrEqual($0) }
        }
        guard differences.isEmpty else {
            let path = differences[0].bytes.isEmpty ? store.tree : differences[0].repairedText
            throw VTError(
                .io,
                "after the rollback, '\(path)' is not as in the snapshot"
                    + (differences.count > 1 ? ", nor are \(differences.count - 1) others" : ""),
                hint: "stop the programs that write to the tree, and repeat the rollback"
            )
        }
        Fault.point(.rollbackVerified)
        try await store.adopt(state, for: target.scope)
        try store.recordRollbackEnd()
    }
}
