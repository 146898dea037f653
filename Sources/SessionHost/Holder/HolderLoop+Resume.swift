import Core
import Glibc
import System

/// Starts the shell of a paused session again.
extension HolderLoop {
    func resumePaused(for client: HolderClient) throws(VTError) {
        switch pausing?.step {
        case .paused: try startShell(for: client)
        // The new shell has not shown a prompt in time.
        case .starting where pausing?.deadline == .max: client.answer(.killed(survivors: []))
        case .starting, .restoring: pausing?.clients.append(client)
        case .waiting, .saving, .ending, nil: throw suspensionError
        }
    }

    private func startShell(for client: HolderClient) throws(VTError) {
        Fault.point(.resumeBegun)
        do throws(VTError) {
            guard let saved = try FileContents.read(files.paused) else {
                throw VTError(.notFound, "'\(files.paused)' does not exist")
            }
            try startShell(try LaunchDocument(saved: saved))
        } catch {
            // The session is still paused.
            (record.state, record.program) = (.paused, nil)
            isRecordStale = true
            throw error
        }
        pausing?.clients.append(client)
    }

    private func startShell(_ document: LaunchDocument) throws(VTError) {
        try directory.removeHook(of: record.id)
        let pair = try DescriptorPair.terminal(record.size)
        var launch = document
        guard let integration = try ShellIntegration(files, &launch.command, &launch.environment) else {
            throw VTError(.notFound, "the shell of '\(record.name)' is missing")
        }
        try launch.startProgram(on: pair.second.number, in: group) { program throws(VTError) in
            record.program = program
            record.state = .running
            saveRecord(isDurable: false)
        }
        Fault.point(.resumeStarted)
        let master = FileDescriptor(owning: pair.releaseFirst())
        _ = fcntl(master.number, F_SETFL, O_RDWR | O_NONBLOCK)
        terminal = consume master
        scanner = MarkScanner(token: integration.token)
        shell?.restart(integration)
        log.events.marker(.resumed)
        updateShell()
        waitForPrompt(document)
    }

    /// Continues in a new holder, which has started the shell; `turn` is the number of commands that the shells before it
    /// have run.
    func continuePaused(turn: UInt64) {
        // The environment is compared with the one that the shell got.
        let document = (try? FileContents.read(files.paused)).flatMap { $0 }.flatMap { try? LaunchDocument(saved: $0) }
        shell?.continueCount(turn)
        waitForPrompt(document)
    }

    private func waitForPrompt(_ document: LaunchDocument?) {
        var pause = PauseRun(step: .starting)
        pause.deadline = HolderClock.now() + PauseRun.promptLimit
        pause.wanted = ShellEnvironment(words: document?.environment ?? [])
        pause.creationMask = document?.creationMask
        pause.limits = document?.limits ?? .unknown
        pausing = pause
    }

    /// Changes the environment, the limits and the umask of the new shell, whose files may have changed them, to what
    /// they were.
    func restore(_ current: ShellEnvironment) {
        if let pausing, let program = record.program { pausing.limits.set(for: program.processID) }
        guard let pause = pausing, let wanted = pause.wanted, let kind = shell?.integration.kind else {
            return finishResume()
        }
        var script = wanted.script(from: current, for: kind)
        if let mask = pause.creationMask, let process = record.program?.processID,
            mask != ProcessEntry.creationMask(of: process)
        {
            script += kind.setCreationMask(mask).bytes
        }
        guard !script.isEmpty else { return finishResume() }
        do throws(VTError) {
            try FileContents.replace("\(files.environment).load", with: script, isDurable: false)
            // Once: a variable that cannot be changed is left.
            pausing?.wanted = nil
            requestEnvironment(.restoring)
        } catch {
            finishResume()
        }
    }

    func finishResume() {
        Fault.point(.resumeRestored)
        removePauseFiles()
        Fault.point(.resumeDone)
        releaseClients()
        pausing = nil
        offerLine()
    }
}
