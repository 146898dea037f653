import Core

/// The result of a command for one of several servers, as JSON.
enum ServerResult<Document: JSONDocument>: JSONValue {
    case success(Document)
    case failure(FailedServer)

    init(_ outcome: Result<Document, VTError>, of server: String) {
        self =
            switch outcome {
            case .success(let document): .success(document)
            case .failure(let error):
                .failure(FailedServer(profile: server, error: FailureDocument(error, exit: error.code.status)))
            }
    }

    static var jsonType: JSONType {
        .either([Document.jsonType, FailedServer.jsonType])
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .success(let document): document.write(to: &writer)
        case .failure(let failure): failure.write(to: &writer)
        }
    }
}

/// One of several servers for which a command has failed, as JSON.
struct FailedServer {
    let profile: String
    let error: FailureDocument
}

extension FailedServer: JSONDocument {
    static let documentName = "failed server"
    static let documentSummary = "one of several servers for which a command has failed"

    static let fields: JSONTable<Self> = [
        .field("profile", \.profile, "profile or server"),
        .field("error", \.error, "why the command has failed"),
    ]
}
