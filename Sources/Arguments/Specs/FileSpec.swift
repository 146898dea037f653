import Core

/// A file or directory that vt uses.
package struct FileSpec: Hashable, Sendable {
    /// The default path; directories end with a slash.
    package var path: String
    /// A phrase without a period.
    package var summary: String

    package init(_ path: String, _ summary: String) {
        self.path = path
        self.summary = summary
    }
}

extension FileSpec: JSONDocument {
    package static let documentName = "file"
    package static let documentSummary = "a file or directory that vt uses"

    package static let fields: JSONTable<Self> = [
        .field("path", \.path, "default path; directories end with a slash"),
        .field("summary", \.summary, "contents, in one phrase"),
    ]
}
