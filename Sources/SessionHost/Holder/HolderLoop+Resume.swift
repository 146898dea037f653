import Core
import Glibc
import System

/// Starts the shell of a paused session again.
extension HolderLoop {
    func resumePaused(for client: HolderClient) throws(VTError) {
        switch life.pausing?.step {
        case .paused: try startShell(for: client)
        // The new shell has not shown a prompt in time.
        case .starting where life.pausing?.deadline == .max: client.answer(.killed(survivors: []))
        case .starting, .restoring: life.pausing?.clients.append(client)
        case .waiting, .saving, .ending, nil: throw suspensionError
        }
    }

    private func startShell(for client: HolderClient) throws(VTError) {
        Fault.point(.resumeBegun)
        do throws(VTError) {
            guard let saved = try FileContents.read(files.paused) else {
                throw VTError(.notFound, "'\(files.paused)' does not exist")
            }
            try startShell(try LaunchDocument(decoding: saved))
        } catch {
            // The session is still paused.
            (record.state, record.program) = (.paused, nil)
            unsaved.hasChanges = true
            throw error
        }
        life.pausing?.clients.append(client)
    }

    private func startShell(_ document: LaunchDocument) throws(VTError) {
        try directory.removeHook(of: record.id)
        let pair = try DescriptorPair.terminal(record.size)
        var launch = document
        guard let integration = try ShellIntegration(files, &launch.command, &launch.environment) else {
            throw VTError(.notFound, "the shell of '\(record.name)' is missing")
        }
        try launch.startProgram(on: pair.second.number, in: life.group) { program throws(VTError) in
            record.program = program
            record.state = .running
            saveRecord(isDurable: false)
        }
        Fault.point(.resumeStarted)
        terminal.open(FileDescriptor(owning: pair.releaseFirst()))
        terminal.scanner = MarkScanner(token: integration.token)
        shell.tracker?.restart(integration)
        log.events.marker(.resumed)
        updateShell()
        waitForPrompt(document)
    }

    /// Continues in a new holder, which has started the shell; `turn` is the number of commands that the shells before it
    /// have run.
    func continuePaused(turn: UInt64) {
        // The environment is compared with the one that the shell got.
        let document = (try? FileContents.read(files.paused)).flatMap { $0 }.flatMap {
            try? LaunchDocument(decoding: $0)
        }
        shell.tracker?.status.turn = turn
        waitForPrompt(document)
    }

    private func waitForPrompt(_ document: LaunchDocument?) {
        let deadline = HolderClock.now() + PauseRun.promptLimit
        life.pausing = PauseRun(step: .starting, deadline: deadline, document: document)
    }

    /// Changes the environment, the limits and the umask of the new shell, whose files may have changed them, to what
    /// they were.
    func restore(_ current: ShellEnvironment) {
        guard let document = life.pausing?.document, let kind = shell.tracker?.integration.kind else {
            return finishResume()
        }
        var script = ShellEnvironment(words: document.environment).script(from: current, for: kind)
        if let program = record.program?.processID {
            document.limits.set(for: program)
            if document.creationMask != ProcessEntry.creationMask(of: program) {
                script += kind.setCreationMask(document.creationMask).bytes
            }
        }
        guard !script.isEmpty else { return finishResume() }
        do throws(VTError) {
            try FileContents.replace(files.environmentChanges, with: script, isDurable: false)
            // Once: a variable that cannot be changed is left.
            life.pausing?.document = nil
            requestEnvironment(.restoring)
        } catch {
            finishResume()
        }
    }

    func finishResume() {
        Fault.point(.resumeRestored)
        files.removePause()
        Fault.point(.resumeDone)
        releaseClients()
        life.pausing = nil
        offerLine()
    }
}
