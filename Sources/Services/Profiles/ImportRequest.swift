/// What to import from an OpenSSH client configuration.
package struct ImportRequest: Sendable {
    /// Nil means `~/.ssh/config`.
    package var file: String?
    /// Patterns that the names must match; empty means all names.
    package var hosts: [String]
    /// Tags for every imported profile.
    package var tags: [String]
    package var existing: Existing
    /// Whether to only report what would be done.
    package var isDryRun: Bool

    /// How hosts are imported whose names are in use.
    package enum Existing: Sendable {
        /// Nothing is imported.
        case refuse
        /// The profiles are replaced; they keep their ID, secrets, note and timestamps.
        case replace
        /// The profiles stay unchanged.
        case skip
    }

    package init(
        file: String? = nil,
        hosts: [String] = [],
        tags: [String] = [],
        existing: Existing = .refuse,
        isDryRun: Bool = false
    ) {
        self.file = file
        self.hosts = hosts
        self.tags = tags
        self.existing = existing
        self.isDryRun = isDryRun
    }
}
