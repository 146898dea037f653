import Core
import NIOCore

extension SSHConnection {
    /// The maximum number of bytes that a server may send before the key exchange is complete.
    ///
    /// OpenSSH allows 1024 lines of 8 KiB before the identification line; in practice, servers send less than a
    /// hundredth of that.
    private static let handshakeLimitBytes: UInt64 = 256 << 10

    /// Performs the key exchange with the server and checks its host key.
    ///
    /// `knownKeyTypes` are preferred or, with `isOnlyKnown`, the only ones requested. `trust` is called as soon as the
    /// server has proved that it owns its key, before anything else is sent; if it throws, nothing more is sent.
    func handshake(
        knownKeyTypes: [String],
        isOnlyKnown: Bool = false,
        plan: SSHPlan,
        descriptor: CInt,
        observer: @escaping ConnectionObserver,
        trust: (HostKey) async throws(VTError) -> TrustVerdict
    ) async throws(VTError) {
        for kind in AlgorithmKind.negotiated {
            var offer = try offer(kind, plan, knownKeyTypes: knownKeyTypes)
            if kind == .hostKey, isOnlyKnown {
                offer.removeAll { !knownKeyTypes.contains(AlgorithmPreference.keyType(ofAlgorithm: $0)) }
            }
            do throws(SSHFailure) {
                try session.offer(offer, as: kind)
            } catch {
                throw VTError(.internal, "cannot set the algorithms for '\(name)'", causes: error.causes)
            }
        }
        let limit = limitIdentification(plan.limits.connectTimeout / 2)
        defer { limit.cancel() }
        acknowledgeQuickly()
        wire.limitReception(toFurther: Self.handshakeLimitBytes)
        do throws(SSHFailure) {
            try await exchangeKeys(descriptor: descriptor, observer: observer, trust: trust)
        } catch {
            throw handshakeFailure(error, plan)
        }
        hostKeyProof = session.hostKey.flatMap { HostKeyProof($0, firstBytes: recordedBytes) }
        wire.stopRecording()
        observer(name, .keysExchanged(algorithms: session.negotiatedAlgorithms))
    }

    private func offer(
        _ kind: AlgorithmKind,
        _ plan: SSHPlan,
        knownKeyTypes: [String] = []
    ) throws(VTError) -> [String] {
        try AlgorithmPreference.offer(
            kind,
            supported: session.supportedAlgorithms(kind),
            allowed: plan.allowedAlgorithms,
            knownKeyTypes: knownKeyTypes,
            setting: plan.algorithms[kind]
        )
    }

    private func exchangeKeys(
        descriptor: CInt,
        observer: @escaping ConnectionObserver,
        trust: (HostKey) async throws(VTError) -> TrustVerdict
    ) async throws(SSHFailure) {
        var isIdentified = false
        var isTrusted = false
        while true {
            if let failure { throw .stopped(failure) }
            let result = try session.checked("session_handshake", session.handshake(descriptor: descriptor))
            if !isIdentified, let identification = greeting.identification {
                isIdentified = true
                serverIdentification = identification
                observer(name, .identified(banner: identification))
                guard greeting.isUsable else { throw .stopped(oldProtocol(identification)) }
            }
            if !isTrusted, let key = session.hostKey {
                isTrusted = true
                do throws(VTError) {
                    observer(name, .trusted(key, try await trust(key)))
                } catch {
                    drop(error)
                    throw .stopped(error)
                }
            }
            if result != nil, !isTrusted {
                throw .stopped(VTError(.protocolViolation, "'\(name)' did not present a readable host key"))
            }
            afterCall()
            if result != nil { return }
            try await progress()
        }
    }

