import Core
import Glibc
import System

/// The snapshots of one tree: a git directory with the files, and a record for each snapshot.
///
/// The directory contains `git`, the git directory; `records`, a file for each snapshot; `tree`, the path of the tree;
/// `lock`; and `rollback`, while a rollback is in progress. The objects of a snapshot are kept by the reference
/// `refs/vt/ID`, which is created before the record and removed after it.
struct SnapshotStore: Sendable {
    /// The absolute path of the directory.
    let path: String
    /// The absolute path of the tree.
    let tree: String
    /// git, as it is run when nothing is to be saved.
    let git: Git

    /// Stale references, and objects without any, are removed after this time, because a snapshot that is being taken
    /// has objects without a reference.
    static let unreachableAge = "2.hours.ago"

    init(
        _ path: String,
        tree: String,
        machine: any CommandHost,
        environment: Environment,
        clock: any Clock<Duration>
    ) {
        self.path = path
        self.tree = tree
        git = Git(machine, environment, clock: clock, directory: "\(path)/git", tree: tree)
    }

    /// The directory of the store of a tree, in the directory of all stores.
    static func name(of tree: String) -> String {
        String(StableHash.hash(tree.utf8), radix: 16)
    }

    /// The directory with vt's own files, relative to the tree, if it is in the tree; it is not saved, because it
    /// contains the store.
    var ownDirectory: ByteString? {
        let given = FileContents.directory(of: path)
        // The tree has no symbolic links in its path.
        let stores = (try? WorkingDirectory.real(given)) ?? given
        let prefix = tree == "/" ? tree : "\(tree)/"
        let own = [FileContents.directory(of: stores), stores].first { $0.hasPrefix(prefix) }
        return own.map { ByteString(String($0.dropFirst(prefix.count))) }
    }

    /// Creates what does not exist yet; the lock must be held.
    func prepare() throws(VTError) {
        for name in ["git/objects/info", "git/objects/pack", "git/refs/vt", "git/info", "records"] {
            try FileContents.makeDirectory("\(path)/\(name)")
        }
        if FileVersion(at: "\(path)/tree") == nil {
            try FileContents.replace("\(path)/tree", with: Array(tree.utf8))
        }
        guard FileVersion(at: "\(git.directory)/config") == nil else { return }
        // gitrepository-layout(5); git checks for HEAD.
        try FileContents.replace("\(git.directory)/HEAD", with: Array("ref: refs/heads/none\n".utf8))
        try FileContents.replace("\(git.directory)/info/attributes", with: Array(Self.attributes.utf8))
        try FileContents.replace("\(git.directory)/config", with: Array(Self.configuration.utf8))
    }

    /// Overrides the attributes in the tree, so that files are saved byte for byte (gitattributes(5)).
    private static let attributes = "* -text -eol -crlf -ident -filter -working-tree-encoding\n"

    /// The configuration, with variables of git-config(1).
    ///
    /// Compression takes most of the time of a first snapshot. Names that only other systems cannot represent are not
    /// rejected.
    private static let configuration = """
        [core]
        \trepositoryFormatVersion = 0
        \tbare = false
        \tfileMode = true
        \tsymlinks = true
        \tignoreCase = false
        \tautocrlf = false
        \tprecomposeUnicode = false
        \tprotectNTFS = false
        \tprotectHFS = false
        \tattributesFile = /dev/null
        \texcludesFile = /dev/null
        \thooksPath = /dev/null
        \tfsmonitor = false
        \tuntrackedCache = false
        \tsplitIndex = false
        \tlogAllRefUpdates = false
        \tcompression = 1
        \tlooseCompression = 1
        [gc]
        \tauto = 0
        \tpruneExpire = \(unreachableAge)
        [maintenance]
        \tauto = false
        [diff]
        \trenames = true

        """

    // MARK: - Records

    private var records: String { "\(path)/records" }

    /// The snapshots, oldest first.
    ///
    /// - Throws: `config` when a record is damaged.
    func snapshots() throws(VTError) -> [Snapshot] {
        var snapshots: [Snapshot] = []
        for id in try DirectoryListing.names(in: records) where id.utf8.count == SnapshotStore.idDigits {
            if let record = try record(of: id) { snapshots.append(record.snapshot) }
        }
        return snapshots.sorted { $0.number < $1.number }
    }

    /// The number of digits of an ID.
    static let idDigits = 12

