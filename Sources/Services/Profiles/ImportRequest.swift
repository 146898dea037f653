import Core

/// What to import from an OpenSSH client configuration.
package struct ImportRequest: Sendable {
    /// Nil means `~/.ssh/config`.
    package var file: String?
    /// Patterns that the names must match; empty means all names.
    package var hosts: [String]
    /// Tags for every imported profile.
    package var tags: [String]
    /// Whether existing profiles are replaced; they keep their ID, secrets, note and timestamps.
    package var isReplacing: Bool
    /// Whether to only report what would be done.
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
