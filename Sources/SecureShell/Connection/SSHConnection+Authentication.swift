import CLibSSH2
import Core

extension SSHConnection {
    /// The maximum number of bytes that a server may send between key exchange and login, including banners.
    private static let authenticationLimitBytes: UInt64 = 1 << 20

    /// Authenticates with the first credential that the server accepts, in the order of the methods.
    ///
    /// The server's methods are known from its first refusal; they are requested only before a password would be sent,
    /// because the request costs a round trip. If the server accepts a method but requires another one, all methods
    /// that it then accepts are tried (again).
    ///
    /// Banners are reported even if authentication fails. Returns the method and the name of the key; throws
    /// `auth.denied` if nothing was accepted.
    func authenticate(user: String, with credentials: PreparedCredentials) async throws(VTError) -> String {
        self.user = user
        wire.limitReception(toFurther: Self.authenticationLimitBytes)
        defer { reportBanners() }
        var log = AuthenticationLog(server: name, user: user, skippedReasons: credentials.skippedReasons)
        do throws(SSHFailure) {
            guard let method = try await firstAccepted(credentials, log: &log) else {
                guard let methods = try await methodsOffered() else { return "none" }
                throw .stopped(log.denial(methods: methods))
            }
            return method
        } catch {
            throw authenticationFailure(error, log)
        }
    }

    /// Removes the limit on received bytes, and discards data kept for the login.
    func endLogin() {
        wire.limitReception(toFurther: nil)
        wire.memory.stopGuarding()
    }

    /// Reports the banners that have arrived since the last call.
    func reportBanners() {
        let banners = wire.memory.banners
        for banner in banners.dropFirst(reportedBanners) { observer(name, .greeted(banner: banner)) }
        reportedBanners = max(reportedBanners, banners.count)
    }

    /// The maximum number of methods that a server may require.
    private static let requiredMethodLimit = 8