    /// The encoded manifest of a snapshot.
    ///
    /// - Throws: `not-found` when the snapshot has been removed.
    func manifest(of snapshot: Snapshot) throws(VTError) -> [UInt8] {
        guard let record = try record(of: snapshot.id) else {
            throw VTError(.notFound, "snapshot '\(snapshot.label)' has been removed")
        }
        return record.manifest
    }

    /// The record in a file: the snapshot as JSON on a line, and the manifest.
    private func record(of id: String) throws(VTError) -> (snapshot: Snapshot, manifest: [UInt8])? {
        let file = "\(records)/\(id)"
        guard let bytes = try FileContents.read(file) else { return nil }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let json = Array(bytes[..<end])
        guard let outline = try? JSONOutlineParser.parse(json), let snapshot = try? Snapshot(outline, in: json) else {
            throw VTError(
                .config,
                "'\(file)' is damaged",
                hint: "remove the file, and with it the snapshot, to use the others"
            )
        }
        return (snapshot, Array(bytes[end...].dropFirst()))
    }

    /// Writes the record of a snapshot, whose objects must be kept by its reference already.
    func write(_ snapshot: Snapshot, manifest: [UInt8]) throws(VTError) {
        try FileContents.replace("\(records)/\(snapshot.id)", with: snapshot.jsonLine + manifest)
    }

    /// Adds a snapshot; the lock must be held.
    func add(_ snapshot: Snapshot, manifest: [UInt8]) async throws(VTError) {
        try await reference(snapshot.id, snapshot.objectID)
        Fault.point(.snapshotReferenced)
        try write(snapshot, manifest: manifest)
    }

    // MARK: - New objects

    /// git with a directory of its own for the objects that it writes, so that those of a failed run can be removed.
    var writer: Git { git.storing(in: newObjects) }

    private var newObjects: String { "\(git.directory)/\(Self.scratchPrefix)objects" }

    /// Makes what has been written a part of the store.
    private func keepNewObjects() throws(VTError) {
        for directory in try DirectoryListing.names(in: newObjects) {
            let target = "\(git.directory)/objects/\(directory)"
            try FileContents.makeDirectory(target)
            // git looks for a pack when it sees its index, whose name ends in `.idx`.
            let names = try DirectoryListing.names(in: "\(newObjects)/\(directory)").sorted { first, second in
                !first.hasSuffix(".idx") && second.hasSuffix(".idx")
            }
            for name in names where !name.hasPrefix("tmp_") {
                try FileContents.move("\(newObjects)/\(directory)/\(name)", to: "\(target)/\(name)")
            }
        }
    }

    /// Keeps the objects of a tree of git.
    private func reference(_ name: String, _ objectID: String) async throws(VTError) {
        try keepNewObjects()
        _ = try await git.output(["update-ref", ByteString("refs/vt/\(name)"), ByteString(objectID)])
    }

    /// Removes snapshots, but not yet what only they contain; the lock must be held.
    func remove(_ snapshots: [Snapshot]) async throws(VTError) {
        for snapshot in snapshots { try removeRecord(of: snapshot) }
        try await removeStaleReferences()
    }

    /// Removes a snapshot, but not its reference.
    func removeRecord(of snapshot: Snapshot) throws(VTError) {
        try FileContents.remove("\(records)/\(snapshot.id)")
    }

    /// Removes the references of snapshots without a record.
    func removeStaleReferences() async throws(VTError) {
        let output = try await git.output(["for-each-ref", "--format=%(refname)", "refs/vt"])
        let names = output.split(separator: UInt8(ascii: "\n")).map { ByteString($0) }
        let present = Set(try DirectoryListing.names(in: records))
        let stale = names.filter { name in
            let id = name.lastName.repairedText
            return id.utf8.count == Self.idDigits && !present.contains(id)
        }
        guard !stale.isEmpty else { return }
        let input = stale.flatMap { Array("delete ".utf8) + $0.bytes + [UInt8(ascii: "\n")] }
        _ = try await git.output(["update-ref", "--stdin"], input: input)
    }

    // MARK: - Rollbacks

    private var rollbackFile: String { "\(path)/rollback" }

    /// Notes that a rollback begins to change files; `safety` is the snapshot of the state before it.
    func recordRollback(to target: Snapshot, safety: Snapshot) throws(VTError) {
        try FileContents.replace(rollbackFile, with: Array("\(target.id) \(safety.id)".utf8))
    }

    func recordRollbackEnd() throws(VTError) {
        try FileContents.remove(rollbackFile)
    }

