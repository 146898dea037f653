import Arguments
import Core
import Services

/// An installation of vt on a server, as JSON.
struct InstallDocument: Encodable {
    let profile: String
    let outcome: String
    let path: String
    let version: String
    let size: Int
    let sha256: String
    /// The same information as a sentence for the terminal.
    let text: String

    init(_ report: InstallReport, on plan: ConnectionPlan) {
        profile = plan.name
        outcome = report.outcome.rawValue
        path = report.path
        version = report.version
        size = report.sizeBytes
        sha256 = report.sha256
        text = Self.text(report, on: plan)
    }

    private static func text(_ report: InstallReport, on plan: ConnectionPlan) -> String {
        let (path, version, name) = (report.path.sanitized, report.version.sanitized, plan.name.sanitized)
        return switch report.outcome {
        case .installed: "installed vt \(version) on '\(name)' as \(path)"
        case .replaced: "installed vt \(version) on '\(name)' as \(path), replacing another file"
        case .unchanged: "vt \(version) is already installed on '\(name)' as \(path)"
        }
    }
}

extension InstallDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case profile, outcome, path, version, size, sha256
    }

    static let documentName = "installation"
    static let documentSummary = "an installation of vt on a server"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .profile: JSONField(\Self.profile, "profile or server")
        case .outcome:
            JSONField(\Self.outcome, of: InstallReport.Outcome.self, "`unchanged`: the same file was already there")
        case .path: JSONField(\Self.path, "absolute path on the server")
        case .version: JSONField(\Self.version, "version that the installed vt reports")
        case .size: JSONField(\Self.size, "size of the file", in: .bytes)
        case .sha256: JSONField(\Self.sha256, "SHA-256 checksum of the file, in hexadecimal")
        }
    }
}
