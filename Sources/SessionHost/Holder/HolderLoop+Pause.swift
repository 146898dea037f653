import Core
import Glibc
import System

/// Ends the session's shell on purpose.
extension HolderLoop {
    func pause(isForced: Bool, for client: HolderClient) throws(VTError) {
        if life.pausing != nil { return try joinPause(for: client) }
        if !isForced, let error = record.questionError { throw error }
        checkForeground()
        guard let tracker = shell.tracker,
            (tracker.shells.first?.kind ?? tracker.integration.kind).savesEnvironment
        else {
            throw VTError(
                .negative,
                "cannot pause '\(record.name)': its program is not bash, zsh or fish with the hook of vt",
                hint: "to stop its processes, use 'vt sessions freeze \(record.name)'"
            )
        }
        life.pausing = PauseRun(step: .waiting, isForced: isForced, clients: [client])
        if isReadyToSave {
            requestEnvironment(.saving)
        } else if !tracker.hasShownPrompt || tracker.isFree {
            let limit = tracker.hasShownPrompt ? PauseRun.readyLimit : PauseRun.promptLimit
            life.pausing?.deadline = HolderClock.now() + limit
        } else {
            endWaiting()
        }
    }

    /// Ends what the shell is running, if that is allowed.
    private func endWaiting() {
        if life.pausing?.isForced ?? false { interruptCommand() } else { failPause(shellIsBusy) }
    }

    /// Adds a client that requests what is already being done.
    private func joinPause(for client: HolderClient) throws(VTError) {
        switch life.pausing?.step {
        case .waiting, .saving, .ending: life.pausing?.clients.append(client)
        case .paused: client.answer(.killed(survivors: []))
        case .starting, .restoring, nil: throw suspensionError
        }
    }

    private var shellIsBusy: VTError {
        var error = VTError(.busy, "the shell of '\(record.name)' is not at its prompt")
        if case .running? = shell.tracker?.currentStatus.state, let command = shell.tracker?.currentStatus.command {
            error.message = "the shell of '\(record.name)' is running '\(command.prefix(80))'"
        }
        error.hint = "to end what it is running, use --force; to stop its processes, use 'vt sessions freeze'"
        return error
    }

    /// Whether the session's own shell is at its prompt, and reads the hook's key there.
    var isReadyToSave: Bool {
        guard let tracker = shell.tracker, tracker.hasEditor, tracker.hasShownPrompt else { return false }
        return tracker.current == nil && tracker.currentStatus.state == .prompt
            && tracker.shells.last?.processID == record.program?.processID
    }

    /// Ends the pause before anything has been changed.
    private func failPause(_ error: VTError) {
        for client in life.pausing?.clients ?? [] { client.answer(.failure(error)) }
        life.pausing = nil
        files.removePause()
        offerLine()
    }

    // MARK: - The environment

    /// Requests that the shell writes its environment.
    func requestEnvironment(_ step: PauseRun.Step) {
        life.pausing?.step = step
        life.pausing?.attempts = 0
        life.pausing?.deadline = HolderClock.now() + PauseRun.retryDelay
        do throws(VTError) {
            // The shell writes to an existing file, which keeps its mode.
            try FileContents.replace(files.environment, with: [], isDurable: false)
            try shell.tracker?.integration.requestEnvironment(in: files.environment)
            sendKey()
        } catch {
            environmentIsMissing(error)
        }
        Fault.point(.pauseAsked)
    }

    /// Handles the mark of the hook that says whether the environment has been written; returns false for other marks.
    func applyEnvironmentMark(_ payload: String) -> Bool {
        guard payload.hasPrefix("E;") else { return false }
        switch life.pausing?.step {
        case .saving, .restoring: break
        case .waiting, .ending, .paused, .starting, nil: return true
        }
        shell.tracker?.integration.removeLine()
        // On failure, the environment is missing.
        let contents = payload == "E;0" ? FileContents.readSmall(files.environment) : nil
        guard let environment = contents.flatMap({ ShellEnvironment($0) }) else {
            environmentIsMissing(VTError(.io, "the shell of '\(record.name)' could not save its environment"))
            return true
        }
        if case .saving = life.pausing?.step { endShell(keeping: environment) } else { restore(environment) }
        return true
    }

    /// Handles a shell that does not save its environment; with `--force`, that of its start is kept.
    private func environmentIsMissing(_ error: VTError) {
        guard case .saving = life.pausing?.step else { return finishResume() }
        guard life.pausing?.isForced ?? false else { return failPause(error) }
        endShell(keeping: initialEnvironment)
    }

    private var initialEnvironment: ShellEnvironment {
        let contents = record.program.flatMap { FileContents.readSmall("/proc/\($0.processID)/environ") } ?? []
        return ShellEnvironment(contents) ?? ShellEnvironment(words: [])
    }

    // MARK: - Ending