    /// The IDs of the target and the safety snapshot of a rollback that has begun to change files; nil if there is none.
    func interruptedRollback() throws(VTError) -> (target: String, safety: String)? {
        guard let bytes = try FileContents.read(rollbackFile) else { return nil }
        let ids = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        return ids.count == 2 ? (ids[0], ids[1]) : ("", "")
    }

    // MARK: - Indexes

    /// Creates an index that starts as that of the scope, and returns its name.
    ///
    /// git replaces an index when it changes it, so that a link to the file is as good as a copy.
    func newIndex(for scope: SnapshotScope) throws(VTError) -> String {
        let name = "\(Self.scratchPrefix)\(RandomIdentifier.make())"
        try FileContents.link("\(git.directory)/\(scope.indexName)", to: "\(git.directory)/\(name)")
        return name
    }

    /// Makes the index of a state that of the scope.
    func adopt(_ state: TreeState, for scope: SnapshotScope) async throws(VTError) {
        let (old, new) = ("\(git.directory)/\(state.index)", "\(git.directory)/\(scope.indexName)")
        let description = Array("\(state.objectID) \(state.rules)".utf8)
        // rename(2) does nothing if both are names of the same file.
        if FileIdentity(at: old) == FileIdentity(at: new) {
            try FileContents.remove(old)
            guard try FileContents.read(treeFile(scope)) != description else { return }
        } else {
            try keepNewObjects()
            // Only the objects in the index with the usual name are kept by git.
            if scope != SnapshotScope() { try await reference(scope.indexName, state.objectID) }
            try FileContents.remove(treeFile(scope))
            try FileContents.move(old, to: new)
        }
        try FileContents.replace(treeFile(scope), with: description, isDurable: false)
    }

    /// The ID of the tree of git that was written from the index of a scope; nil if it is not known.
    func treeID(of scope: SnapshotScope) throws(VTError) -> String? { try description(of: scope).first }

    /// The rules by which files were ignored when the index of a scope was adopted; empty if they are not known.
    func rules(of scope: SnapshotScope) throws(VTError) -> String {
        let words = try description(of: scope)
        return words.count == 2 ? words[1] : ""
    }

    private func description(of scope: SnapshotScope) throws(VTError) -> [String] {
        let bytes = try FileContents.read(treeFile(scope)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
    }

    private func treeFile(_ scope: SnapshotScope) -> String { "\(git.directory)/\(scope.indexName)-tree" }

    /// Removes the parts of objects that git leaves when the disk is full.
    func removePartialObjects() throws(VTError) {
        let objects = "\(git.directory)/objects"
        for directory in try DirectoryListing.names(in: objects) {
            for name in try DirectoryListing.names(in: "\(objects)/\(directory)") where name.hasPrefix("tmp_") {
                try FileContents.remove("\(objects)/\(directory)/\(name)")
            }
        }
    }

    /// Removes indexes that were not adopted, objects that were not kept, and locks of processes that were killed, and
    /// creates the directory for new objects.
    func removeScratch() throws(VTError) {
        removeNewObjects()
        for name in try DirectoryListing.names(in: git.directory)
        where name.hasPrefix(Self.scratchPrefix) || (name.hasPrefix("index") && name.hasSuffix(".lock")) {
            try FileContents.remove("\(git.directory)/\(name)")
        }
        try FileContents.makeDirectory(newObjects)
    }

    /// Removes the objects that were not kept.
    func removeNewObjects() {
        FileContents.removeTree(newObjects)
    }

    private static let scratchPrefix = "scratch-"

    // MARK: - Size

    /// The size of the objects.
    func sizeBytes() throws(VTError) -> UInt64 {
        var total: UInt64 = 0
        let path = try WorkingDirectory.real("\(git.directory)/objects")
        guard let objects = try TreeDirectory(root: path) else { return 0 }
        for (name, kind) in try objects.entries() where kind == .directory {
            guard let directory = try objects.directory(name) else { continue }
            for (name, kind) in try directory.entries() where kind == .file {
                if let status = try directory.status(name) { total += UInt64(status.st_size) }
            }
        }
        return total
    }

    /// Whether there are more than about 2,000 objects in files of their own.
    ///
    /// Objects are distributed evenly over 256 directories.
    var hasManyLooseObjects: Bool {
        let sample = try? DirectoryListing.names(in: "\(git.directory)/objects/17")
        return (sample?.count ?? 0) > 8
    }
}
