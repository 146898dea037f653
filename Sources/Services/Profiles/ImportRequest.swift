import Core

/// What to import from a client configuration of OpenSSH.
package struct ImportRequest: Sendable {
    /// Nil: `~/.ssh/config`.
    package var file: String?
    /// Patterns that the names must match; empty: all names.
    package var hosts: [String]
    /// Tags for every imported profile.
    package var tags: [String]
    /// Whether profiles that exist are replaced; they keep their secrets, note and history.
    package var isReplacing: Bool
    /// Whether only to tell what would be done.
    package var isDryRun: Bool

    package init(
        file: String? = nil,
        hosts: [String] = [],
        tags: [String] = [],
        isReplacing: Bool = false,
        isDryRun: Bool = false
    ) {
        self.file = file
        self.hosts = hosts
        self.tags = tags
        self.isReplacing = isReplacing
        self.isDryRun = isDryRun
    }
}

/// What an import has done, or would do.
package struct ImportReport: Sendable {
    /// The profiles, sorted by name.
    package var profiles: [Profile]
    /// What was not carried over, one line each.
    package var notes: [String]
}
