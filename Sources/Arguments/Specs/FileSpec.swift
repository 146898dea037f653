/// A file or directory that a command uses.
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

extension FileSpec: Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case path, summary
    }
}
