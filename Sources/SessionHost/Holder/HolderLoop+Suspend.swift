import Core
import Glibc
import System

/// Freezes and continues the processes of the session.
extension HolderLoop {
    /// Whether the session has not ended, so that it accepts requests.
    var acceptsRequests: Bool { (terminal != nil || pausing != nil) && ending.status == nil }

    /// Whether the processes of the session are stopped, or there are none, so that input and lines wait.
    var isSuspended: Bool { freezing != nil || pausing?.holdsInput ?? false }

    /// Whether the session is neither suspended nor about to be.
    var isActive: Bool { freezing == nil && pausing == nil }

    func suspend(_ suspension: Suspension, for client: HolderClient) throws(VTError) {
        guard acceptsRequests, killing == nil else { throw Self.endError }
        switch suspension {
        case .freeze where isActive || freezing != nil: freeze(for: client)
        case .resume where freezing != nil: thaw(for: client)
        case .resume where pausing != nil: try resumePaused(for: client)
        case .resume:
            staysStopped = false
            continueProgram()
            client.answer(.killed(survivors: []))
        case .pause where freezing == nil: try pause(isForced: false, for: client)
        case .forcedPause where freezing == nil: try pause(isForced: true, for: client)
        case .freeze, .pause, .forcedPause: throw suspensionError
        }
    }

    var suspensionError: VTError {
        record.suspensionError ?? VTError(.busy, "'\(record.name)' is being paused or resumed")
    }

    // MARK: - Freezing

    /// Stops all processes; repeated for a frozen session, it stops those that have been continued by others.
    private func freeze(for client: HolderClient) {
        if freezing == nil {
            record.state = .frozen
            saveRecord(isDurable: true)
            Fault.point(.freezeNoted)
            freezing = FreezeRun(processes, in: group)
        } else {
            freezing?.repeatStops()
        }
        freezing?.clients.append(client)
    }

    /// Continues the processes that were stopped.
    private func thaw(for client: HolderClient) {
        let error = VTError(.busy, "'\(record.name)' has been resumed")
        for waiting in freezing?.clients ?? [] { waiting.answer(.failure(error)) }
        record.state = .running
        saveRecord(isDurable: true)
        Fault.point(.thawNoted)
        freezing?.resume()
        freezing = nil
        continueProgram()
        Fault.point(.thawDone)
        client.answer(.killed(survivors: []))
        offerLine()
    }

    /// Continues the processes that a program leaves when it is killed while the session is frozen.
    func continueFrozen() {
        guard let freezing else { return }
        for client in freezing.clients { client.answer(Self.hasEnded) }
        freezing.resume()
        self.freezing = nil
        record.state = .running
    }

    // MARK: - Stops

    /// Continues the program, because there is no shell that could; the jobs of a shell, which are other process groups,
    /// remain stopped.
    func programStopped(by signal: CInt) {
        // It would stop again immediately until it is in the foreground (termios(3)).
        guard signal != SIGTTIN, signal != SIGTTOU else { return }
        continueProgram()
    }

    /// Continues the program and its process group if it is stopped and neither a freeze nor a client has stopped it.
    private func continueProgram() {
        guard freezing == nil, !staysStopped, let program = record.program?.processID,
            ProcessEntry(program)?.state == UInt8(ascii: "T")
        else { return }
        killpg(program, SIGCONT)
    }

    // MARK: - Steps

    /// The time of the next step, in microseconds since boot; nil if there is none.
    var suspensionStep: Int64? { freezing?.nextStep ?? pauseStep }

    func stepSuspension() {
        stepPause()
        guard let running = freezing?.step(now: HolderClock.now()) else { return }
        Fault.point(.freezeDone)
        for client in freezing?.clients ?? [] { client.answer(.killed(survivors: running.map(\.text))) }
        freezing?.clients = []
    }

    /// Forgets that the session is suspended, because it is being killed.
    func endSuspension(now: Int64) {
        for client in (freezing?.clients ?? []) + (pausing?.clients ?? []) { client.answer(Self.hasEnded) }
        if record.state == .paused, ending.status == nil, let pausing, case .paused = pausing.step {
            // The shell has ended before.
            (ending.status, ending.endedAt, record.endedAt) = (pausing.exit ?? .exited(0), now, .now())
            refuseInput()
        }
        (freezing, pausing) = (nil, nil)
        guard record.state.isSuspended else { return }
        removePauseFiles()
        (record.state, isRecordStale) = (.running, true)
    }
}
