import Core

/// Authentication with credentials for which the user is asked.
extension SSHConnection {
    /// The methods in the order in which ssh(1) asks, unless options specify another one.
    private static let usualOrder = [AuthenticationMethod.keyboardInteractive, .password]
    /// The lengths to which ssh(1) truncates names in prompts.
    private static let (userLimit, hostLimit, pathLimit) = (30, 128, 100)

    /// Asks for each method that the server accepts, until it accepts an answer; returns the method.
    func firstAcceptedAnswer(
        _ credentials: PreparedCredentials,
        asking prompter: Prompter,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> String? {
        guard var offered = try await methodsStillOffered() else { return "none" }
        let given = credentials.methods.filter { $0 != .publicKey }
        var order = (credentials.methods == AuthenticationMethod.standard ? Self.usualOrder : given)[...]
        while let method = order.first {
            order.removeFirst()
            let (isAccepted, refusal) = try await authenticate(
                for: method,
                offered: offered,
                of: credentials,
                prompter,
                log: &log
            )
            if isAccepted { return method.rawValue }
            guard let refusal else { continue }
            offered = refusal.methods
            // The server requires another method, which can be one that it has not accepted before.
            if refusal.isPartialSuccess { return nil }
        }
        return nil
    }

    /// Asks for one method until the server accepts an answer or no longer accepts the method, as often as the prompter
    /// allows; returns the last refusal.
    private func authenticate(
        for method: AuthenticationMethod,
        offered: [String],
        of credentials: PreparedCredentials,
        _ prompter: Prompter,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> (isAccepted: Bool, SSHMessage.Refusal?) {
        let name = "\(user.prefix(Self.userLimit))@\(credentials.promptHost.prefix(Self.hostLimit))"
        var refusal: SSHMessage.Refusal?
        for number in 0..<prompter.limit where (refusal?.methods ?? offered).contains(method.rawValue) {
            var isAccepted: Bool?
            if method == .password {
                let prompt = Prompt("\(name)'s password: ", lines: number > 0 ? [Self.repetition] : [])
                guard let password = try await answer(to: prompt, prompter) else { break }
                isAccepted = try await tryPassword(password, log: &log)
            } else {
                isAccepted = try await tryQuestions(name: name, prompter, log: &log)
            }
            refusal = wire.memory.lastRefusal ?? refusal
            if isAccepted == true { return (true, nil) }
            guard isAccepted != nil, refusal?.isPartialSuccess != true else { break }
        }
        return (false, refusal)
    }

    private static let repetition = "Permission denied, please try again."

    /// Returns the user's answer; nil if there is none.
    private func answer(to prompt: Prompt, _ prompter: Prompter) async throws(SSHFailure) -> Secret? {
        reportBanners()
        return try await SSHFailure.stopping { () async throws(VTError) in try await prompter.answer(prompt) }
    }

    // MARK: - Keyboard-interactive

    /// Lets the user answer the server's questions; nil if the server asked nothing or the user answered nothing.
    private func tryQuestions(
        name: String,
        _ prompter: Prompter,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> Bool? {
        var hasAnswered = false
        let outcome = try await outcome { () async throws(SSHFailure) in
            try await converse { questions async throws(SSHFailure) in
                var lines = [questions.name, questions.instruction].filter { !$0.isEmpty }
                var answers: [[UInt8]] = []
                for question in questions.prompts {
                    var prompt = Prompt("(\(name)) \(question.text)", lines: lines)
                    prompt.echoes = question.echoes
                    guard let answer = try await self.answer(to: prompt, prompter) else {
                        hasAnswered = false
                        return []
                    }
                    lines = []
                    hasAnswered = true
                    answers.append(answer.bytes)
                }
                return answers
            }
        }
        if outcome == .accepted { return true }
        log.add(.password, "keyboard-interactive", wasAccepted: outcome == .partiallyAccepted)
        return hasAnswered ? false : nil
    }

    /// Performs one attempt; `answers` returns the answers to questions.
    private func converse(
        answers: (KeyboardConversation.Questions) async throws(SSHFailure) -> [[UInt8]]
    ) async throws(SSHFailure) {
        let conversation = KeyboardConversation()
        defer {
            wire.conversation = nil
            wire.memory.isAnsweringQuestions = false
        }
        while true {
            if let failure { throw .stopped(failure) }
            var step = try session.authenticateByKeyboard(user: user, in: conversation)
            while case .asked(let questions) = step {
                do throws(SSHFailure) {
                    step = conversation.answer(try await answers(questions))
                } catch {
                    // The call must return, but nothing more is sent.
                    wire.close()
                    _ = conversation.answer([])
                    throw error
                }
            }
            guard case .returned(let code) = step else { return }
            if try attempt("userauth_keyboard_interactive", { _ in code }) != nil { return }
            try await progress()
        }
    }

    // MARK: - Passphrases

    /// Asks for the passphrase of a key that the server accepts; returns whether the key authenticated the user.
    func tryLockedIdentity(
        _ identity: PreparedCredentials.Identity,
        of credentials: PreparedCredentials,
        _ prompter: Prompter,
        log: inout AuthenticationLog
    ) async throws(SSHFailure) -> Bool {
        let path = identity.file.path
        guard try await acceptsKey(of: identity.file) else {
            log.add(.publicKey, "publickey \(path)", wasAccepted: false)
            return false
        }
        let prompt = Prompt("Enter passphrase for key '\(path.prefix(Self.pathLimit))': ")
        for _ in 0..<prompter.limit {
            guard let passphrase = try await answer(to: prompt, prompter), !passphrase.bytes.isEmpty else { break }
            var unlocked = identity
            unlocked.passphrase = passphrase
            unlocked.isLocked = false
            switch try await SSHFailure.stopping({ () throws(VTError) in try identity.file.decrypt(with: passphrase) })
            {
            case .wrongPassphrase: continue
            case .key(let key): unlocked.rsaKey = key
            }
            if let key = unlocked.rsaKey, let reason = credentials.objection(to: key.publicKey, "'\(path)'") {
                log.skippedReasons.append(reason)
                return false
            }
            do throws(SSHFailure) {
                return try await tryIdentity(unlocked, label: "publickey \(path)", log: &log)
            } catch {
                guard case .stopped(let failure) = error, failure.code == .authDenied, self.failure == nil else {
                    throw error
                }
            }
        }
        log.skippedReasons.append(VTError(.authDenied, "private key '\(path)' was not decrypted"))
        return false
    }

    /// Whether the server accepts a key, which is not used for a signature; true if the file does not contain the
    /// public key.
    private func acceptsKey(of file: IdentityFile) async throws(SSHFailure) -> Bool {
        guard let blob = file.publicKey, let type = HostKey(blob: blob)?.type else { return true }
        var isAccepted = false
        _ = try await outcome { () async throws(SSHFailure) in
            try await offer(SignatureRequest(publicKey: blob, type: type)) { _ in
                isAccepted = true
                return nil
            }
        }
        return isAccepted
    }
}
