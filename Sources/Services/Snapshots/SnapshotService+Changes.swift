import Core
import System

/// Moving trees back, and comparing their states.
extension SnapshotService {
    /// Moves a tree back to a snapshot.
    ///
    /// - Throws: `not-found`; the errors of `RollbackRun`.
    package func rollBack(_ request: RollbackRequest, for origin: Origin) async throws(VTError) -> RollbackResult {
        let target = try Snapshot.find(request.snapshot, in: try snapshots(for: origin))
        let place = try place(ofTree: target.tree)
        // The whole tree may have been removed.
        if !request.isDryRun { try TreeDirectory.make(root: target.tree) }
        return try await place.withLock { root, _ throws(VTError) in
            try await RollbackRun(place: place, root: root, target: target, request: request, origin: origin).result()
        }
    }

    /// Passes the differences between two states of a tree to the sink; returns whether there are any.
    ///
    /// `turn` is the number of the command that the session's shell has started last.
    ///
    /// - Throws: `not-found`.
    package func diff(
        _ request: DiffRequest,
        for origin: Origin,
        turn: UInt64,
        to sink: any ByteSink
    ) async throws(VTError) -> Bool {
        let all = try snapshots(for: origin)
        let (from, to) = try sides(of: request, for: origin, turn: turn, in: all)
        let place = try place(ofTree: from.tree)
        guard to?.tree ?? from.tree == from.tree else {
            throw VTError(.usage, "'\(from.label)' and '\(to?.label ?? "")' are snapshots of different trees")
        }
        let old = try await side(of: from, in: place)
        let new: TreeDiff.Side
        if let to {
            new = try await side(of: to, in: place)
        } else {
            new = try await place.withLock { root, _ throws(VTError) in
                let state = try await place.capture(root, from.scope, from.limits, isStrict: false).state()
                try await place.store.adopt(state, for: from.scope)
                return TreeDiff.Side(objectID: state.objectID, manifest: state.manifest())
            }
        }
        return try await TreeDiff(git: place.store.git, old: old, new: new, request: request).write(to: sink)
    }

    private func side(of snapshot: Snapshot, in place: SnapshotPlace) async throws(VTError) -> TreeDiff.Side {
        let words: [ByteString] = ["ls-tree", "-r", "-z", ByteString(snapshot.objectID)]
        let entries = try TreeEntry.parse(try await place.store.git.output(words))
        return TreeDiff.Side(
            objectID: snapshot.objectID,
            manifest: try Manifest(decoding: try place.store.manifest(of: snapshot), of: entries)
        )
    }

    // MARK: - Sides

    /// The snapshots to compare; the second is nil for the current state.
    private func sides(
        of request: DiffRequest,
        for origin: Origin,
        turn: UInt64,
        in all: [Snapshot]
    ) throws(VTError) -> (Snapshot, Snapshot?) {
        if let wanted = request.turn { return try sides(ofTurn: wanted, last: turn, for: origin, in: all) }
        let to = try request.to.map { word throws(VTError) in try Snapshot.find(word, in: all) }
        if let word = request.from { return (try Snapshot.find(word, in: all), to) }
        let tree = if let to { to.tree } else { try place(of: nil, origin).store.tree }
        let candidates = all.filter { $0.tree == tree }
        let own = candidates.filter { $0.session == origin.session }
        guard let base = own.last(where: { $0.kind == .base }) ?? own.first ?? candidates.first else {
            throw VTError(
                .notFound,
                "'\(tree)' has no snapshots",
                hint: "take one with 'vt snapshot create SESSION'"
            )
        }
        return (base, to)
    }

    /// The automatic snapshots before a command and before the next one.
    private func sides(
        ofTurn wanted: Int64,
        last: UInt64,
        for origin: Origin,
        in all: [Snapshot]
    ) throws(VTError) -> (Snapshot, Snapshot?) {
        let number = wanted < 0 ? Int64(clamping: last) + 1 + wanted : wanted
        let own = all.filter { $0.session == origin.session }
        guard last > 0 else { throw VTError(.notFound, "the shell of the session has not run any commands") }
        guard number > 0, let turn = UInt64(exactly: number), let before = own.last(where: { $0.turns.contains(turn) })
        else {
            throw VTError(
                .notFound,
                "there is no snapshot before command \(number) of the session: it has expired, or none was taken",
                hint:
                    "sessions that are created with --auto-snapshot have one before each of the last commands that vt "
                    + "started; --keep-snapshots keeps more"
            )
        }
        let later = own.filter { $0.tree == before.tree }.flatMap(\.turns).filter { $0 > turn }
        let end = later.min() ?? last + 1
        if end > turn + 1 {
            diagnostics.note(
                "the changes include those of the commands \(turn + 1) to \(end - 1), before which there are no snapshots"
            )
        }
        guard let next = later.min() else { return (before, nil) }
        return (before, own.last { $0.tree == before.tree && $0.turns.contains(next) })
    }
}
