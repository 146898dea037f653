import Core
import Glibc
import System

/// Handles the signals of the session's processes, and stops, continues and kills them.
extension HolderLoop {
    /// The session's processes, and what is being done to them.
    struct Life: ~Copyable {
        /// How the program was started, without the environment.
        let launch: LaunchDocument
        /// The session's lock, kept open while this process runs.
        let lock: FileDescriptor
        let signals: SignalDescriptor
        /// The control group of the program; nil if it has none of its own.
        let group: FreezerGroup?
        var killing: KillRun?
        /// While the session is frozen.
        var freezing: FreezeRun?
        /// While the session is paused, or being paused or resumed.
        var pausing: PauseRun?
        /// Whether a client has sent the program STOP, so that it is not continued before a client requests that.
        var staysStopped = false
    }

    /// When to continue with killing, freezing, pausing or resuming.
    var lifeDeadline: Int64 {
        min(life.killing?.nextStep ?? .max, life.freezing?.nextStep ?? .max, life.pausing?.nextStep ?? .max)
    }

    func stepLife() {
        stepKilling()
        stepPause()
        stepFreezing()
    }

    /// Whether the session has not ended, so that it accepts requests.
    var acceptsRequests: Bool { (terminal.master != nil || life.pausing != nil) && ending.status == nil }

    /// Whether the processes of the session are stopped, or there are none, so that input and lines wait.
    var isSuspended: Bool { life.freezing != nil || life.pausing?.holdsInput ?? false }

    /// Whether the session is neither suspended nor about to be.
    var isActive: Bool { life.freezing == nil && life.pausing == nil }

    func suspend(_ suspension: Suspension, for client: HolderClient) throws(VTError) {
        guard acceptsRequests, life.killing == nil else { throw Self.endError }
        switch suspension {
        case .freeze where isActive || life.freezing != nil: freeze(for: client)
        case .resume where life.freezing != nil: thaw(for: client)
        case .resume where life.pausing != nil: try resumePaused(for: client)
        case .resume:
            life.staysStopped = false
            continueProgram()
            client.answer(.killed(survivors: []))
        case .pause where life.freezing == nil: try pause(isForced: false, for: client)
        case .forcedPause where life.freezing == nil: try pause(isForced: true, for: client)
        case .freeze, .pause, .forcedPause: throw suspensionError
        }
    }

    var suspensionError: VTError {
        record.suspensionError() ?? VTError(.busy, "'\(record.name)' is being paused or resumed")
    }

    // MARK: - Freezing

    /// Stops all processes; repeated for a frozen session, it stops those that have been continued by others.
    private func freeze(for client: HolderClient) {
        if life.freezing == nil {
            record.state = .frozen
            saveRecord(isDurable: true)
            Fault.point(.freezeNoted)
            life.freezing = FreezeRun(processes, in: life.group)
        } else {
            life.freezing?.repeatStops()
        }
        life.freezing?.clients.append(client)
    }

    /// Continues the processes that were stopped.
    private func thaw(for client: HolderClient) {
        let error = VTError(.busy, "'\(record.name)' has been resumed")
        for waiting in life.freezing?.clients ?? [] { waiting.answer(.failure(error)) }
        record.state = .running
        saveRecord(isDurable: true)
        Fault.point(.thawNoted)
        life.freezing?.resume()
        life.freezing = nil
        continueProgram()
        Fault.point(.thawDone)
        client.answer(.killed(survivors: []))
        offerLine()
    }

    /// Continues the processes that a program leaves when it is killed while the session is frozen.
    private func continueFrozen() {
        guard let freezing = life.freezing else { return }
        for client in freezing.clients { client.answer(Self.hasEnded) }
        freezing.resume()
        life.freezing = nil
        record.state = .running
    }

    /// Continues the program and its process group if it is stopped and neither a freeze nor a client has stopped it,
    /// because there is no shell that could; the jobs of a shell, which are other process groups, remain stopped.
    private func continueProgram() {
        guard life.freezing == nil, !life.staysStopped, let program = record.program?.processID,
            ProcessEntry(program)?.state == UInt8(ascii: "T")
        else { return }
        killpg(program, SIGCONT)
    }

