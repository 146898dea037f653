import Core
import System

/// Authenticates VibeTunnel's clients with the tokens of links.
///
/// A token is the password for any user name, in Basic authentication or in `auth/password`. The latter returns the
/// token for later requests, which is another one only for a link that can be used once.
extension VibeTunnelInterface {
    /// Returns what a request may do.
    func access(of request: WebRequest) throws(VibeTunnelRefusal) -> PageAccess {
        try token(of: request).access
    }

    /// Opens the link of a request, which must be closed.
    func open(_ request: WebRequest) throws(VibeTunnelRefusal) -> PageAccess {
        let token = try token(of: request).token
        guard let access = try? server.links.open(token, isPage: true) else { throw .unauthenticated }
        return access
    }

    private func token(
        of request: WebRequest
    ) throws(VibeTunnelRefusal) -> (token: [UInt8], access: PageAccess) {
        guard server.limit.admits(request.address) else { throw .tooManyLogins }
        let tokens = Self.tokens(in: request)
        for token in tokens {
            if let access = server.links.access(with: token) { return (token, access) }
        }
        if !tokens.isEmpty { server.limit.recordFailure(of: request.address) }
        throw .unauthenticated
    }

    /// The tokens in the header `Authorization`, and in the query, where clients put them for WebSockets.
    private static func tokens(in request: WebRequest) -> [[UInt8]] {
        var tokens: [[UInt8]] = []
        let words = request.authorization?.split(separator: " ") ?? []
        if words.count == 2 {
            switch words[0].lowercased() {
            case "basic":
                let credentials = Base64.decode(Array(words[1].utf8)) ?? []
                tokens.append(Array(credentials.drop { $0 != UInt8(ascii: ":") }.dropFirst()))
            case "bearer": tokens.append(Array(words[1].utf8))
            default: break
            }
        }
        for pair in request.query.split(separator: "&") where pair.hasPrefix("token=") {
            tokens.append(Array(pair.dropFirst("token=".count).utf8))
        }
        return tokens.filter { !$0.isEmpty }
    }

    // MARK: - Requests

    /// Answers a request below `auth/`.
    func authentication(_ request: WebRequest, _ name: String) throws(VibeTunnelRefusal) -> WebAnswer {
        switch (request.method, name) {
        case ("GET", "config"):
            return .json { writer in
                for name in ["enableSSHKeys", "disallowUserPassword", "noAuth"] { writer.member(name, false) }
                writer.member("passwordAuthMode", "configured")
            }
        case ("GET", "current-user"): return .json { $0.member("userId", Self.user) }
        case ("POST", "password"): return try password(request)
        case ("GET", "verify"):
            let isValid = (try? access(of: request)) != nil
            return .json(status: isValid ? 200 : 401) { writer in
                writer.member("valid", isValid)
                if isValid { writer.member("userId", Self.user) }
            }
        // A token is valid until its link is revoked.
        case ("POST", "logout"): return .performed()
        default: throw .unknownPath
        }
    }

    private func password(_ request: WebRequest) throws(VibeTunnelRefusal) -> WebAnswer {
        guard server.limit.admits(request.address) else { throw .tooManyLogins }
        let document = request.body
        guard let body = try? JSONOutlineParser.parse(document),
            let user = body.member("userId")?.string(in: document),
            let password = body.member("password")?.string(in: document)
        else {
            return .json(status: 400) { writer in
                writer.member("success", false)
                writer.member("error", "User ID and password are required")
            }
        }
        guard let access = try? server.links.open(Array(password.utf8), isPage: true) else {
            server.limit.recordFailure(of: request.address)
            return .json(status: 401) { writer in
                writer.member("success", false)
                writer.member("error", "Authentication failed")
            }
        }
        // Only WebSockets count as pages.
        server.links.close(access.link)
        return .performed { writer in
            writer.member("token", access.key ?? password)
            writer.member("userId", user)
            writer.member("authMethod", "password")
        }
    }

    private static var user: String { Account.current()?.name ?? "vt" }
}
