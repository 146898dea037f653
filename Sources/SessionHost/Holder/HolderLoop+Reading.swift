import Core
import Glibc
import System

/// Tells the prompt at which the shell waits from one that it shows while there is input for it: then it is about to run
/// another command.
extension HolderLoop {
    /// The pauses between two looks at the shell, in microseconds; each is twice as long as the one before.
    private static let lookPauses: ClosedRange<Int64> = 500...50_000

    /// Notes that input has been written to the terminal, which may contain ^C or ^\.
    func inputWasWritten(_ bytes: [UInt8]) {
        if shell.assumed.current != nil, bytes.contains(where: { $0 == 0x03 || $0 == 0x1C }) {
            shell.wasInterrupted = true
        }
        shell.hasNewInput = true
        restartLooks()
    }

    /// Looks soon, because the shell has shown its prompt or got input.
    func restartLooks() {
        shell.lookPause = Self.lookPauses.lowerBound
        shell.nextLook = HolderClock.now() + shell.lookPause
    }

    /// When to find out next whether the shell has read all input; `.max` if it has, or is not at its prompt.
    var readerDeadline: Int64 {
        shell.hasNewInput && shell.tracker?.currentStatus.state == .prompt && !isSuspended ? shell.nextLook : .max
    }

    func checkReader() {
        lookAtReader()
        shell.lookPause = min(2 * shell.lookPause, Self.lookPauses.upperBound)
        shell.nextLook = HolderClock.now() + shell.lookPause
    }

    /// Returns whether the program in the foreground is waiting for input; if that is the shell at its prompt, clients
    /// are sent the prompt.
    @discardableResult
    private func lookAtReader() -> Bool {
        guard let number = terminal.number, terminal.input.isEmpty, terminal.answers.isEmpty, !isSuspended,
            TerminalReader.isWaiting(on: number, in: SessionProcesses(holder: getpid()))
        else { return false }
        guard shell.hasNewInput else { return true }
        // What was written before comes first, such as the mark of a command.
        readTerminal()
        checkForeground()
        guard let prompt = shell.tracker?.shownPrompt else { return true }
        shell.hasNewInput = false
        if shell.isPromptOpen { log.events.shell(prompt) }
        shell.isPromptOpen = false
        send(prompt)
        return true
    }

    /// The record, with the current state of the shell.
    var currentRecord: Session {
        checkForeground()
        let isReading = isSuspended ? nil : lookAtReader()
        record.outputBytes = log.end
        record.firstOffset = log.first
        record.activeAt = log.events.lastChange
        var current = record
        current.isReading = isReading
        if shell.hasNewInput, current.shell?.state == .prompt {
            current.shell?.state = .running
            current.shell?.command = nil
        }
        return current
    }

    /// The mark of the prompt at which the shell is waiting; nil if it is not.
    var shownPrompt: ShellMark? {
        checkForeground()
        lookAtReader()
        return shell.hasNewInput ? nil : shell.tracker?.shownPrompt
    }
}