    private func firstAccepted(
        _ credentials: PreparedCredentials,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> String? {
        var methods = credentials.methods
        for _ in 0..<Self.requiredMethodLimit {
            let count = log.partialSuccesses
            if let label = try await firstAccepted(of: methods, credentials, log: &log) { return label }
            guard log.partialSuccesses > count else { return nil }
            methods = credentials.methods
        }
        return nil
    }

    /// Tries the methods that the server accepts, in order, until one of them is accepted, possibly in part.
    private func firstAccepted(
        of methods: [AuthenticationMethod],
        _ credentials: PreparedCredentials,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> String? {
        let count = log.partialSuccesses
        var password: Secret?
        var hasAsked = false
        for method in methods where log.partialSuccesses == count {
            if method == .publicKey {
                guard wire.memory.lastRefusal.map({ $0.methods.contains(method.rawValue) }) ?? true else { continue }
                if let label = try await firstAcceptedKey(credentials, log: &log) { return label }
                continue
            }
            if password == nil { password = try await SSHFailure.stopping(credentials.password) }
            guard let password else {
                guard let prompter = credentials.prompter, !hasAsked else { continue }
                hasAsked = true
                let label = try await firstAcceptedAnswer(credentials, asking: prompter, log: &log)
                if let label { return label }
                continue
            }
            guard let offered = try await methodsStillOffered() else { return "none" }
            guard offered.contains(method.rawValue) else { continue }
            let isAccepted =
                method == .password
                ? try await tryPassword(password, log: &log)
                : try await tryKeyboard(password, log: &log)
            if isAccepted { return method.rawValue }
        }
        return nil
    }

    /// Returns the methods that the server accepts, according to its last refusal if there was one; nil if it
    /// authenticated the user without any.
    func methodsStillOffered() async throws(SSHFailure) -> [String]? {
        if let refusal = wire.memory.lastRefusal { return refusal.methods }
        return try await methodsOffered()
    }

    private func firstAcceptedKey(
        _ credentials: PreparedCredentials,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> String? {
        for certificate in credentials.certificates {
            let label = "publickey \(certificate.certificate.path)"
            if try await tryCertificate(certificate, of: credentials.agent, label: label, log: &log) {
                return label
            }
            if mustChangeMethod { return nil }
        }
        for key in credentials.agentKeys {
            guard let agent = credentials.agent else { break }
            let label = "publickey \(key.comment) from the agent"
            if try await tryAgentKey(key, of: agent, label: label, log: &log) { return label }
            if mustChangeMethod { return nil }
        }
        for identity in credentials.identities {
            if identity.isLocked, let prompter = credentials.prompter {
                if try await tryLockedIdentity(identity, of: credentials, prompter, log: &log) {
                    return "publickey \(identity.file.path)"
                }
            } else {
                let label = "publickey \(identity.file.path)"
                if try await tryIdentity(identity, label: label, log: &log) { return label }
            }
            if mustChangeMethod { return nil }
        }
        return nil
    }

    /// Whether the server has accepted a key, and requires a method other than a further key.
    private var mustChangeMethod: Bool {
        guard let refusal = wire.memory.lastRefusal, refusal.isPartialSuccess else { return false }
        return !refusal.methods.contains(AuthenticationMethod.publicKey.rawValue)
    }

    // MARK: - Methods

    private func tryAgentKey(
        _ key: AgentClient.Key,
        of agent: AgentClient,
        as certificate: UserCertificate? = nil,
        label: String,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> Bool {
        let request = SignatureRequest(
            publicKey: certificate?.blob ?? key.blob,
            type: certificate?.type ?? key.type ?? ""
        )
        var obstacle: VTError?
        let outcome = try await outcome { () async throws(SSHFailure) in
            try await offer(request) { data async in
                do throws(VTError) {
                    return try await agent.sign(
                        data,
                        with: key,
                        algorithm: request.signatureAlgorithm,
                        for: hostKeyProof
                    )
                } catch {
                    obstacle = error
                    return nil
                }
            }
        }
        if outcome == .accepted { return true }
        if let obstacle {
            log.skippedReasons.append(obstacle)
        } else {
            log.add(.publicKey, label, wasAccepted: outcome == .partiallyAccepted)
        }
        return false
    }

    func tryIdentity(
        _ identity: PreparedCredentials.Identity,
        label: String,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> Bool {
        try await isAccepted(.publicKey, label, log: &log) { () async throws(SSHFailure) in
            guard let key = identity.rsaKey else { return try await offer(identity) }
            let request = SignatureRequest(publicKey: key.publicKey, type: "ssh-rsa")
            try await offer(request) { data async in key.signature(of: data) }
        }
    }

    private func tryCertificate(
        _ pair: PreparedCredentials.Certificate,
        of agent: AgentClient?,
        label: String,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> Bool {
        let certificate = pair.certificate
        guard case .identity(let identity) = pair.signer else {
            guard case .agent(let key) = pair.signer, let agent else { return false }
            return try await tryAgentKey(key, of: agent, as: certificate, label: label, log: &log)
        }
        return try await isAccepted(.publicKey, label, log: &log) { () async throws(SSHFailure) in
            guard certificate.type.hasPrefix("ecdsa-") == false else {
                return try await offer(identity, certificate: certificate.line)
            }
            let request = SignatureRequest(publicKey: certificate.blob, type: certificate.type)
            try await offer(request) { data async in
                identity.rsaKey?.signature(of: data) ?? identity.file.ed25519Signature(of: data)
            }
        }
    }

    /// Offers a public key to the server, and calls `sign` if the server accepts it.
    ///
    /// The attempt is aborted if `sign` returns nil.
    func offer(_ request: SignatureRequest, sign: ([UInt8]) async -> [UInt8]?) async throws(SSHFailure) {
        while true {
            let result = try attempt("userauth_publickey") { $0.authenticate(user: user, signingBy: request) }
            if result != nil { return }
            if let data = request.takeData() {
                request.answer = await sign(data).map { .signature($0) } ?? .refused
            } else {
                try await progress()
            }
        }
    }

    /// Authenticates with a key that libssh2 parses itself.
    private func offer(_ identity: PreparedCredentials.Identity, certificate: [UInt8]? = nil) async throws(SSHFailure) {
        let sentBefore = wire.sentBytes
        do throws(SSHFailure) {
            try await perform("userauth_publickey_frommemory") {
                $0.authenticate(
                    user: user,
                    privateKey: identity.file.contents,
                    passphrase: identity.passphrase,
                    certificate: certificate
                )
            }
        } catch {
            // A failure before anything was sent is caused by the key.
            guard error.code != nil, wire.sentBytes == sentBefore, !error.isLinkLoss else { throw error }
            let path = identity.file.path
            var unusable =
                identity.file.isEncrypted
                ? identity.file.wrongPassphrase : VTError(.dataInvalid, "cannot use private key '\(path)'")
            unusable.causes += error.causes
            throw .stopped(unusable)
        }
    }

    func tryPassword(_ password: Secret, log: inout AuthenticationLog) async throws(SSHFailure) -> Bool {
        try await isAccepted(.password, "password", log: &log) { () async throws(SSHFailure) in
            try await perform("userauth_password") { $0.authenticate(user: user, password: password) }
        }
    }

    private func tryKeyboard(_ password: Secret, log: inout AuthenticationLog) async throws(SSHFailure) -> Bool {
        wire.keyboardAnswer = password.bytes
        wire.keyboardQuestions = []
        defer { wire.keyboardAnswer = nil }
        let outcome = try await outcome { () async throws(SSHFailure) in
            try await perform("userauth_keyboard_interactive") { $0.authenticateByKeyboard(user: user) }
        }
        guard outcome != .accepted else { return true }
        // A server repeats its question after a wrong answer.
        let other = wire.keyboardQuestions.dropFirst().first { $0 != wire.keyboardQuestions[0] }
        log.addKeyboard(asking: other, wasAccepted: outcome == .partiallyAccepted)
        return false
    }

    enum Outcome {
        case accepted
        /// The method was accepted, but another one is required (RFC 4252 §5.1).
        case partiallyAccepted
        case refused
    }

    /// Makes an attempt, and adds it to the log if it does not succeed.
    private func isAccepted(
        _ method: AuthenticationLog.Method,
        _ label: String,
        log: inout AuthenticationLog,
        _ body: () async throws(SSHFailure) -> Void
    ) async throws(SSHFailure) -> Bool {
        let outcome = try await outcome(body)
        if outcome != .accepted { log.add(method, label, wasAccepted: outcome == .partiallyAccepted) }
        return outcome == .accepted
    }

    /// Returns the server's answer; a rejection is not a failure as long as the connection works.
    func outcome(_ body: () async throws(SSHFailure) -> Void) async throws(SSHFailure) -> Outcome {
        wire.memory.forgetRefusal()
        do throws(SSHFailure) {
            try await body()
            return .accepted
        } catch {
            switch error.code {
            case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED,
                LIBSSH2_ERROR_PASSWORD_EXPIRED, LIBSSH2_ERROR_METHOD_NOT_SUPPORTED, LIBSSH2_ERROR_METHOD_NONE:
                return wire.memory.lastRefusal?.isPartialSuccess == true ? .partiallyAccepted : .refused
            default: throw error
            }
        }
    }

    // MARK: - Failures

    /// Returns the methods that the server accepts, or nil if it authenticated the user without any.
    func methodsOffered() async throws(SSHFailure) -> [String]? {
        let methods = try await perform { session throws(SSHFailure) in
            try session.authenticationMethods(user: user)
        }
        return session.isAuthenticated ? nil : methods
    }

    private func authenticationFailure(_ failure: SSHFailure, _ log: AuthenticationLog) -> VTError {
        if let error = receiveLimitError ?? corruptionError { return error }
        if case .stopped(let error) = failure, error.code != .hostUnreachable || log.isEmpty { return error }
        if failure.code == LIBSSH2_ERROR_OUT_OF_BOUNDARY {
            return VTError(
                .protocolViolation,
                "'\(name)' sent a packet that is too large, such as a banner of more than 35,000 bytes",
                hint: "shorten the file that Banner in sshd_config(5) names",
                causes: failure.causes
            )
        }
        guard failure.code == nil || failure.isLinkLoss else {
            return VTError(.protocolViolation, "authentication failed on '\(name)'", causes: failure.causes)
        }
        return log.isEmpty ? linkLoss() : log.brokenOff(causes: failure.causes)
    }
}
