import Core
import Glibc
import System

/// Tells the prompt at which the shell waits from one that it shows while there is input for it: then it is about to run
/// another command.
extension HolderLoop {
    /// The pauses between two looks at the shell, in microseconds; each is twice as long as the one before.
    private static let lookPauses: ClosedRange<Int64> = 500...50_000

    /// Notes that input has been written to the terminal.
    func inputWasWritten() {
        hasNewInput = true
        restartLooks()
    }

    /// Looks soon, because the shell has shown its prompt or got input.
    func restartLooks() {
        lookPause = Self.lookPauses.lowerBound
        nextLook = HolderClock.now() + lookPause
    }

    /// When to find out next whether the shell has read all input; nil if it has, or is not at its prompt.
    var readerCheck: Int64? {
        hasNewInput && shell?.currentStatus.state == .prompt && !isSuspended ? nextLook : nil
    }

    func checkReader() {
        guard let readerCheck, HolderClock.now() >= readerCheck else { return }
        lookAtReader()
        lookPause = min(2 * lookPause, Self.lookPauses.upperBound)
        nextLook = HolderClock.now() + lookPause
    }

    /// Whether the program in the foreground is waiting for input.
    private var isReading: Bool {
        guard let number = terminal?.number, input.isEmpty, answers.isEmpty, !isSuspended else { return false }
        return TerminalReader.isWaiting(on: number, in: SessionProcesses(holder: getpid()))
    }

    /// Returns whether the program in the foreground is waiting for input; if that is the shell at its prompt, clients
    /// are sent the prompt.
    @discardableResult
    private func lookAtReader() -> Bool {
        let isReading = isReading
        guard isReading, hasNewInput else { return isReading }
        // What was written before comes first, such as the mark of a command.
        readTerminal()
        checkForeground()
        guard let prompt = shell?.shownPrompt else { return isReading }
        hasNewInput = false
        if isPromptOpen { log.events.shell(prompt) }
        isPromptOpen = false
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
        if hasNewInput, current.shell?.state == .prompt {
            current.shell?.state = .running
            current.shell?.command = nil
        }
        return current
    }

    /// The mark of the prompt at which the shell is waiting; nil if it is not.
    var shownPrompt: ShellMark? {
        checkForeground()
        lookAtReader()
        return hasNewInput ? nil : shell?.shownPrompt
    }
}
