import Arguments
import Core
import Services

/// The result for one of several servers on which vt is installed, as JSON.
enum InstallOutcome: JSONValue {
    case installed(InstallDocument)
    case failed(Failure)

    init(_ outcome: Result<InstallReport, VTError>, on plan: ConnectionPlan) {
        self =
            switch outcome {
            case .success(let report): .installed(InstallDocument(report, on: plan))
            case .failure(let error):
                .failed(Failure(profile: plan.name, error: FailureDocument(error, exit: error.code.status)))
            }
    }

    /// Nil for a failure, which is reported on standard error.
    var text: String? {
        if case .installed(let document) = self { document.text } else { nil }
    }

    static var jsonType: JSONType {
        .either([InstallDocument.jsonType, Failure.jsonType])
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .installed(let document): document.write(to: &writer)
        case .failed(let failure): failure.write(to: &writer)
        }
    }

    /// A server on which vt could not be installed.
    struct Failure {
        let profile: String
        let error: FailureDocument
    }
}

extension InstallOutcome.Failure: JSONDocument {
    static let documentName = "failed installation"
    static let documentSummary = "a server on which vt could not be installed"

    static let fields: JSONTable<Self> = [
        .field("profile", \.profile, "profile or server"),
        .field("error", \.error, "why vt could not be installed"),
    ]
}
