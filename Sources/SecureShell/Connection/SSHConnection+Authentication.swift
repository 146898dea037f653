import CLibSSH2
import Core

extension SSHConnection {
    /// Authenticates with the first credential that the server accepts: agent, identities, password, questions.
    ///
    /// Each is tried once. The server is asked what it takes only after everything failed, as that costs a round trip.
    /// A server that wants two methods answers the first one with a failure, and the second comes in its turn.
    ///
    /// Returns the method, with the name of the key. `auth.denied` when nothing was accepted.
    func authenticate(user: String, with credentials: PreparedCredentials) async throws(VTError) -> String {
        var attempts: [String] = []
        do throws(CallFailure) {
            for key in credentials.agentKeys {
                guard let agent = credentials.agent else { break }
                let method = "publickey \(key.comment) of the agent"
                if try await tryAgentKey(key, of: agent, user: user) { return method }
                attempts.append(method)
            }
            for identity in credentials.identities {
                let method = "publickey \(identity.file.path)"
                if try await tryIdentity(identity, user: user) { return method }
                attempts.append(method)
            }
            if let password = try await secret(credentials.password) {
                if try await tryPassword(password, user: user) { return "password" }
                attempts.append("password")
                if try await tryKeyboard(password, user: user) { return "keyboard-interactive" }
                attempts.append("keyboard-interactive")
            }
            guard let methods = try await methodsOffered(to: user) else { return "none" }
            throw .stopped(denial(user, tried: attempts, obstacles: credentials.obstacles, methods: methods))
        } catch {
            throw authenticationFailure(error, user: user, tried: attempts)
        }
    }

    // MARK: - Methods

    private func tryAgentKey(
        _ key: AgentClient.Key,
        of agent: AgentClient,
        user: String
    ) async throws(CallFailure) -> Bool {
        let request = SignatureRequest()
        return try await accepted { () async throws(CallFailure) in
            while true {
                let result = try attempt("userauth_publickey") {
                    $0.authenticate(user: user, publicKey: key.blob, signingBy: request)
                }
                if result != nil { return }
                if let data = request.data {
                    request.data = nil
                    do throws(VTError) {
                        let flags = Self.signatureFlags(for: data)
                        request.answer = .signature(try await agent.sign(data, with: key, flags: flags))
                    } catch {
                        request.answer = .refused
                    }
                } else {
                    try await progress()
                }
            }
        }
    }

    /// The hash that the agent has to use for an RSA key, from the algorithm that the signed data names (RFC 4252 §7).
    private static func signatureFlags(for data: [UInt8]) -> UInt32 {
        var reader = WireReader(data[...])
        guard reader.string() != nil, reader.byte() != nil, reader.string() != nil, reader.string() != nil,
            reader.string() != nil, reader.byte() != nil, let algorithm = reader.text()
        else { return 0 }
        return switch algorithm {
        case "rsa-sha2-256": 2
        case "rsa-sha2-512": 4
        default: 0
        }
    }

    private func tryIdentity(
        _ identity: PreparedCredentials.Identity,
        user: String
    ) async throws(CallFailure) -> Bool {
        try await accepted { () async throws(CallFailure) in
            do throws(CallFailure) {
                try await perform("userauth_publickey_frommemory") {
                    $0.authenticate(
                        user: user,
                        privateKey: identity.file.contents,
                        passphrase: identity.passphrase
                    )
                }
            } catch {
                if case .engine(let failure) = error, let unusable = unusable(identity, failure) {
                    throw .stopped(unusable)
                }
                throw error
            }
        }
    }

