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

    /// Creates a session; returns the session, and whether it is new: with `IfExists.ok`, it may be an existing one.
    ///
    /// - Throws: `exists`; `negative` when the session must survive a logout but might not; errors that prevent the
    ///   program from starting.
    package func create(_ creation: SessionCreation) async throws(VTError) -> (session: Session, isNew: Bool) {
        let frames = try await result(of: .create(creation))
        var isExisting = false
        try fields(in: frames) { $0.field("is_existing", &isExisting, default: false) }
        return (try session(in: frames), !isExisting)
    }

    /// Returns the sessions, oldest first.
    package func sessions(_ filter: SessionFilter) async throws(VTError) -> [Session] {
        sessions(in: try await result(of: .list(filter)))
    }

    package func session(_ name: String) async throws(VTError) -> Session {
        try session(in: try await result(of: .session(name, .show)))
    }

    /// Passes the output to the receiver; returns the session with its state at the end.
    ///
    /// With `follows`, continues until the session has ended; without it, passes only the existing output.
    package func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session {
        let last = Mutex<Session?>(nil)
        try await machine.perform(.session(name, .logs(from: start, follows: follows))) { frame throws(VTError) in
            switch frame {
            case .output(let offset, let bytes): return try await receiver.output(bytes, at: offset)
            case .gap(let from, let to): try await receiver.gap(from: from, to: to)
            case .record(let session): last.withLock { $0 = session }
            default: break
            }
            return true
        }
        if let session = last.withLock({ $0 }) { return session }
        // The receiver has stopped the call.
        return try await session(name)
    }

    /// Writes the recording of a session, or the requested part of it, to the sink, in whole lines if possible.
    ///
    /// - Throws: `usage` when input is requested but was not logged; errors from the sink.
    package func record(
        _ name: String,
        _ request: RecordRequest,
        to sink: any ByteSink
    ) async throws(VTError) {
        try await machine.perform(.session(name, .record(request))) { frame throws(VTError) in
            if case .data(let bytes) = frame { try await sink.write(bytes) }
            return true
        }
    }

    /// Writes input to the session's terminal; returns once all of it is written.
    ///
    /// Returns the end of the output before the input, or nil on a machine without stable offsets, and whether the input was
    /// not shown, as with a password.
    ///
    /// With `waits`, input for a frozen or paused session is written when it is resumed. With the ID of a request, input of
    /// at most `SessionFrame.limitBytes` that the holder has received before is not written again.
    ///
    /// - Throws: `negative` when the session has ended; `busy` when it is frozen or paused, without `waits`; `timed-out`, in
    ///   which case part of the input may have been written; errors reported by the holder.
    package func send(
        _ input: [UInt8],
        to name: String,
        waits: Bool = false,
        timeout: Duration?,
        request: String? = nil
    ) async throws(VTError) -> (offset: UInt64?, isHidden: Bool) {
        let action = SessionAction.send(input, waits: waits, timeout: timeout, request: request)
        for frame in try await result(of: .session(name, action)) {
            if case .accepted(_, let offset, let isHidden) = frame {
                return (offset, isHidden)
            }
            if case .done = frame { return (nil, false) }
        }
        throw incomplete
    }

    /// What is known about a request with this ID.
    package func state(ofRequest id: String, to name: String) async throws(VTError) -> RequestState {
        var state: RequestState?
        try fields(in: try await result(of: .session(name, .requestState(id)))) { $0.field("state", &state) }
        guard let state else { throw incomplete }
        return state
    }

    /// Runs a line in the session's shell, and passes the output of its command to the receiver; calls `onStart` with the
    /// offset at which the output starts.
    ///
    /// - Throws: `busy` when the shell cannot take the line; `negative` when the session has ended.
    package func execute(
        _ request: LineExecution,
        in name: String,
        receiver: any OutputReceiver,
        onStart: (@Sendable (UInt64) -> Void)? = nil
    ) async throws(VTError) -> LineOutcome {
        let frames = try await result(of: .session(name, .execute(request)), receiver, onStart: onStart)
        var outcome = LineOutcome()
        try fields(in: frames) { outcome.declare(&$0) }
        return outcome
    }

    /// Waits until the first of the conditions is met; then passes the output to the receiver, if the request includes it.
    ///
    /// - Throws: `negative` when the session ends before a condition is met, or is lost; `timed-out`.
    package func wait(
        _ request: WaitRequest,
        of name: String,
        receiver: (any OutputReceiver)? = nil
    ) async throws(VTError) -> WaitOutcome {
        let began = ContinuousClock.now
        let start = Mutex<UInt64?>(nil)
        let frames: [SessionFrame]
        do throws(VTError) {
            frames = try await result(of: .session(name, .wait(request)), receiver) { offset in
                start.withLock { $0 = offset }
            }
        } catch {
            throw hinted(error, request, name, from: start.withLock { $0 })
        }
        let condition = request.conditions.first?.kind ?? .exit
        var outcome = WaitOutcome(
            try session(in: frames),
            // An earlier version does not report the condition, but also does not support several.
            condition,
            offset: 0,
            elapsed: ContinuousClock.now - began
        )
        try fields(in: frames) { outcome.declare(&$0) }
        return outcome
    }

    /// Adds to a timeout how to see the output that did not meet the conditions.
    private func hinted(_ error: VTError, _ request: WaitRequest, _ name: String, from start: UInt64?) -> VTError {
        guard error.code == .timedOut, error.hint == nil, let start else { return error }
        var error = error
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

    /// Returns the current screen of the session's terminal or, with an offset, the screen at that point.
    ///
    /// - Throws: `data.invalid` for an offset after the end of the output, or before the first byte that is still kept.
    package func screen(of name: String, _ request: ScreenRequest) async throws(VTError) -> SessionScreen {
        let frames = try await result(of: .session(name, .screen(request)))
        var screen = SessionScreen(
            session: try session(in: frames),
            offset: 0,
            size: .standard,
            state: [],
            scrollback: request.scrollback
        )
        var isComplete = false
        for frame in frames {
            switch frame {
            case .resized(let size): screen.size = size
            case .screen(let offset, let bytes):
                screen.offset = offset
                screen.state += bytes
                isComplete = true
            default: continue
            }
        }
        guard isComplete else { throw incomplete }
        return screen
    }

    package func resize(_ name: String, to size: TerminalSize) async throws(VTError) {
        _ = try await result(of: .session(name, .resize(size)))
    }

    /// Adds a marker to the timeline of a session; returns the end of the output before it.
    ///
    /// - Throws: `negative` when the session has ended.
    package func mark(_ name: String, _ label: MarkerLabel) async throws(VTError) -> UInt64 {
        for case .accepted(_, let offset, _) in try await result(of: .session(name, .mark(label))) { return offset }
        throw incomplete
    }

    package func rename(_ name: String, to newName: SessionName) async throws(VTError) {
        _ = try await result(of: .session(name, .rename(newName)))
    }

    /// Ends a session or, with a signal, only sends the signal; returns the surviving processes, as `PID NAME`.
    ///
    /// A session that has already ended is not an error, but is reported.
    ///
    /// - Throws: `negative` when no process can receive the signal.
    package func kill(_ name: String, signal: SignalName?, grace: Duration) async throws(VTError) -> [String] {
        for case .killed(let survivors) in try await result(of: .session(name, .kill(signal: signal, grace: grace))) {
            return survivors
        }
        throw incomplete
    }

    /// Freezes, pauses or resumes a session; returns the session in its new state, and the processes that are still
    /// running although they should not, as `PID NAME`.
    ///
    /// It is not an error if the session is already in the requested state.
    ///
    /// - Throws: `busy` when the session is in another state, or its shell is not at its prompt; `negative` when it has
    ///   ended, or its program cannot be paused.
    package func suspend(
        _ name: String,
        _ suspension: Suspension
    ) async throws(VTError) -> (session: Session, survivors: [String]) {
        let frames = try await result(of: .session(name, .suspend(suspension)))
        for case .killed(let survivors) in frames { return (try session(in: frames), survivors) }
        throw incomplete
    }

    /// Removes sessions that have ended, with their logs: the named ones or, without names, those selected by the
    /// filter.
    ///
    /// Returns the removed sessions or, with `isDryRun`, those that would be removed.
    ///
    /// - Throws: `busy` for a named session that has not ended, or that was lost and still has running processes.
    package func cleanUp(
        _ names: [String],
        _ filter: SessionFilter,
        isDryRun: Bool
    ) async throws(VTError) -> [Session] {
        sessions(in: try await result(of: .cleanUp(names, filter, isDryRun: isDryRun)))
    }

    /// Checks the machine.
    package func doctor() async throws(VTError) -> [Finding] {
        try records(in: try await result(of: .doctor))
    }

    /// Closes shared resources; no calls are possible afterward.
    package func close() async {
        await machine.close()
    }

    // MARK: - Results

    /// Performs a call; returns the frames of its result, except output for the receiver.
    func result(
        of call: SessionCall,
        _ receiver: (any OutputReceiver)? = nil,
        onStart: (@Sendable (UInt64) -> Void)? = nil
    ) async throws(VTError) -> [SessionFrame] {
        let frames = Mutex<[SessionFrame]>([])
        try await machine.perform(call) { frame throws(VTError) in
            if case .accepted(_, let offset, _) = frame { onStart?(offset) }
            switch (frame, receiver) {
            case (.output(let offset, let bytes), let receiver?): return try await receiver.output(bytes, at: offset)
            case (.gap(let from, let to), let receiver?): try await receiver.gap(from: from, to: to)
            case (.resized(let size), let receiver?): try await receiver.resized(to: size)
            default: frames.withLock { $0.append(frame) }
            }
            return true
        }
        return frames.withLock { $0 }
    }

    private func sessions(in frames: [SessionFrame]) -> [Session] {
        frames.compactMap { frame in
            if case .record(let session) = frame { session } else { nil }
        }
    }

    func first<Record>(of records: [Record]) throws(VTError) -> Record {
        guard let record = records.first else { throw incomplete }
        return record
    }

    /// Reads the JSON documents in a result.
    func records<Record: JSONReadable>(in frames: [SessionFrame]) throws(VTError) -> [Record] {
        var records: [Record] = []
        for case .result(let json) in frames {
            guard let outline = try? JSONOutlineParser.parse(json), let record = try? Record(outline, in: json) else {
                throw incomplete
            }
            records.append(record)
        }
        return records
    }

    private func session(in frames: [SessionFrame]) throws(VTError) -> Session {
        guard let session = sessions(in: frames).first else { throw incomplete }
        return session
    }

    /// Reads the members of the JSON object in a result.
    func fields(
        in frames: [SessionFrame],
        _ declare: (inout CallFields) -> Void
    ) throws(VTError) {
        for case .result(let json) in frames {
            var fields = try CallFields(reading: json)
            declare(&fields)
            return try fields.check()
        }
        throw incomplete
    }

    var incomplete: VTError { VTError(.protocolViolation, "the result of a call is incomplete") }
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
                let survivors = try await kill(session.id.text, signal: nil, grace: grace)
                guard survivors.isEmpty else { return (session, survivors) }
            }
            let removed = try await cleanUp([session.id.text], SessionFilter(), isDryRun: false)
            if let removed = removed.first { return (removed, []) }
            throw VTError(.notFound, "session '\(session.name)' has been removed")
        } catch {
            // Its holder or another process has removed it; how its program ended is unknown.
            guard error.code == .notFound else { throw error }
            if session.state.isLive { session.state = .exited }
            return (session, [])
        }
    }
}
