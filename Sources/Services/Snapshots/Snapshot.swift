import Core

/// A saved state of a directory tree.
package struct Snapshot: Hashable, Sendable {
    /// Why a snapshot was taken.
    package enum Kind: String, CaseIterable, JSONReadable, Sendable {
        case manual
        /// Before the first command that vt has started; it does not expire.
        case base
        /// Before a command that vt has started.
        case automatic
        /// Before a rollback.
        case safety
    }

    /// 12 hexadecimal digits, unique among all snapshots of a machine.
    package var id = ""
    /// The position among all snapshots that were ever taken of the tree.
    package var number: UInt64 = 0
    package var name: String?
    package var kind = Kind.manual
    /// The absolute path of the tree.
    package var tree = ""
    /// The ID of the session for which it was taken.
    package var session = ""
    package var createdAt = Timestamp(seconds: 0)
    /// The commands of the session's shell before which the tree was in this state.
    package var turns: [UInt64] = []
    package var scope = SnapshotScope()
    package var limits = SnapshotLimits()
    /// The ID of the git object with the files.
    package var objectID = ""
    /// The contents of HEAD in the user's repository: a branch, or a commit.
    package var head: String?
    package var fileCount = 0
    package var sizeBytes: UInt64 = 0
    /// The first files that are not saved, other than ignored ones.
    package var omitted: [OmittedFile] = []
    package var omittedCount = 0

    package init() {}

    /// The maximum number of elements in `omitted`.
    static let omittedLimit = 1000

    /// The name, or else the ID.
    package var label: String { name ?? id }
}

extension Snapshot: JSONRecord {
    package static let documentName = "snapshot"
    package static let documentSummary = "a saved state of a directory tree"

    package static let fields: JSONTable<Self> = [
        .stored("id", \.id, "ID, unique on its machine"),
        .stored(
            "number",
            \.number,
            "number of the snapshot among those of the tree, in the order in which they were taken"
        ),
        .stored("name", \.name, "name, if it was given one"),
        .stored("kind", \.kind, "why it was taken"),
        .stored("tree", \.tree, "path of the tree; invalid UTF-8 is replaced"),
        .stored("session", \.session, "ID of the session for which it was taken"),
        .stored("created_at", \.createdAt, "time at which it was taken", in: .time),
        .stored(
            "turns",
            \.turns,
            "numbers of the commands before which the tree was in this state, for automatic snapshots",
            isRequired: false
        ),
        .stored("include_ignored", \.scope.includesIgnored, "true if ignored files are saved", isRequired: false),
        .stored("excludes", \.scope.excludes, "patterns of files that are not saved", isRequired: false),
        .stored("max_file", \.limits.fileBytes, "maximum size of a file that is saved", in: .bytes),
        .stored("max_size", \.limits.storeBytes, "maximum size of all snapshots of the tree", in: .bytes),
        .stored("object", \.objectID, "ID of the git object with the files"),
        .stored("head", \.head, "branch or commit that was checked out, if the tree is a git work tree"),
        .stored("files", \.fileCount, "number of saved files"),
        .stored("size_bytes", \.sizeBytes, "size of the saved files", in: .bytes),
        .stored(
            "not_saved",
            \.omitted,
            "files that are not saved although they are not ignored, at most \(omittedLimit)",
            isRequired: false
        ),
        .stored("not_saved_count", \.omittedCount, "number of such files", isRequired: false),
    ]
}

extension Snapshot {
    /// Whether a word is a possible start of the ID.
    func isNamed(by word: String) -> Bool { word.utf8.count >= 4 && id.hasPrefix(word) }

    /// Returns the snapshot with this name, ID, or unique start of an ID of at least four digits.
    ///
    /// - Throws: `not-found`.
    package static func find(_ word: String, in snapshots: [Snapshot]) throws(VTError) -> Snapshot {
        if let exact = snapshots.last(where: { $0.id == word || $0.name == word }) { return exact }
        let matches = snapshots.filter { $0.isNamed(by: word) }
        guard let match = matches.first, matches.count == 1 else {
            throw VTError(
                .notFound,
                matches.isEmpty ? "no snapshot '\(word)'" : "several snapshots have IDs that start with '\(word)'",
                hint: "to list the snapshots, use 'vt snapshot list SESSION'"
            )
        }
        return match
    }
}
