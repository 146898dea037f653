import Core

/// A file that differs between two states of a tree.
package struct FileChange: Hashable, Sendable {
    package enum Status: String, CaseIterable, JSONReadable, Sendable {
        case added = "A"
        case deleted = "D"
        case modified = "M"
        /// The file was, for example, replaced by a symbolic link.
        case typeChanged = "T"
        case renamed = "R"
        case copied = "C"
    }

    /// Relative to the tree.
    package var path = ByteString("")
    package var oldPath: ByteString?
    package var status = Status.modified
    /// The permissions, as for chmod(1), or `link` for a symbolic link.
    package var oldMode: String?
    package var newMode: String?
    /// Nil for binary files.
    package var addedLines: Int?
    package var deletedLines: Int?

    package init() {}

    init(_ path: ByteString, _ status: Status) {
        self.path = path
        self.status = status
    }
}

extension FileChange: JSONRecord {
    package static let documentName = "file change"
    package static let documentSummary = "a file that differs between two states of a tree"

    package static let fields: JSONTable<Self> = [
        .stored("path", \.path.jsonText, "path relative to the tree; invalid UTF-8 is replaced"),
        .stored("path_base64", \.path.jsonBase64, "the path in Base64, if it is not valid UTF-8"),
        .stored("old_path", \.oldPathText, "earlier path of a renamed file; invalid UTF-8 is replaced"),
        .stored("old_path_base64", \.oldPathBase64, "the earlier path in Base64, if it is not valid UTF-8"),
        .stored(
            "status",
            \.status,
            "how it differs, as in `git diff --name-status`: added, copied, deleted, modified, renamed, or another type"
        ),
        .stored("old_mode", \.oldMode, "earlier permissions in octal, or `link`"),
        .stored("new_mode", \.newMode, "later permissions in octal, or `link`"),
        .stored("added_lines", \.addedLines, "number of added lines; absent for binary files"),
        .stored("deleted_lines", \.deletedLines, "number of deleted lines; absent for binary files"),
    ]

    private var oldPathText: String? {
        get { oldPath?.jsonText }
        set { oldPath = newValue.map { ByteString($0) } }
    }

    private var oldPathBase64: String? {
        get { oldPath?.jsonBase64 }
        set { oldPath?.jsonBase64 = newValue }
    }
}
