import Arguments
import Core
import Services

/// An installation of vt on a server, as JSON.
struct InstallDocument {
    let profile: String
    let outcome: InstallReport.Outcome
    let path: String
    let version: String
    let size: Int
    let sha256: String
    /// The same information as a sentence for the terminal.
    let text: String

    init(_ report: InstallReport, on plan: ConnectionPlan) {
        profile = plan.name
        outcome = report.outcome
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
    static let documentName = "installation"
    static let documentSummary = "an installation of vt on a server"

    static let fields: JSONTable<Self> = [
        .field("profile", \.profile, "profile or server"),
        .field("outcome", \.outcome, "`unchanged`: the same file was already there"),
        .field("path", \.path, "absolute path on the server"),
        .field("version", \.version, "version that the installed vt reports"),
        .field("size", \.size, "size of the file", in: .bytes),
        .field("sha256", \.sha256, "SHA-256 checksum of the file, in hexadecimal"),
    ]
}