    private func stepFreezing() {
        guard let running = life.freezing?.step(now: HolderClock.now()) else { return }
        Fault.point(.freezeDone)
        for client in life.freezing?.clients ?? [] { client.answer(.killed(survivors: running.map(\.text))) }
        life.freezing?.clients = []
    }

    /// Forgets that the session is suspended, because it is being killed.
    private func endSuspension() {
        for client in (life.freezing?.clients ?? []) + (life.pausing?.clients ?? []) { client.answer(Self.hasEnded) }
        if record.state == .paused, ending.status == nil, let pausing = life.pausing, case .paused = pausing.step {
            // The shell has ended before.
            programEnded(pausing.exit ?? .exited(0))
        }
        (life.freezing, life.pausing) = (nil, nil)
        guard record.state.isSuspended else { return }
        files.removePause()
        (record.state, unsaved.hasChanges) = (.running, true)
    }

    // MARK: - Killing

    func kill(_ signal: CInt, graceMilliseconds: UInt32, for client: HolderClient?) {
        guard signal == 0 else {
            if [SIGSTOP, SIGCONT].contains(signal) { life.staysStopped = signal == SIGSTOP }
            for entry in processes.living() { entry.signal(signal) }
            client?.answer(.killed(survivors: []))
            return
        }
        endSuspension()
        if life.killing == nil {
            life.killing = KillRun(processes, graceMilliseconds: graceMilliseconds)
            life.group?.thaw()
        } else {
            life.killing?.shortenGrace(graceMilliseconds: graceMilliseconds, now: HolderClock.now())
        }
        if let client { life.killing?.clients.append(client) }
    }

    var processes: SessionProcesses {
        SessionProcesses(leader: record.program?.processID, holder: getpid())
    }

    private func stepKilling() {
        guard let survivors = life.killing?.step(now: HolderClock.now()) else { return }
        let answer = SessionFrame.killed(survivors: survivors.map(\.text))
        let hasProgramSurvived = survivors.contains { $0.processID == record.program?.processID }
        for client in life.killing?.clients ?? [] {
            if hasProgramSurvived || ending.isRecorded {
                client.answer(answer)
            } else {
                ending.answers.append((client, answer))
            }
        }
        life.killing = nil
    }

    // MARK: - Signals

    func handleSignals() {
        while let signal = life.signals.next() {
            switch signal {
            case SIGCHLD: reap()
            // A TERM signal sent to the holder ends the session.
            case SIGTERM: kill(0, graceMilliseconds: 3000, for: nil)
            default: break
            }
        }
    }

    /// Reaps all children that have exited, the program and adopted orphans, and continues the program if it has
    /// stopped.
    private func reap() {
        var status: CInt = 0
        while true {
            let child = unsafe waitpid(-1, &status, WNOHANG | WUNTRACED)
            if child < 0 && errno == EINTR { continue }
            guard child > 0 else { return }
            let isProgram = child == record.program?.processID
            // It has stopped; the corresponding C macros are `WIFSTOPPED` and `WSTOPSIG`.
            if status & 0xFF == 0x7F {
                // After TTIN or TTOU, it would stop again immediately until it is in the foreground (termios(3)).
                if isProgram, ![SIGTTIN, SIGTTOU].contains((status >> 8) & 0xFF) { continueProgram() }
                continue
            }
            life.killing?.checkSoon(now: HolderClock.now())
            guard isProgram, ending.status == nil else { continue }
            if case .ending = life.pausing?.step {
                // It is ended on purpose.
                life.pausing?.exit = ExitStatus(waitStatus: status)
                continue
            }
            continueFrozen()
            Fault.point(.endReaped)
            programEnded(ExitStatus(waitStatus: status))
        }
    }

    /// Notes how the program has ended; its terminal may still have output.
    private func programEnded(_ status: ExitStatus) {
        (ending.status, ending.endedAt, record.endedAt) = (status, HolderClock.now(), .now())
        terminal.spareSlave = nil
        terminal.reopensAt = .max
        refuseInput()
        ending.answers += asking.clients.map { (client: $0, frame: Self.hasEnded) }
        asking = Asking()
    }
}
