import Arguments
import Core
import Services

/// A key in the authorized_keys file of a server, as JSON.
struct KeyDeployDocument {
    let profile: String
    let key: String
    let fingerprint: String
    let outcome: KeyDeployment.Outcome
    let path: String
    let verified: Bool
    /// The result as a sentence, for the terminal.
    let text: String

    init(_ report: KeyDeployment.Report, of key: StoredKey, on profile: String) {
        self.profile = profile
        self.key = key.name
        fingerprint = key.fingerprint
        outcome = report.outcome
        path = report.path
        verified = report.isVerified
        text = Self.text(report, key: key.name, place: "\(report.path.sanitized) on '\(profile.sanitized)'")
    }

    private static func text(_ report: KeyDeployment.Report, key: String, place: String) -> String {
        let login = report.isVerified ? ", and can log in" : ""
        return switch report.outcome {
        case .added: "added key '\(key)' to \(place)\(report.isVerified ? ", and logged in with it" : "")"
        case .present: "key '\(key)' is already in \(place)\(login)"
        case .restricted: "key '\(key)' is already in \(place), on a line with options\(login)"
        }
    }
}

extension KeyDeployDocument: JSONDocument {
    static let documentName = "deployed key"
    static let documentSummary = "a key in the authorized_keys file of a server"

    static let fields: JSONTable<Self> = [
        .field("profile", \.profile, "profile or server"),
        .field("key", \.key, "name of the key"),
        .field("fingerprint", \.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`"),
        .field(
            "outcome",
            \.outcome,
            "`present`: the file already had the key; `restricted`: it had the key on a line with options, such as "
                + "`command=`"
        ),
        .field("path", \.path, "absolute path of the file on the server"),
        .field("verified", \.verified, "whether a login with only this key has succeeded"),
    ]
}

/// The result for one of several servers to which a key is deployed, as JSON.
enum KeyDeployOutcome: JSONValue {
    case deployed(KeyDeployDocument)
    case failed(Failure)

    init(_ outcome: Result<KeyDeployDocument, VTError>, on profile: String) {
        self =
            switch outcome {
            case .success(let document): .deployed(document)
            case .failure(let error):
                .failed(Failure(profile: profile, error: FailureDocument(error, exit: error.code.status)))
            }
    }

    /// Nil for a failure, which is reported on standard error.
    var text: String? {
        if case .deployed(let document) = self { document.text } else { nil }
    }

    static var jsonType: JSONType {
        .either([KeyDeployDocument.jsonType, Failure.jsonType])
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .deployed(let document): document.write(to: &writer)
        case .failed(let failure): failure.write(to: &writer)
        }
    }

    /// A server to which the key could not be deployed.
    struct Failure {
        let profile: String
        let error: FailureDocument
    }
}

extension KeyDeployOutcome.Failure: JSONDocument {
    static let documentName = "failed deployment"
    static let documentSummary = "a server to which a key could not be deployed"

    static let fields: JSONTable<Self> = [
        .field("profile", \.profile, "profile or server"),
        .field("error", \.error, "why the key could not be deployed"),
    ]
}