    /// The error for a key that never got as far as the server.
    private func unusable(_ identity: PreparedCredentials.Identity, _ error: EngineError) -> VTError? {
        switch error.code {
        case LIBSSH2_ERROR_FILE, LIBSSH2_ERROR_METHOD_NOT_SUPPORTED, LIBSSH2_ERROR_KEYFILE_AUTH_FAILED,
            LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED:
            let path = identity.file.path
            guard identity.file.isEncrypted else {
                return error.code == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED
                    ? nil : VTError(.dataInvalid, "cannot use private key '\(path)'", causes: [error.summary])
            }
            return VTError(
                .authDenied,
                "cannot decrypt private key '\(path)': wrong passphrase",
                causes: [error.summary]
            )
        default: return nil
        }
    }

    private func tryPassword(_ password: Secret, user: String) async throws(CallFailure) -> Bool {
        try await accepted { () async throws(CallFailure) in
            try await perform("userauth_password") { $0.authenticate(user: user, password: password) }
        }
    }

    private func tryKeyboard(_ password: Secret, user: String) async throws(CallFailure) -> Bool {
        wire.keyboardAnswer = password.bytes
        defer { wire.keyboardAnswer = nil }
        return try await accepted { () async throws(CallFailure) in
            try await perform("userauth_keyboard_interactive") { $0.authenticateByKeyboard(user: user) }
        }
    }

    private func secret(_ provider: Credentials.SecretProvider) async throws(CallFailure) -> Secret? {
        do throws(VTError) {
            return try await provider()
        } catch {
            throw .stopped(error)
        }
    }

    /// Whether the server accepted; a refusal is no failure as long as the link lives.
    private func accepted(_ body: () async throws(CallFailure) -> Void) async throws(CallFailure) -> Bool {
        do throws(CallFailure) {
            try await body()
            return true
        } catch {
            guard case .engine(let failure) = error else { throw error }
            switch failure.code {
            case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED,
                LIBSSH2_ERROR_PASSWORD_EXPIRED, LIBSSH2_ERROR_METHOD_NOT_SUPPORTED, LIBSSH2_ERROR_METHOD_NONE:
                return false
            default: throw error
            }
        }
    }

    // MARK: - Refusal

    /// The methods that the server takes, or nil when it has let us in without any.
    private func methodsOffered(to user: String) async throws(CallFailure) -> [String]? {
        let methods = try await perform { session throws(EngineError) in
            try session.authenticationMethods(user: user)
        }
        return session.isAuthenticated ? nil : methods
    }

    private func denial(_ user: String, tried: [String], obstacles: [String], methods: [String]) -> VTError {
        let message =
            tried.isEmpty
            ? "no credential for '\(user)' at '\(name)'"
            : "'\(name)' refuses '\(user)' with \(tried.joined(separator: ", "))"
        let hint =
            methods.contains("publickey")
            ? "add a public key to ~/.ssh/authorized_keys there, or name another one with --identity"
            : "give the password with --password-command, --password-env or --password-file"
        let offered = "the server takes \(methods.joined(separator: ", "))"
        return VTError(.authDenied, message, hint: hint, causes: [offered] + obstacles)
    }

    private func authenticationFailure(_ failure: CallFailure, user: String, tried: [String]) -> VTError {
        switch failure {
        case .stopped(let error) where error.code != .hostUnreachable || tried.isEmpty: error
        case .stopped(let error): brokenOff(user, tried: tried, causes: error.causes)
        case .engine(let error) where error.isLinkLoss: brokenOff(user, tried: tried, causes: [error.summary])
        case .engine(let error):
            VTError(.protocolViolation, "the authentication at '\(name)' failed", causes: [error.summary])
        }
    }

    /// Servers hang up on a client that has tried too often (MaxAuthTries of sshd_config(5)).
    private func brokenOff(_ user: String, tried: [String], causes: [String]) -> VTError {
        guard !tried.isEmpty else { return linkLoss() }
        return VTError(
            .authDenied,
            "'\(name)' refuses '\(user)' and hangs up after \(tried.joined(separator: ", "))",
            hint: "with many keys in the agent, name the right one: --identity FILE --no-agent",
            causes: causes
        )
    }
}
