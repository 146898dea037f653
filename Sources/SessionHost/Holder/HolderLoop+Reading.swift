import Core
import Glibc
import System

/// Tells the prompt at which the shell waits from one that it shows while there is input for it: then it is about to run
/// another command.
extension HolderLoop {
    /// The pauses between two looks at the shell, in microseconds; each is twice as long as the one before.
    private static let lookPauses: ClosedRange<Int64> = 500...50_000

    /// Notes that input has been written to the terminal.
    func inputWasWritten(_ bytes: ArraySlice<UInt8>) {
        if bytes.contains(where: { $0 == 0x03 || $0 == 0x1C }) {
            if shell.assumed.current != nil { shell.wasInterrupted = true }
            shell.interruptedAt = HolderClock.now()
        }
        shell.hasNewInput = true
        restartLooks()
    }

    /// Looks soon, because the shell has shown its prompt or got input.
    func restartLooks() {
        shell.lookPause = Self.lookPauses.lowerBound
        shell.nextLook = HolderClock.now() + shell.lookPause
    }

    /// When to find out next whether the program has read all input or handled a signal; `.max` if neither is awaited.
    var readerDeadline: Int64 {
        let isAwaited = signalLimit != nil || shell.hasNewInput && shell.tracker?.currentStatus.state == .prompt
        return isAwaited && !isSuspended ? shell.nextLook : .max
    }

    func checkReader() {
        lookAtAwaited()
        lookAtReader()
        shell.lookPause = min(2 * shell.lookPause, Self.lookPauses.upperBound)
        shell.nextLook = HolderClock.now() + shell.lookPause
    }

    // MARK: - Signals

    /// How long input is held before and after a signal at most, and how long unless there is output, in microseconds.
    private static let signalLimits: (any: Int64, silent: Int64) = (2_000_000, 100_000)

    /// Until when to hold the next input, because the program may still have to read what precedes a signal, or to handle
    /// one; nil if it does not.
    ///
    /// A signal discards what has not been read, and a program that was reading when it arrived loses what it reads until
    /// it has handled it.
    var signalLimit: Int64? {
        guard let awaited = terminal.awaited, awaited.isSignal ? !terminal.input.isEmpty : isSignalNext else {
            return nil
        }
        let limit = awaited.writtenAt + Self.signalLimits.any
        return HolderClock.now() < limit ? limit : nil
    }

    /// Whether a command is going to send a signal; that of a person is not held.
    private var isSignalNext: Bool {
        guard let number = terminal.number, let job = terminal.input.jobs.first, job.client.attachment == nil,
            job.written < job.bytes.count
        else { return false }
        return needsReader(before: job.written, of: job, TerminalControl.signalBytes(number))
    }

    /// Lets input follow if the program is waiting for it again, and a signal also if the program has read all input.
    private func lookAtAwaited() {
        guard signalLimit != nil, let awaited = terminal.awaited else { return }
        let isSilent = HolderClock.now() - awaited.writtenAt >= Self.signalLimits.silent
        guard log.end > awaited.end || isSilent else { return }
        guard isSilent, !awaited.isSignal, let number = terminal.number else {
            if isReaderWaiting { terminal.awaited = nil }
            return
        }
        if !TerminalReader.hasInput(on: number) { terminal.awaited = nil }
    }

    // MARK: - A lost prompt

    /// How long after ^C to find out whether a prompt has been lost, in microseconds.
    private static let lostPromptDelay: Int64 = 500_000

    /// When to find out whether a prompt has been lost.
    ///
    /// For ^C, a terminal discards output that has not been read, and the marks in it. Unlike other shells, fish does not
    /// show a prompt again that it was showing then, so that the end of the command would remain unknown.
    var lostPromptDeadline: Int64 {
        guard let time = shell.interruptedAt, let tracker = shell.tracker, tracker.integration.kind == .fish,
            tracker.status.state == .running, !isSuspended
        else { return .max }
        return time + Self.lostPromptDelay
    }

    /// Has the shell show its prompt again if it is reading a line although it is said to run a command.
    func checkLostPrompt() {
        shell.interruptedAt = nil
        guard let number = terminal.number, let processID = promptProcess, tcgetpgrp(number) == processID,
            lookAtReader()
        else { return }
        do throws(VTError) {
            try shell.tracker?.integration.requestPrompt()
            sendKey()
        } catch {
            // The next prompt has the marks.
        }
    }

    /// Returns whether the program in the foreground is waiting for input; if that is the shell at its prompt, clients
    /// are sent the prompt.
    @discardableResult
    private func lookAtReader() -> Bool {
        guard terminal.input.isEmpty, terminal.answers.isEmpty, !isSuspended, isReaderWaiting else { return false }
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

    private var isReaderWaiting: Bool {
        terminal.number.map { TerminalReader.isWaiting(on: $0, in: SessionProcesses(holder: getpid())) } ?? false
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
