import Core

/// What to install on a server, and where.
package struct InstallRequest: Sendable {
    /// The program of this process, where nothing else is named.
    package static let runningProgram = "/proc/self/exe"

    package var plan: ConnectionPlan
    /// The file to send; nil: the running vt, which then has to be one that needs nothing but the C library.
    package var file: String?
    /// Where to; relative to the home directory there.
    package var path: String
    /// Whether to send it also where it is already.
    package var force: Bool

    package init(plan: ConnectionPlan, file: String?, path: String, force: Bool) {
        self.plan = plan
        self.file = file
        self.path = path
        self.force = force
    }
}

/// What an installation came to.
package struct InstallReport: Hashable, Sendable {
    package enum Outcome: String, Sendable {
        case installed
        case replaced
        /// The same file was there already.
        case unchanged
    }

    package var outcome: Outcome
    /// The absolute path there.
    package var path: String
    /// What the program says of its version.
    package var version: String
    package var sizeBytes: Int
    /// 64 hexadecimal digits.
    package var sha256: String
}
