import Core

/// What to install on a server, and where.
package struct InstallRequest: Sendable {
    /// The path of the running program, which is uploaded by default.
    package static let runningProgram = "/proc/self/exe"

    package var plan: ConnectionPlan
    /// The file to upload; nil means the running vt, which must be a static executable.
    package var file: String?
    /// The destination; a relative path is relative to the remote home directory.
    package var path: String
    /// Whether to upload the file even if the same file is already there.
    package var force: Bool

    package init(plan: ConnectionPlan, file: String?, path: String, force: Bool) {
        self.plan = plan
        self.file = file
        self.path = path
        self.force = force
    }
}

/// The result of an installation.
package struct InstallReport: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, JSONValue, Sendable {
        case installed
        case replaced
        /// The same file was already there.
        case unchanged
    }

    package var outcome: Outcome
    /// The absolute path on the server.
    package var path: String
    /// The version that the program reports.
    package var version: String
    package var sizeBytes: Int
    /// 64 hexadecimal digits.
    package var sha256: String
}
