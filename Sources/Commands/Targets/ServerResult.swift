import Core
import Services

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

extension Context {
    /// Prints what a command has done on each server, and reports the failures; returns how the process exits.
    ///
    /// - Throws: The failure, if there is only one server.
    func show<Document: JSONDocument>(
        _ outcomes: [Result<Document, VTError>],
        of servers: [String],
        text: (Document) -> String
    ) throws(VTError) -> ProcessExit {
        let done = zip(servers, outcomes).filter { $1.failure == nil }.map(\.0)
        try profileService().recordConnections(to: done, diagnostics: diagnostics)
        guard outcomes.count > 1 else {
            for outcome in outcomes {
                let document = try outcome.get()
                try show(document) { text(document) }
            }
            return 0
        }
        try show(zip(servers, outcomes).map { ServerResult($1, of: $0) }) {
            outcomes.compactMap { try? $0.get() }.map(text).joined(separator: "\n")
        }
        let failures = zip(servers, outcomes).compactMap { name, outcome in outcome.failure.map { (name, $0) } }
        diagnostics.report(failures, of: servers.count)
        return failures.isEmpty ? 0 : .failure(.negative)
    }
}
