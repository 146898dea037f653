import Core
import HTTP

/// What a request contains to show who sends it.
enum Authorization: Equatable, Sendable {
    case basic(user: String, Secret)
    case token(Secret)

    /// What must not appear in messages: the token, or the password and its encoded form.
    var secrets: [[UInt8]] {
        switch self {
        case .basic(let user, let password): [password.bytes, Array(Self.credentials(user, password).utf8)]
        case .token(let token): [token.bytes]
        }
    }

    func apply(to request: inout HTTPRequest) {
        switch self {
        case .basic(let user, let password):
            request.fields.append((name: "Authorization", value: "Basic \(Self.credentials(user, password))"))
        case .token(let token): request.token = token
        }
    }

    /// The credentials in Basic authentication (RFC 7617 §2).
    private static func credentials(_ user: String, _ password: Secret) -> String {
        Base64.encode(Array(user.utf8) + [UInt8(ascii: ":")] + password.bytes)
    }
}
