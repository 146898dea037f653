import Core

/// Why a request of one of VibeTunnel's clients is not performed.
struct VibeTunnelRefusal: Error {
    /// The HTTP status.
    var status: Int
    /// Upstream's text, if it has one for the reason; clients show it.
    var message: String

    init(_ status: Int, _ message: String) {
        (self.status, self.message) = (status, message)
    }

    init(_ error: VTError) {
        switch error.code {
        case .notFound: self = .unknownSession
        case .authDenied: self.init(403, error.message)
        default: self.init(500, error.message)
        }
    }

    /// The refusal of a request to create a session, whose client cannot know from the status what upstream's servers
    /// mean by 500: that the program or the directory does not exist, or an error of the server.
    init(ofCreation error: VTError) {
        let status =
            switch error.code {
            case .notFound: 404
            case .usage: 400
            case .exists: 409
            default: 500
            }
        self.init(status, "Failed to create session: \(error.message)")
    }

    static let unauthenticated = VibeTunnelRefusal(401, "Authentication required")
    static let tooManyLogins = VibeTunnelRefusal(429, "Too many failed logins")
    static let readOnly = VibeTunnelRefusal(403, "This link does not allow typing")
    static let notOwner = VibeTunnelRefusal(403, "This link does not allow creating sessions")
    static let unknownPath = VibeTunnelRefusal(404, "Not found")
    static let unknownSession = VibeTunnelRefusal(404, "Session not found")
    static let invalidBody = VibeTunnelRefusal(400, "Invalid request body")
    static let ended = VibeTunnelRefusal(400, "Session is not running")

    var answer: WebAnswer {
        var answer = WebAnswer.json(status: status) { $0.member("error", message) }
        if status == 401 {
            // The servers of June 2025 accept passwords directly, later ones only tokens; this one accepts both.
            answer.headers = ["Basic", "Bearer"].map { ("WWW-Authenticate", "\($0) realm=\"VibeTunnel\"") }
        }
        return answer
    }
}

extension WebAnswer {
    /// An answer that is a JSON object.
    static func json(status: Int = 200, _ members: (inout JSONWriter) -> Void) -> WebAnswer {
        json(JSONWriter.object(members), status: status)
    }

    static func json(_ document: [UInt8], status: Int = 200) -> WebAnswer {
        WebAnswer(status: status, type: "application/json; charset=utf-8", .bytes(document))
    }

    /// The answer to a request that has been performed.
    static func performed(_ members: (inout JSONWriter) -> Void = { _ in }) -> WebAnswer {
        .json { writer in
            writer.member("success", true)
            members(&writer)
        }
    }
}
