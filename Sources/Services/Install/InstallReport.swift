import Core

/// The result of an installation.
package struct InstallReport: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
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
