import Core
import HTTP

/// What a request contains to show who sends it.
enum Authorization: Equatable, Sendable {
    case basic(user: String, Secret)
    case token(Secret)

    /// The password or the token.
    var secret: Secret {
        switch self {
        case .basic(_, let password): password
        case .token(let token): token
        }
    }

    func apply(to request: inout HTTPRequest) {
        switch self {
        case .basic(let user, let password):
            // RFC 7617 §2.
            let credentials = Base64.encode(Array(user.utf8) + [UInt8(ascii: ":")] + password.bytes)
            request.fields.append((name: "Authorization", value: "Basic \(credentials)"))
        case .token(let token): request.token = token
        }
    }
}
