import Core
import Recording
import Synchronization

/// The operations on one machine's sessions that commands use, each a call to that machine.
///
/// Every `name` is a session's exact name or ID; `not-found` is thrown if there is no such session.
package struct SessionClient: Sendable {
    package let machine: any SessionMachine

    package init(_ machine: any SessionMachine) {
        self.machine = machine
    }

    /// Performs a call, whose session is empty if it does not concern one.
    ///
    /// Output that precedes the result is passed to the receiver, and binary data to the sink; `onStart` is called with the
    /// offset that the call reports first.
    ///
    /// - Throws: The errors that the verb names; errors of the receiver and the sink.
    package func call<Verb: SessionVerb>(
        _ verb: Verb,
        on session: String = "",
        receiver: (any OutputReceiver)? = nil,
        sink: (any ByteSink)? = nil,
        onStart: (@Sendable (UInt64) -> Void)? = nil
    ) async throws(VTError) -> Verb.Outcome {
        let frames = Mutex<[SessionFrame]>([])
        try await machine.perform(SessionCall(verb, on: session)) { frame throws(VTError) in
            if case .accepted(_, let offset, _) = frame { onStart?(offset) }
            switch frame {
            case .output(let offset, let bytes): return try await receiver?.output(bytes, at: offset) ?? true
            case .gap(let from, let to): try await receiver?.gap(from: from, to: to)
            case .resized(let size) where receiver != nil: try await receiver?.resized(to: size)
            case .data(let bytes): try await sink?.write(bytes)
            default: frames.withLock { $0.append(frame) }
            }
            return true
        }
        return try verb.outcome(in: frames.withLock { $0 })
    }

    package func session(_ name: String) async throws(VTError) -> Session { try await call(ShowRequest(), on: name) }

    /// Passes on output as `LogsRequest` does, until the receiver stops it.
    package func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session {
        // Without a result, the receiver has stopped the call.
        if let session = try await call(LogsRequest(from: start, follows: follows), on: name, receiver: receiver) {
            return session
        }
        return try await session(name)
    }

    /// Waits as `WaitRequest` does, and measures the time.
    package func wait(
        _ request: WaitRequest,
        of name: String,
        receiver: (any OutputReceiver)? = nil
    ) async throws(VTError) -> WaitOutcome {
        let began = ContinuousClock.now
        let start = Mutex<UInt64?>(nil)
        do throws(VTError) {
            var outcome = try await call(request, on: name, receiver: receiver) { offset in
                start.withLock { $0 = offset }
            }
            outcome.elapsed = ContinuousClock.now - began
            return outcome
        } catch {
            throw hinted(error, request, name, from: start.withLock { $0 })
        }
    }

    /// Adds to a timeout how to see the output that did not meet the conditions.
    private func hinted(_ error: VTError, _ request: WaitRequest, _ name: String, from start: UInt64?) -> VTError {
        guard error.code == .timedOut, error.hint == nil, let start else { return error }
        var error = error
        guard !request.conditions.contains(where: { $0.screenText != nil }) else {
            error.hint = "to see the screen, use 'vt sessions screen \(machine.name(of: name))'"
            return error
        }
        let waitsForPrompt = request.conditions.contains { $0.kind == .prompt }
        error.hint =
            (waitsForPrompt ? "if it is not a shell, wait with --match or --idle; " : "")
            + "to see the output, use 'vt sessions logs \(machine.name(of: name)) --plain --from \(start)'"
        return error
    }

    /// Waits for one condition.
    package func wait(
        for condition: WaitCondition,
        of name: String,
        from offset: UInt64?,
        timeout: Duration?
    ) async throws(VTError) -> WaitOutcome {
        try await wait(WaitRequest([condition], from: offset, timeout: timeout), of: name)
    }

    /// Returns the turn with this number; a negative number counts from the last turn, which is -1.
    ///
    /// - Throws: `not-found` when there is no such turn.
    package func turn(_ number: Int64, of name: String) async throws(VTError) -> Turn {
        if let turn = try await call(TurnFilter(number: number), on: name).first { return turn }
        let last = try await call(TurnFilter(number: -1), on: name).first?.number
        let rest = last.map { "; the last one is \($0)" } ?? ""
        throw VTError(
            .notFound,
            "'\(name)' has no turn \(number)\(rest)",
            hint: "to list the turns, use 'vt sessions history \(machine.name(of: name))'"
        )
    }

    /// Closes shared resources; no calls are possible afterward.
    package func close() async {
        await machine.close()
    }
}

extension SessionClient {
    /// Ends a session, unless it has already ended, and removes it with its log.
    ///
    /// Returns the removed session, and the surviving processes, as `PID NAME`; if there are any, the session is kept.
    package func killAndRemove(
        _ name: String,
        grace: Duration
    ) async throws(VTError) -> (session: Session, survivors: [String]) {
        var session = try await session(name)
        do throws(VTError) {
            // Processes of a lost session may still be running.
            if session.state.isLive || session.state == .lost {
                let survivors = try await call(KillRequest(grace: grace), on: session.id.text)
                guard survivors.isEmpty else { return (session, survivors) }
            }
            let removed = try await call(CleanupRequest([session.id.text]))
            if let removed = removed.first { return (removed, []) }
            throw LocalSessions.removed(session)
        } catch {
            // Its holder or another process has removed it; how its program ended is unknown.
            guard error.code == .notFound else { throw error }
            if session.state.isLive { session.state = .exited }
            return (session, [])
        }
    }
}
