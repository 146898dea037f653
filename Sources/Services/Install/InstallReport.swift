import Core

/// The result of an installation.
package struct InstallReport: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, JSONValue, Sendable {
        case installed
        case replaced
        /// The same file was already there.
        case unchanged
    }

    /// The name of the server.
    package var server: String
    package var outcome: Outcome
    /// The absolute path on the server.
    package var path: String
    /// The version that the program reports.
    package var version: String
    package var sizeBytes: Int
    /// 64 hexadecimal digits.
    package var sha256: String
}

extension InstallReport: JSONDocument {
    package static let documentName = "installation"
    package static let documentSummary = "an installation of vt on a server"

    package static let fields: JSONTable<Self> = [
        .field("profile", \.server, "profile or server"),
        .field("outcome", \.outcome, "`unchanged`: the same file was already there"),
        .field("path", \.path, "absolute path on the server"),
        .field("version", \.version, "version that the installed vt reports"),
        .field("size", \.sizeBytes, "size of the file", in: .bytes),
        .field("sha256", \.sha256, "SHA-256 checksum of the file, in hexadecimal"),
    ]
}
