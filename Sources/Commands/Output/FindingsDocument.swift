import Arguments
import Core
import Services

/// The findings of `vt doctor` as JSON.
struct FindingsDocument: Encodable {
    struct Row: Encodable {
        let check: String
        let result: Finding.Verdict
        let detail: String
        let hint: String?
    }

    /// The server; nil for this machine.
    let profile: String?
    /// True if no check failed.
    let ok: Bool
    let checks: [Row]

    init(_ findings: [Finding], of profile: String? = nil) {
        self.profile = profile
        ok = findings.allSatisfy { $0.verdict != .fail }
        checks = findings.map { Row(check: $0.check, result: $0.verdict, detail: $0.detail, hint: $0.hint) }
    }
}

extension FindingsDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case profile, ok, checks
    }

    static let documentName = "findings"
    static let documentSummary = "the results of checking a machine"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .profile: JSONField(\Self.profile, "server; absent for this machine")
        case .ok: JSONField(\Self.ok, "true if no check failed")
        case .checks: JSONField(\Self.checks, "all checks")
        }
    }
}

extension FindingsDocument.Row: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case check, result, detail, hint
    }

    static let documentName = "check"
    static let documentSummary = "a check of a machine"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .check: JSONField(\Self.check, "name of the check")
        case .result: JSONField(.choice(Finding.Verdict.allCases.map(\.rawValue)), "result of the check")
        case .detail: JSONField(\Self.detail, "what was found")
        case .hint: JSONField(\Self.hint, "how to resolve the problem, such as a command")
        }
    }
}
