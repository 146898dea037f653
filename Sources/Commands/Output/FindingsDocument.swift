import Core
import Services

/// The findings of `vt doctor` as JSON.
struct FindingsDocument {
    /// The server; nil for this machine.
    let profile: String?
    /// True if no check failed.
    let ok: Bool
    let checks: [Finding]

    init(_ findings: [Finding], of profile: String? = nil) {
        self.profile = profile
        ok = findings.allSatisfy { $0.verdict != .fail }
        checks = findings
    }
}

extension FindingsDocument: JSONDocument {
    static let documentName = "findings"
    static let documentSummary = "the results of checking a machine"

    static let fields: JSONTable<Self> = [
        .field("profile", \.profile, "server; absent for this machine"),
        .field("ok", \.ok, "true if no check failed"),
        .field("checks", \.checks, "all checks"),
    ]
}