    /// Ends the command that the shell is running, in steps: ^C, then HUP and TERM, then KILL, each after some time.
    private func interruptCommand() {
        guard var pause = life.pausing else { return }
        let commands = processes.living().filter { $0.processID != record.program?.processID }
        switch pause.attempts {
        case 0:
            // In the line editor, ^C cancels an incomplete line.
            terminal.answers.append(0x03)
        case 1:
            for entry in commands {
                for signal in [SIGHUP, SIGTERM, SIGCONT] { entry.signal(signal) }
            }
        case 2:
            for entry in commands { entry.signal(SIGKILL) }
        default:
            return endShell(keeping: initialEnvironment)
        }
        pause.attempts += 1
        pause.deadline = HolderClock.now() + PauseRun.interruptLimit
        life.pausing = pause
    }

    /// Saves how to start the shell again, and begins to end it.
    private func endShell(keeping environment: ShellEnvironment) {
        if record.openQuestion != nil { closeQuestion(.withdrawn) }
        var document = life.launch
        document.environment = environment.words
        document.directory = workingDirectory(environment) ?? life.launch.directory
        if let process = record.program?.processID {
            document.creationMask = ProcessEntry.creationMask(of: process) ?? life.launch.creationMask
            document.limits = .limits(of: process)
        }
        do throws(VTError) {
            document.record = record
            try FileContents.replace(files.paused, with: document.encoded)
        } catch {
            return failPause(error)
        }
        Fault.point(.pauseSaved)
        unsafe unlink(files.environment)
        record.state = .paused
        saveRecord(isDurable: true)
        Fault.point(.pauseNoted)
        let run = KillRun(processes, graceMilliseconds: PauseRun.graceMilliseconds)
        life.pausing?.deadline = .max
        life.pausing?.step = .ending(run)
    }

    /// The directory of the shell, by the name that the shell uses if that is still the same directory.
    private func workingDirectory(_ environment: ShellEnvironment) -> ByteString? {
        guard let program = record.program else { return nil }
        let link = "/proc/\(program.processID)/cwd"
        var (own, named) = (stat(), stat())
        guard unsafe stat(link, &own) == 0 else { return nil }
        if let path = environment.value(of: "PWD"), path.bytes.first == UInt8(ascii: "/") {
            // A directory that has been removed has no links (proc_pid_cwd(5)).
            let isSame =
                unsafe path.withCString({ unsafe stat($0, &named) }) == 0
                && own.st_ino == named.st_ino && own.st_dev == named.st_dev
            if isSame || own.st_nlink == 0 { return path }
        }
        return FileContents.link(at: link).map { ByteString($0) }
    }

    /// Ends the step of killing: there are no processes left, except perhaps these.
    private func finishPause(_ survivors: [ProcessEntry]) {
        Fault.point(.pauseEnded)
        drainTerminal()
        if let steps = shell.tracker?.stop(at: log.end) { perform(steps) }
        updateShell()
        terminal.close()
        record.program = nil
        // The shell may have been writing it when it was ended.
        unsafe unlink(files.environment)
        log.events.marker(.paused)
        log.synchronize()
        saveRecord(isDurable: true)
        Fault.point(.pauseDone)
        for client in life.pausing?.clients ?? [] { client.answer(.killed(survivors: survivors.map(\.text))) }
        life.pausing?.clients = []
        life.pausing?.step = .paused
    }

    /// Logs what the processes have written before they ended.
    private func drainTerminal() {
        var end: UInt64?
        while terminal.master != nil, end != log.end, log.end - (end ?? log.end) < Self.drainLimitBytes {
            end = log.end
            terminal.reopensAt = .max
            readTerminal()
        }
        passPending()
    }

    /// The limit for output that processes write which could not be ended.
    private static let drainLimitBytes: UInt64 = 1 << 20

    // MARK: - Steps

    func stepPause() {
        guard let pausing = life.pausing else { return }
        guard ending.status == nil else { return failPause(Self.endError) }
        let isDue = HolderClock.now() >= pausing.nextStep
        switch pausing.step {
        case .ending(var run):
            guard let survivors = run.step(now: HolderClock.now()) else {
                life.pausing?.step = .ending(run)
                return
            }
            finishPause(survivors)
        case .waiting:
            if isReadyToSave { requestEnvironment(.saving) } else if isDue { endWaiting() }
        case .starting:
            if isReadyToSave { requestEnvironment(.restoring) } else if isDue { releaseClients() }
        case .saving, .restoring:
            if isDue { repeatRequest() }
        case .paused: break
        }
    }

    /// Sends the key again, which a shell may miss while it redraws its prompt.
    private func repeatRequest() {
        let limit = PauseRun.saveLimit / PauseRun.retryDelay
        guard let attempts = life.pausing?.attempts, attempts < limit else {
            let error = VTError(.busy, "the shell of '\(record.name)' did not save its environment")
            shell.tracker?.integration.removeLine()
            return environmentIsMissing(error)
        }
        life.pausing?.attempts = attempts + 1
        life.pausing?.deadline = HolderClock.now() + PauseRun.retryDelay
        sendKey()
    }

    /// Answers clients that wait for the first prompt, which may never come.
    func releaseClients() {
        for client in life.pausing?.clients ?? [] { client.answer(.killed(survivors: [])) }
        life.pausing?.clients = []
        life.pausing?.deadline = .max
    }
}
