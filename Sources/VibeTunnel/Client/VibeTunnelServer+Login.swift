import Core
import HTTP

/// The requests of a login.
extension VibeTunnelServer {
    /// The length of a challenge (`auth-service.ts`).
    ///
    /// The signature is that of the challenge itself. Nothing else of this length is signed with an SSH key, so that a
    /// server cannot use it for anything else: what SSH signs begins with an identifier of this length (RFC 4252 §7).
    private static let challengeBytes = 32

    /// Logs in with the first method that the server allows and for which there are credentials.
    ///
    /// - Throws: `auth.denied`; errors of the sources of credentials and of the connection.
    func newAuthorization(after refusal: HTTPAnswer) async throws(VTError) -> Authorization {
        let methods = LoginMethod.allowed(by: refusal, configuration: try await send("GET", "/api/auth/config"))
        for method in methods {
            if method == .sshKey {
                if let token = try await tokenForKey() { return .token(token) }
            } else if let password = try await plan.credentials.password() {
                conceal([password.bytes])
                return method == .basic
                    ? .basic(user: plan.user ?? "vt", password) : .token(try await token(for: password))
            }
        }
        guard methods != [.sshKey] else {
            throw VTError(
                .authDenied,
                "'\(plan.name)' accepts only SSH keys, and no Ed25519 key of yours",
                hint: "add the public key to ~/.ssh/authorized_keys there, and use 'ssh-add' here if it is encrypted"
            )
        }
        throw VTError(
            .authDenied,
            "'\(plan.name)' requires a password",
            hint: "to store it, use 'vt profile edit \(plan.name) --password-stdin'"
        )
    }

    /// Exchanges the password for a token.
    private func token(for password: Secret) async throws(VTError) -> Secret {
        let user = try await userName()
        let path = "/api/auth/password"
        let body = Self.json { object in
            object.member("userId", user)
            object.member("password", String(decoding: password.bytes, as: UTF8.self))
        }
        let answer = try await send("POST", path, body)
        guard answer.status != 401, answer.status != 403 else { throw denied }
        return try token(in: answer, to: path)
    }

    /// Exchanges the signature of a challenge for a token; nil if the server accepts none of the keys.
    private func tokenForKey() async throws(VTError) -> Secret? {
        let user = try await userName()
        for key in try await keys.signingKeys(of: plan.credentials) {
            let (id, challenge) = try await challenge(for: user)
            let signature = Base64.encode(try await key.sign(challenge))
            let path = "/api/auth/ssh-key"
            let body = Self.json { object in
                object.member("challengeId", id)
                object.member("publicKey", key.publicKey.line)
                object.member("signature", signature)
            }
            let answer = try await send("POST", path, body)
            if answer.status != 401 { return try token(in: answer, to: path) }
        }
        return nil
    }

    private func challenge(for user: String) async throws(VTError) -> (id: String, bytes: [UInt8]) {
        let path = "/api/auth/challenge"
        let answer = try await send("POST", path, Self.json { $0.member("userId", user) })
        guard (200..<300).contains(answer.status) else { throw failure(answer, "POST", path) }
        guard let id = answer.text("challengeId"), let text = answer.text("challenge"),
            let challenge = Base64.decode(Array(text.utf8)), challenge.count == Self.challengeBytes
        else { throw unexpected(answer, path) }
        return (id, challenge)
    }

    private func token(in answer: HTTPAnswer, to path: String) throws(VTError) -> Secret {
        guard (200..<300).contains(answer.status) else { throw failure(answer, "POST", path) }
        guard let token = answer.text("token"), !token.isEmpty else { throw unexpected(answer, path) }
        return try Secret(Array(token.utf8))
    }

    /// The user to log in as: by default, the one that the server runs as.
    private func userName() async throws(VTError) -> String {
        if let user = plan.user { return user }
        return try await send("GET", "/api/auth/current-user").text("userId") ?? ""
    }
}

/// How a server that has refused a request wants clients to log in.
private enum LoginMethod: Hashable, Sendable {
    /// A name and a password in each request: the servers of June 2025.
    case basic
    /// A token in exchange for a name and a password.
    case password
    /// A token in exchange for the signature of an SSH key.
    case sshKey

    /// The methods that a server allows, in the order in which they are tried.
    ///
    /// `refusal` is the answer 401, and `configuration` that of `/api/auth/config`, without which a server has no
    /// tokens. A server with both gets the password only once, and later commands need no second request.
    static func allowed(by refusal: HTTPAnswer, configuration: HTTPAnswer) -> [LoginMethod] {
        guard (200..<300).contains(configuration.status),
            let json = try? JSONOutlineParser.parse(configuration.body), json.members != nil
        else {
            let challenges = refusal.fields.filter { $0.name.lowercased() == "www-authenticate" }
            return [challenges.contains { $0.value.lowercased().hasPrefix("basic") } ? .basic : .password]
        }
        func isSet(_ name: String) -> Bool { json.member(name)?.bool(in: configuration.body) ?? false }
        let keys: [LoginMethod] = isSet("enableSSHKeys") ? [.sshKey] : []
        return isSet("disallowUserPassword") && !keys.isEmpty ? keys : [.password] + keys
    }
}
