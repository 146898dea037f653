import Core
import Runtime
import VibeTunnel

/// The calls that are requests to the server.
extension VibeTunnelSessions {
    // MARK: - Creation

    func create(_ creation: SessionCreation, _ answer: CallAnswer) async throws(VTError) {
        try check(creation)
        if let existing = try await makeRoom(for: creation) {
            return try await answer.send(Session(existing), isNew: false)
        }
        let id = try await server.create(
            // The server looks up only a command; the login shell is known to the user's processes.
            creation.command.isEmpty
                ? ["/bin/sh", "-c", "exec \"${SHELL:-/bin/sh}\" -l"] : creation.command.map(\.repairedText),
            name: creation.name.text,
            directory: creation.directory ?? profile.cwd,
            size: creation.size
        )
        try await answer.send(Session(try await server.session(id)), isNew: true)
    }

    /// Returns a running session with the name of the new one, if that is requested.
    ///
    /// - Throws: `exists`.
    private func makeRoom(for creation: SessionCreation) async throws(VTError) -> ServerSession? {
        let present = try await server.sessions().filter { $0.name == creation.name.text }
        guard let first = present.first(where: { !$0.hasEnded }) ?? present.first else { return nil }
        switch creation.ifExists {
        case .fail:
            throw inUse(first.name, hint: "choose another name, or add --if-exists ok or --if-exists replace")
        case .ok:
            if !first.hasEnded { return first }
            try await server.remove(first.id)
        case .replace:
            for session in present { try await server.remove(session.id) }
        }
        return nil
    }

    /// - Throws: `usage` for what such a server cannot do.
    private func check(_ creation: SessionCreation) throws(VTError) {
        let unsupported: [(isUsed: Bool, what: String)] = [
            (!creation.variables.isEmpty || !profile.environment.isEmpty, "set environment variables"),
            (!creation.tags.isEmpty, "store tags"),
            (creation.logsInput, "log input"),
            (creation.keepFor != nil, "remove sessions by itself"),
            (creation.mustSurvive, "guarantee that the session survives a logout"),
        ]
        guard let first = unsupported.first(where: \.isUsed) else { return }
        throw VTError(.usage, "'\(profile.name)' is a VibeTunnel server, which cannot \(first.what)")
    }

    // MARK: - Name

    /// - Throws: `exists` when another session has the name, or when the server has chosen another one.
    func rename(_ name: String, to new: SessionName) async throws(VTError) {
        let all = try await server.sessions()
        let session = try session(name, among: all)
        guard !all.contains(where: { $0.name == new.text && $0.id != session.id }) else {
            throw inUse(new.text, hint: "choose another name")
        }
        let given = try await server.rename(session.id, to: new.text)
        guard given == new.text else {
            // Another client was faster.
            throw VTError(
                .exists,
                "'\(profile.name)' has renamed '\(self.name(of: session.name))' to '\(given)' instead"
            )
        }
    }

    private func inUse(_ name: String, hint: String) -> VTError {
        VTError(.exists, "session '\(self.name(of: name))' already exists", hint: hint)
    }

    // MARK: - Input

    func send(_ bytes: [UInt8], to name: String, timeout: Duration?) async throws(VTError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw VTError(.usage, "the input is not UTF-8, which is all that a VibeTunnel server accepts")
        }
        // A server may never answer input to a session that has ended.
        let session = try await running(name)
        do throws(VTError) {
            try await server.type(text, in: session.id, timeout: timeout)
        } catch {
            guard error.code == .timedOut else { throw error }
            throw .unacceptedInput(of: self.name(of: name), within: timeout ?? server.plan.connectTimeout)
        }
    }

    // MARK: - End

    /// Kills a session or sends a signal; returns the program, as `PID NAME`, if it survives.
    func kill(_ name: String, _ signal: SignalName?) async throws(VTError) -> [String] {
        guard let signal else {
            let session = try await session(name)
            guard !session.hasEnded else {
                diagnostics.note("'\(self.name(of: name))' has already ended")
                return []
            }
            try await server.kill(session.id)
            return try await survivors(of: session)
        }
        let session = try await running(name)
        guard try await server.era() == .v3 else {
            throw VTError(
                .usage,
                "'\(profile.name)' is a VibeTunnel server that cannot send signals",
                hint: "to end the session, omit --signal"
            )
        }
        try await server.signal(session.id, "SIG\(signal.text)")
        return []
    }

    /// The program of a session that has been killed, as `PID NAME`; none if it has ended.
    private func survivors(of session: ServerSession) async throws(VTError) -> [String] {
        do throws(VTError) {
            let current = try await server.session(session.id)
            guard !current.hasEnded else { return [] }
            return ["\(current.processID ?? 0) \(current.command.first ?? current.name)"]
        } catch {
            guard error.code == .notFound else { throw error }
            return []
        }
    }

    /// Returns the sessions that have been removed or, with `isDryRun`, would be.
    func cleanUp(_ request: CleanupRequest) async throws(VTError) -> [Session] {
        let now = Timestamp.now()
        var candidates: [Session] = []
        if request.names.isEmpty {
            candidates = try await server.sessions().filter(\.hasEnded).map { Session($0) }
        } else {
            for name in request.names {
                let session = Session(try await session(name))
                guard !session.state.isLive else { throw .notEnded(self.name(of: name)) }
                candidates.append(session)
            }
        }
        candidates = candidates.filter { request.filter.includes($0, now: now) }
        guard !request.isDryRun, !candidates.isEmpty else { return candidates }
        for session in candidates { try await server.remove(session.id) }
        let kept = Set(try await server.sessions().map(\.id))
        return candidates.filter { !kept.contains($0.id) }
    }
}

extension Session {
    /// The description of a session by a VibeTunnel server.
    init(_ session: ServerSession) {
        let state: SessionState =
            switch session.status {
            case .starting: .starting
            case .running, .other: .running
            case .exited: .exited
            }
        self.init(
            id: session.id,
            name: session.name,
            state: state,
            command: session.command,
            directory: session.directory,
            size: session.size ?? .standard,
            // The default of VibeTunnel's programs.
            terminalType: "xterm-256color",
            createdAt: session.startedAt ?? session.modifiedAt ?? Timestamp(seconds: 0),
            host: "",
            bootID: "",
            version: ""
        )
        startedAt = session.startedAt
        if session.hasEnded { endedAt = session.modifiedAt } else { activeAt = session.modifiedAt }
        exit = session.hasEnded ? session.exitCode.flatMap { UInt32(exactly: $0) }.map { .exited($0) } : nil
        if !session.hasEnded, let processID = session.processID {
            program = SessionProcess(processID: processID, startTicks: 0)
        }
        vibeTunnel = session.json
    }
}
