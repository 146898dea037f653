import Arguments
import Core
import Services

/// The result of `vt profile import` as JSON.
struct ImportDocument: Encodable {
    private let profiles: [Profile]
    private let skipped: [String]

    init(_ report: ImportReport) {
        profiles = report.profiles
        skipped = report.skipped
    }
}

extension ImportDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case profiles, skipped
    }

    static let documentName = "import"
    static let documentSummary = "the hosts of an OpenSSH configuration that were imported"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .profiles: JSONField(\Self.profiles, "profiles that were saved or, with `--dry-run`, would be saved")
        case .skipped:
            JSONField(\Self.skipped, "hosts that `--skip-existing` has skipped, because their profiles already exist")
        }
    }
}