    /// Returns the error for a failed handshake, depending on its cause.
    private func handshakeFailure(_ failure: SSHFailure, _ plan: SSHPlan) -> VTError {
        if let identification = greeting.identification, !greeting.isUsable { return oldProtocol(identification) }
        if let excess = receiveLimitError { return excess }
        if case .stopped(let error) = failure {
            return error.code == .hostUnreachable ? closedEarly(causes: error.causes) : error
        }
        if let mismatch = mismatch(plan, causes: failure.causes) { return mismatch }
        if failure.isLinkLoss, let corruption = corruptionError { return corruption }
        if failure.isLinkLoss || wire.isDrained { return closedEarly(causes: failure.causes) }
        guard greeting.identification != nil else { return strangeServer(causes: failure.causes) }
        return VTError(.protocolViolation, "the key exchange with '\(name)' failed", causes: failure.causes)
    }

    private func closedEarly(causes: [String]) -> VTError {
        let greeting = greeting
        let said = greeting.identification == nil ? greeting.firstLine.map { ", saying '\($0)'" } ?? "" : ""
        return VTError(
            .hostUnreachable,
            "'\(name)' closed the connection during the key exchange\(said)",
            hint: "try again later: MaxStartups or PerSourcePenalties in sshd_config(5) might limit new connections",
            causes: causes,
            isTransient: true
        )
    }

    /// The error for a server that does not identify itself as an SSH server.
    private func strangeServer(causes: [String] = []) -> VTError {
        let said = greeting.firstLine.map { ": it says '\($0)'" } ?? ""
        return VTError(.protocolViolation, "'\(name)' is not an SSH server\(said)", causes: causes)
    }

    /// Starts a timer that closes the connection if the server has sent something else than its identification by then.
    ///
    /// Lines before the identification are allowed (RFC 4253 §4.2), but servers of other protocols wait for a request
    /// after their greeting.
    private func limitIdentification(_ timeout: Duration) -> Scheduled<Void> {
        eventLoop.scheduleTask(in: TimeAmount(timeout)) { [weak self] in
            self?.assumeIsolated { connection in
                let greeting = connection.greeting
                guard greeting.identification == nil, greeting.firstLine != nil else { return }
                connection.drop(connection.strangeServer())
            }
        }
    }

    /// The server's greeting; available from its arrival until the end of the handshake.
    var greeting: ServerGreeting {
        ServerGreeting(firstBytes: recordedBytes)
    }

    private var recordedBytes: [UInt8] {
        wire.recording.map { Array($0.readableBytesView) } ?? []
    }

    private func oldProtocol(_ identification: String) -> VTError {
        VTError(.protocolViolation, "'\(name)' does not support SSH 2: it identifies itself as '\(identification)'")
    }

    /// Returns the error for algorithm lists without a common entry, if that was the cause.
    private func mismatch(_ plan: SSHPlan, causes: [String]) -> VTError? {
        guard let offered = greeting.algorithms else { return nil }
        let mismatches = AlgorithmKind.negotiated.filter { kind in
            !(offered[kind] ?? []).contains(where: ((try? offer(kind, plan)) ?? []).contains)
        }
        guard let kind = mismatches.first else { return nil }
        let theirs = offered[kind] ?? []
        var ways = ["the server offers \(theirs.joined(separator: " "))"]
        ways.append("vt offers \(((try? offer(kind, plan)) ?? []).joined(separator: " "))")
        // If an option selects the algorithms, another selection is the way out.
        let isStandard = mismatches.allSatisfy { plan.algorithms[$0] == nil }
        if isStandard, let weak = theirs.first(where: session.supportedAlgorithms(kind).contains) {
            ways.append("to allow a weak one: vt profile edit PROFILE --allow-algorithm \(weak)")
        }
        if isStandard, mismatches.allSatisfy({ AlgorithmPreference.isSolvedByLaterLibrary($0, offered[$0] ?? []) }) {
            ways.append("libssh2 1.11 and later supports this server, so vt works if it is built with it")
        }
        var error = VTError(
            .protocolViolation,
            "no common \(kind.label) with '\(name)'",
            hint: ways.joined(separator: "; "),
            causes: causes
        )
        error.isSolvedByOpenSSH =
            isStandard && mismatches.allSatisfy { AlgorithmPreference.isSolvedByOpenSSH($0, offered[$0] ?? []) }
        return error
    }
}
