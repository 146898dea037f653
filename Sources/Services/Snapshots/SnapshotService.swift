import Core
import Runtime
import System

/// Takes, lists and removes the snapshots of this machine.
package struct SnapshotService: Sendable {
    /// The directory of all stores, which is created on first use.
    let directory: String
    /// This machine, which runs git with `environment`.
    let machine: any CommandHost
    let environment: Environment
    let clock: any Clock<Duration>
    var diagnostics: any Diagnostics

    package init(_ world: World) throws(VTError) {
        directory = try world.directories().snapshots
        machine = world.localMachine()
        (environment, clock, diagnostics) = (world.environment, world.clock, world.diagnostics)
    }

    /// The session for which something is done.
    package struct Origin: Sendable {
        /// Its ID.
        package var session: String
        /// The working directory of its shell or, if that is not known, of its start.
        package var directory: String

        package init(session: String, directory: String) {
            self.session = session
            self.directory = directory
        }
    }

    var home: String { environment["HOME"] ?? "/" }

    // MARK: - Taking snapshots

    /// - Throws: `usage` when the tree must be given explicitly; `exists` when the name is in use; `data.invalid` when a
    ///   limit is exceeded; `busy` when files keep changing, or another process works on the tree.
    package func create(_ request: SnapshotRequest, for origin: Origin) async throws(VTError) -> Snapshot {
        let place = try place(of: request.path, origin)
        return try await place.withLock { root, _ throws(VTError) in
            let store = place.store
            let snapshots = try store.snapshots()
            if let name = request.name, let other = snapshots.first(where: { $0.name == name || $0.isNamed(by: name) })
            {
                let problem = other.name == name ? "named '\(name)'" : "whose ID starts with '\(name)'"
                throw VTError(.exists, "'\(store.tree)' already has a snapshot \(problem)", hint: "choose another name")
            }
            let state = try await place.capture(root, request.scope, request.limits, isStrict: true).state()
            var snapshot = place.snapshot(of: state, request.scope, origin, after: snapshots)
            snapshot.name = request.name
            snapshot.limits = request.limits
            try await place.save(snapshot, state)
            try await place.packLater()
            return snapshot
        }
    }

    /// Takes a snapshot before a command of a session's shell, unless nothing has changed since the last one.
    ///
    /// Files that are too large are left out. The first snapshot is the base of the session; of the others, the newest
    /// `kept` remain.
    package func createAutomatically(
        before turn: UInt64,
        keeping kept: Int,
        for origin: Origin
    ) async throws(VTError) {
        let place = try place(of: nil, origin)
        try await place.withLock(within: SnapshotPlace.automaticLockTimeout) { root, _ throws(VTError) in
            let store = place.store
            let snapshots = try store.snapshots()
            let scope = SnapshotScope()
            let state = try await place.capture(root, scope, SnapshotLimits(), isStrict: false).state()
            let last = snapshots.last { $0.scope == scope && $0.session == origin.session }
            if var last, last.objectID == state.objectID, last.kind == .automatic || last.kind == .base {
                let manifest = try store.manifest(of: last)
                if manifest == state.encodedManifest {
                    last.turns = last.turns.suffix(Self.turnLimit - 1).filter { $0 != turn } + [turn]
                    try store.write(last, manifest: manifest)
                    return try await store.adopt(state, for: scope)
                }
            }
            var snapshot = place.snapshot(of: state, scope, origin, after: snapshots)
            let hasBase = snapshots.contains { $0.kind == .base && $0.session == origin.session }
            snapshot.kind = hasBase ? .automatic : .base
            snapshot.turns = [turn]
            try await place.save(snapshot, state)
            let old = snapshots.filter { $0.kind == .automatic && $0.session == origin.session }
            let expired = old.dropLast(max(0, kept - 1))
            // Their space is freed by the next collection.
            for snapshot in expired { try store.removeRecord(of: snapshot) }
            try await place.packLater()
        }
    }

    /// The maximum number of commands that one snapshot lists.
    private static let turnLimit = 1000

    // MARK: - Existing snapshots

    /// The snapshots of the session's tree, and those that were taken for the session of other trees, oldest first.
    package func snapshots(for origin: Origin) throws(VTError) -> [Snapshot] {
        let tree = try? place(of: nil, origin).store.tree
        var snapshots: [Snapshot] = []
        for name in try DirectoryListing.names(in: directory) {
            guard let store = try store(named: name) else { continue }
            snapshots += try store.snapshots().filter { $0.session == origin.session || store.tree == tree }
        }
        return snapshots.sorted { ($0.createdAt, $0.tree, $0.number) < ($1.createdAt, $1.tree, $1.number) }
    }

    /// Removes snapshots, and frees the space that only they used; returns them.
    ///
    /// - Throws: `not-found`, in which case nothing is removed.
    package func remove(_ words: [String], for origin: Origin) async throws(VTError) -> [Snapshot] {
        let all = try snapshots(for: origin)
        var removed: [Snapshot] = []
        for word in words {
            let snapshot = try Snapshot.find(word, in: all)
            if !removed.contains(snapshot) { removed.append(snapshot) }
        }
        for tree in Set(removed.map(\.tree)) {
            let place = try place(ofTree: tree)
            try await place.withLock { _, lock throws(VTError) in
                try await place.store.remove(removed.filter { $0.tree == tree })
                // Packing needs space, which this frees if the disk is full.
                let pruned = try? await place.store.git.output(["prune", "--expire=now"])
                let status = try await place.store.git.startCollection(["--force", "--prune=now"], holding: lock).wait()
                if pruned == nil || !status.isSuccess {
                    diagnostics.note("could not free the space of the snapshots of '\(tree)'")
                }
            }
        }
        return removed
    }

    // MARK: - Places

    /// The tree to save: the given directory or, without one, the work tree that contains the session's directory.
    ///
    /// - Throws: `not-found`; `usage` for the files of a git repository itself, and if it is the home directory or
    ///   contains it, and was not given.
    func place(of path: String?, _ origin: Origin) throws(VTError) -> SnapshotPlace {
        let given = path.map { path in
            path == "~" || path.hasPrefix("~/")
                ? home + path.dropFirst() : path.hasPrefix("/") ? path : "\(origin.directory)/\(path)"
        }
        let directory = try WorkingDirectory.real(given ?? origin.directory)
        let workTree = given == nil ? UserRepository(containing: directory)?.workTree.text : nil
        let tree = workTree ?? directory
        guard UserRepository.gitDirectory(containing: tree) == nil else {
            throw VTError(.usage, "'\(tree)' belongs to the files of a git repository itself, which are never changed")
        }
        if given != nil { return try place(ofTree: tree) }
        let homeDirectory = (try? WorkingDirectory.real(home)) ?? home
        guard tree != "/", !"\(homeDirectory)/".hasPrefix("\(tree)/") else {
            throw VTError(
                .usage,
                "'\(tree)' is the home directory, or contains it",
                hint: "if that is intended, add --path \(ByteString(tree).shellQuoted.repairedText)"
            )
        }
        return try place(ofTree: tree)
    }

    /// The place of a tree, an absolute path without symbolic links.
    func place(ofTree tree: String) throws(VTError) -> SnapshotPlace {
        let path = "\(directory)/\(SnapshotStore.name(of: tree))"
        let store = SnapshotStore(path, tree: tree, machine: machine, environment: environment, clock: clock)
        guard try FileContents.read("\(path)/tree").map({ $0 == Array(tree.utf8) }) ?? true else {
            throw VTError(.config, "'\(path)' belongs to another tree than '\(tree)'")
        }
        return SnapshotPlace(
            store: store,
            repository: UserRepository(containing: tree),
            environment: environment,
            clock: clock,
            diagnostics: diagnostics
        )
    }

    private func store(named name: String) throws(VTError) -> SnapshotStore? {
        guard let tree = try FileContents.read("\(directory)/\(name)/tree") else { return nil }
        return SnapshotStore(
            "\(directory)/\(name)",
            tree: String(decoding: tree, as: UTF8.self),
            machine: machine,
            environment: environment,
            clock: clock
        )
    }
}
