import Core
import System
import VibeTunnel

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
        guard let access = try? server.links.open(token) else { throw .unauthenticated }
        return access
    }

    package func allowance(of request: WebRequest) -> WebAllowance {
        let access = Self.tokens(in: request).lazy.compactMap { self.server.links.access(with: $0) }.first
        // Otherwise, machines that may only watch, or nothing, could take as much memory.
        guard let access, access.role.canType else {
            return WebAllowance(isLoggedIn: access != nil, bodyBytes: Self.smallBytes, messageBytes: Self.smallBytes)
        }
        return WebAllowance(isLoggedIn: true, bodyBytes: Self.bodyBytes, messageBytes: VibeTunnelFrame.limitBytes)
    }

    private static let smallBytes = 16 << 10
    private static let bodyBytes = 1 << 20

    private func token(
        of request: WebRequest
    ) throws(VibeTunnelRefusal) -> (token: [UInt8], access: PageAccess) {
        for token in Self.tokens(in: request) {
            if let access = server.links.access(with: token) { return (token, access) }
        }
        // A script of another site, or even an image, can send any query from the address of a user.
        guard Self.authorization(in: request) == nil else { throw refusal(ofLoginFrom: request.address) }
        throw .unauthenticated
    }

    /// Records a failed login, and returns its answer.
    private func refusal(ofLoginFrom address: String) -> VibeTunnelRefusal {
        server.limit.recordFailure(of: address) ? .tooManyLogins : .unauthenticated
    }

    /// The tokens in the header `Authorization`, and in the query, where clients put them for WebSockets.
    private static func tokens(in request: WebRequest) -> [[UInt8]] {
        let query = request.query.split(separator: "&").first { $0.hasPrefix("token=") }
        let tokens = [authorization(in: request), query.map { Array($0.dropFirst("token=".count).utf8) }]
        return tokens.compactMap(\.self).filter { !$0.isEmpty }
    }

    /// The token in the header `Authorization`.
    private static func authorization(in request: WebRequest) -> [UInt8]? {
        let words = request.authorization?.split(separator: " ") ?? []
        guard words.count == 2 else { return nil }
        switch words[0].lowercased() {
        case "basic":
            let credentials = Base64.decode(Array(words[1].utf8)) ?? []
            return Array(credentials.drop { $0 != UInt8(ascii: ":") }.dropFirst())
        case "bearer": return Array(words[1].utf8)
        default: return nil
        }
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
        case ("GET", "current-user"):
            _ = try access(of: request)
            return .json { $0.member("userId", Self.user) }
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
        let key = RandomIdentifier.make()
        guard let access = try? server.links.open(Array(password.utf8), .ifOnce(key: Array(key.utf8))) else {
            let refusal = refusal(ofLoginFrom: request.address)
            guard refusal.status == 401 else { throw refusal }
            return .json(status: 401) { writer in
                writer.member("success", false)
                writer.member("error", "Authentication failed")
            }
        }
        // Only WebSockets count as pages.
        server.links.close(access.link)
        return .performed { writer in
            writer.member("token", access.hasKey ? key : password)
            writer.member("userId", user)
            writer.member("authMethod", "password")
        }
    }

    private static var user: String { Account.current()?.name ?? "vt" }
}
