import Core
import System

extension LocalSessions {
    /// The number of attempts to claim a name that other processes claim and release concurrently.
    private static let attempts = 64

    package func create(_ creation: SessionCreation) async throws(VTError) -> (session: Session, isNew: Bool) {
        let request = try await request(for: creation)
        for _ in 0..<Self.attempts {
            do throws(VTError) {
                if let present = try await makeRoom(for: creation) { return (present, false) }
            } catch {
                // Another process has removed the session that was in the way.
                guard error.code == .notFound else { throw error }
                continue
            }
            do throws(VTError) {
                let session = try await host.create(request)
                await snapshotAutomatically(session, before: 1)
                return (session, true)
            } catch {
                guard error.code == .exists else { throw error }
                if creation.ifExists == .fail, try await !removeExpired(creation.name) { throw error }
            }
        }
        throw VTError(
            .busy,
            "other processes keep creating sessions named '\(creation.name.text)'",
            hint: "let one process create the session, or use --if-exists ok"
        )
    }

    /// Returns an existing session that can be used instead of a new one; removes one that is in the way.
    private func makeRoom(for creation: SessionCreation) async throws(VTError) -> Session? {
        guard creation.ifExists != .fail, var present = try existing(creation.name) else { return nil }
        guard present.state != .unreadable || creation.ifExists == .replace else {
            throw VTError(
                .exists,
                "session '\(present.name)' already exists, and its record cannot be read: \(present.failure ?? "")",
                hint: "add --if-exists replace to remove it"
            )
        }
        if creation.ifExists == .ok { present = try await host.started(present, clock: clock) }
        // Also end the remaining processes of a lost session, because they cannot be found once it has been removed.
        if present.state.isLive || !host.remains(of: [present]).isEmpty {
            guard creation.ifExists == .replace else {
                if present.state.isLive { return present }
                throw VTError(
                    .exists,
                    "'\(present.name)' was lost, but its program is still running",
                    hint: "to end the program, use 'vt sessions kill \(present.name)'"
                )
            }
            let survivors = try await end(present, signal: nil, grace: Self.replacementGrace)
            guard survivors.isEmpty else {
                throw VTError(
                    .exists,
                    "cannot replace '\(present.name)': \(survivors.joined(separator: ", ")) did not end"
                )
            }
        }
        _ = try await remove(present)
        return nil
    }

    /// Removes the session with this name if it has expired, or waits until its holder has removed it; returns whether
    /// the name is free.
    private func removeExpired(_ name: SessionName) async throws(VTError) -> Bool {
        guard let present = try existing(name) else { return true }
        guard present.isExpired(now: .now()) else { return false }
        if present.state == .lost { return host.removeExpired(among: [present]).isEmpty }
        _ = try await remove(present)
        return true
    }

    private static let replacementGrace = Duration.seconds(3)

    private func existing(_ name: SessionName) throws(VTError) -> Session? {
        do throws(VTError) {
            return try host.session(name.text)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    private func request(for creation: SessionCreation) async throws(VTError) -> SessionRequest {
        let account = world.account()
        let survival = await world.survival()
        try check(survival, for: creation)
        let directory = try directory(creation.directory, home: world.environment["HOME"] ?? account?.home)
        let environment = creation.environment(in: directory, creator: world.environment, account: account)
        var request = SessionRequest(creation, in: directory, environment: environment)
        if creation.command.isEmpty { request.creation.command = [ByteString(account?.shell ?? "/bin/sh"), "-l"] }
        request.survival = survival.mode.rawValue
        request.launchPrefix = survival.launchPrefix
        request.agentSocket = world.environment["SSH_AUTH_SOCK"]
        return request
    }

    private func directory(_ path: String?, home: String?) throws(VTError) -> String {
        if let path, let home, path == "~" || path.hasPrefix("~/") { return home + path.dropFirst() }
        // The session's record is JSON, and other bytes would be lost in it.
        let isAbsolute = path.map { WorkingDirectory.absolute($0) == $0 } ?? false
        guard isAbsolute || WorkingDirectory.bytes.text != nil else {
            throw VTError(
                .dataInvalid,
                "the name of the current directory is not valid UTF-8, so no session can start in it",
                hint: "to start in another directory, use '--cwd DIR' with an absolute path"
            )
        }
        return path.map { WorkingDirectory.absolute($0) } ?? WorkingDirectory.path
    }

    private func check(_ survival: Survival, for creation: SessionCreation) throws(VTError) {
        guard !survival.isCertain else { return }
        if creation.mustSurvive {
            throw VTError(
                .negative,
                "'\(creation.name.text)' might not survive a logout: \(survival.reason)",
                hint: survival.hint
            )
        }
        if survival.mode == .dies {
            diagnostics.note("'\(creation.name.text)' will end when you log out: \(survival.reason)")
        } else {
            diagnostics.detail("'\(creation.name.text)' may or may not survive a logout: \(survival.reason)")
        }
    }
}
