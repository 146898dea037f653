import Core
import Runtime
import System

extension LocalSessions {
    package func kill(_ name: String, signal: SignalName?, grace: Duration) async throws(VTError) -> [String] {
        let session = try host.session(name)
        // Processes of a lost session may still be running.
        guard session.state.isLive || session.state == .lost else {
            // A request to end the session has already been fulfilled, but a signal can no longer be delivered.
            guard signal == nil else { throw Self.ended(session) }
            let text = session.state == .exited ? "'\(session.name)' has already ended" : session.endText()
            diagnostics.note(text)
            return []
        }
        return try await end(session, signal: signal, grace: grace)
    }

    /// Ends or signals a session through its holder, or directly if the holder does not respond.
    func end(_ session: Session, signal: SignalName?, grace: Duration) async throws(VTError) -> [String] {
        guard session.state.isLive else {
            return try await host.killWithoutHolder(session.id, signal: signal, grace: grace, keepsPause: false)
        }
        do throws(VTError) {
            let connection = try await connection(to: session, startLimit: SessionFrame.helloTimeout)
            return try await withCleanup(connection.close) { () async throws(VTError) in
                try await connection.kill(signal, grace: grace)
            }
        } catch {
            // The session may have ended on its own in the meantime.
            if error.code.isNegative, try !host.session(session.id.text).state.isLive { return [] }
            // A holder that is out of file descriptors reports `system`.
            let codes: [VTError.Code] = [.protocolViolation, .hostUnreachable, .negative, .ended, .busy, .system]
            guard codes.contains(error.code) else { throw error }
            diagnostics.detail("\(error.message); ending '\(session.name)' without the holder")
            return try await host.killWithoutHolder(session.id, signal: signal, grace: grace, keepsPause: false)
        }
    }

    /// Removes a session that has ended; its holder may be about to exit.
    ///
    /// Returns false if the session is already gone.
    func remove(_ session: Session) async throws(VTError) -> Bool {
        let end = ContinuousClock.now + Self.exitLimit
        while true {
            do throws(VTError) {
                return try await host.remove(session.id)
            } catch {
                guard error.code == .busy, ContinuousClock.now < end else { throw error }
                try await clock.pause(for: .milliseconds(5))
            }
        }
    }

    /// How long a holder may take to exit after it has recorded the end of the session: it waits for clients that read
    /// slowly.
    private static let exitLimit = Duration.seconds(10)

    /// Excludes lost sessions with running processes, because the processes could not be found without the session.
    ///
    /// - Throws: `busy` if such a session was named.
    private func excludingRunning(
        _ candidates: [Session],
        areNamed: Bool
    ) throws(VTError) -> [Session] {
        let remains = host.remains(of: candidates)
        var kept: [Session] = []
        for session in candidates {
            guard let processes = remains[session.id] else {
                kept.append(session)
                continue
            }
            let error = VTError(
                .busy,
                "'\(session.name)' was lost, but still has running processes: \(processes.joined(separator: ", "))",
                hint: "to end them, use 'vt sessions kill \(session.name)'"
            )
            guard !areNamed else { throw error }
            diagnostics.note("\(error.message); to end them, use 'vt sessions kill \(session.name)'")
        }
        return kept
    }

    /// - Throws: `busy` if a session has not ended.
    private func endedSessions(_ names: [String]) throws(VTError) -> [Session] {
        try names.map { name throws(VTError) in
            let session = try host.session(name)
            guard !session.state.isLive else { throw .notEnded(session.name) }
            return session
        }
    }

    package func cleanUp(
        _ names: [String],
        _ filter: SessionFilter,
        isDryRun: Bool
    ) async throws(VTError) -> [Session] {
        let now = Timestamp.now()
        var candidates: [Session] = []
        var removed: [Session] = []
        if names.isEmpty {
            let sessions = try host.sessions(diagnostics)
            let kept = isDryRun ? sessions : host.removeExpired(among: sessions)
            removed = Set(sessions).subtracting(kept).sorted { $0.createdAt < $1.createdAt }
            candidates = kept.filter { session in
                let isExpired = isDryRun && session.state != .lost && session.isExpired(now: now)
                return !session.state.isLive && (isExpired || filter.includes(session, now: now))
            }
        } else {
            candidates = try endedSessions(names).filter { filter.includes($0, now: now) }
        }
        candidates = try excludingRunning(candidates, areNamed: !names.isEmpty)
        guard !isDryRun else { return candidates }
        for session in candidates {
            do throws(VTError) {
                // A concurrent cleanup may have removed the session.
                if try await remove(session) { removed.append(session) }
            } catch {
                guard error.code == .busy, names.isEmpty else { throw error }
                diagnostics.detail("kept '\(session.name)': its holder is still running")
            }
        }
        return removed
    }
}

extension VTError {
    /// The error for a request that only sessions that have ended allow.
    static func notEnded(_ name: String) -> VTError {
        VTError(.busy, "'\(name)' has not ended", hint: "to end it, use 'vt sessions kill \(name)'")
    }
}
