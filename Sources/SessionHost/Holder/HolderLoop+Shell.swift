import Core
import Glibc
import System
import Terminal

/// Tracks the session's shell, and has it run lines for clients.
extension HolderLoop {
    /// The lines for the session's shell and others, and when something was done about them; times are in microseconds
    /// since boot.
    struct Shell {
        /// The session's shell; nil if its program is not a shell with a hook.
        var tracker: ShellTracker?
        /// Lines for other shells.
        var assumed = LineQueue()
        /// Whether the current line for another shell may have been interrupted, so that its end would not be reported.
        var wasInterrupted = false
        /// When ^C or ^\ was written last; nil if it is known that no prompt has been lost since.
        var interruptedAt: Int64?
        /// When it was last checked whether the shell has been replaced.
        var checkedAt: Int64 = 0
        /// The last line in whose shell another program has been found.
        var replacedLine: UInt64?
        /// When the shell was last sent the key, or showed a prompt.
        var keySentAt: Int64 = 0
        /// When the shell last ended a command.
        var commandEndedAt: Int64 = 0
        /// Whether input has been written since the shell was last found waiting at its prompt.
        var hasNewInput = false
        /// Whether the shell has shown a prompt, which is reported once the shell is found waiting at it.
        var isPromptOpen = false
        /// When to find out next whether it is, and the pause before.
        var nextLook: Int64 = 0
        var lookPause: Int64 = 0
    }

    /// How often to check whether a command has replaced the shell, in microseconds; nothing reports that.
    private static let replacementInterval: Int64 = 500_000

    /// How long a shell may take to react to the key at a new prompt, in microseconds, before the key is sent again.
    ///
    /// A prompt that is only redrawn looks like a new one, and then a second key would become input of the command.
    private static let lostKeyDelay: Int64 = 1_000_000

    /// How long a shell may take to report a line that is being withdrawn, in microseconds.
    private static let withdrawalDelay: Int64 = 2_000_000

    /// Applies a mark of the shell's hook, which is not part of the output.
    func applyMark(_ payload: String) {
        guard !applyEnvironmentMark(payload), !applyResignation(payload),
            let applied = shell.tracker?.apply(payload, at: log.end, now: .now())
        else { return }
        var mark = applied.mark
        if case .command = mark.kind, mark.request == 0, mark.command == nil, let text = typedLine() {
            mark.command = text
            shell.tracker?.status.command = text
        }
        publish(mark)
        perform(applied.steps)
        // The session's own shell is back.
        if mark.kind == .prompt { endAssumed() }
        // A client's line counts as input, which waits begin after.
        if case .command = mark.kind, mark.request != 0 { sent = SentInput(at: mark.offset...mark.offset) }
        if case .end = mark.kind { shell.commandEndedAt = HolderClock.now() }
        if case .input = mark.kind { shellIsReady() }
        updateShell()
        offerLine()
        guard let tracker = shell.tracker, case .input = mark.kind else { return }
        if tracker.keepsText, tracker.current == nil { sendKey() }
        if !(tracker.current?.isWithdrawn ?? false) { shell.keySentAt = HolderClock.now() }
    }

    /// Continues without a hook if that of the session's program reports that it cannot work, with `X` and its process.
    private func applyResignation(_ payload: String) -> Bool {
        guard payload.hasPrefix("X;") else { return false }
        // The hook of a nested shell leaves the others as they are.
        guard let processID = pid_t(payload.dropFirst(2)), processID == record.program?.processID else { return true }
        for client in shell.tracker?.removeWaiting() ?? [] { client.answer(.failure(unknownShell)) }
        if let steps = shell.tracker?.stop(at: log.end) { perform(steps) }
        shell.tracker?.integration.removeHook()
        updateShell()
        shell.tracker = nil
        return true
    }

    /// The maximum length of the output from the start of the prompt to the start of the command.
    private static let typedBytes: UInt64 = 16 << 10

    /// The line that was typed at the last prompt, which has just ended; nil if the output does not show it.
    func typedLine() -> String? {
        guard let tracker = shell.tracker, let end = tracker.status.promptOffset else { return nil }
        let start = min(tracker.promptStart ?? end, end)
        guard start >= log.first, log.keptEnd == log.end, log.end - start <= Self.typedBytes else { return nil }
        let prompt = output(from: start, upTo: end)
        return TypedText.render(output(from: end, upTo: log.end), after: prompt, columns: record.size.columns)
    }

    /// Reads output that is kept.
    func output(from start: UInt64, upTo end: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = log.read(from: start, limit: Int(end - start), into: &bytes)
        return bytes
    }

    /// Prepares for lines at a prompt.
    private func shellIsReady() {
        if let processID = promptProcess { shell.tracker?.integration.rememberImage(of: processID) }
        guard shell.tracker?.hasShownPrompt == false else { return }
        shell.tracker?.integration.removeHook()
        shell.tracker?.hasShownPrompt = true
    }

    /// The process of the shell that showed the last prompt.
    var promptProcess: pid_t? { shell.tracker?.shells.last?.processID ?? record.program?.processID }

    /// Finds out whether a shell that does not report typed commands is running one.
    func checkForeground() {
        guard shell.tracker?.hasEditor == false, let number = terminal.number, let processID = promptProcess else {
            return
        }
        shell.tracker?.isInForeground = tcgetpgrp(number) == processID
        updateShell()
    }

    /// Copies the state of the shell to the record.
    func updateShell() {
        guard let status = shell.tracker?.currentStatus, status != record.shell else { return }
        record.shell = status
        unsaved.hasChanges = true
    }

    /// Records a mark, and sends it to attached clients.
    private func publish(_ mark: ShellMark) {
        var mark = mark
        shell.isPromptOpen = mark.kind == .input && shell.hasNewInput
        if shell.isPromptOpen {
            mark.kind = .continuation
            restartLooks()
        }
        log.events.shell(mark)
        send(mark)
    }

    /// Sends a mark to attached clients.
    func send(_ mark: ShellMark) {
        for client in clients.all where client.attachment?.wantsMarks ?? false { client.answer(.mark(mark)) }
    }

    func perform(_ steps: [ShellTracker.Step]) {
        for step in steps {
            switch step {
            case .report(let mark, let client): client.answer(.mark(mark))
            case .refuse(let client): client.answer(.failure(busy))
            case .record(let mark): log.events.shell(mark)
            case .close(let id, let state): requests.end(id, state)
            }
        }
    }

    // MARK: - Requests

    func execute(_ execution: SessionFrame.Execution, for client: HolderClient) throws(VTError) {
        if execution.assumedShell != nil {
            guard isActive else { throw suspensionError }
            if try assume(execution, for: client) { return }
        }
        guard shell.tracker != nil else { throw unknownShell }
        guard !(shell.tracker?.lines.adopt(execution.token, by: client) ?? false) else { return }
        guard acceptsRequests else { throw Self.endError }
        guard !execution.isRepeated || !(shell.tracker?.lines.hasForgotten ?? false) else { throw forgotten }
        let isIdentified = try isIdentified(execution, by: client)
        guard !execution.line.contains(0) else { throw VTError(.usage, "the line contains a NUL byte") }
        if !execution.waits { try checkQuestion(for: client) }
        checkForeground()
        if let steps = shell.tracker?.leaveAbandoned(at: log.end) { perform(steps) }
        guard let tracker = shell.tracker, !tracker.lines.isFull,
            isActive && (tracker.isFree || !tracker.hasShownPrompt || client.isForced) || execution.waits
        else { throw busy }
        shell.tracker?.lines.add(execution, isIdentified: isIdentified, from: client)
        offerLine()
    }

    /// Whether the client has given the line an ID; checks that it is new.
    ///
    /// - Throws: `protocol` when the line was run, and its marks are no longer known.
    private func isIdentified(_ execution: SessionFrame.Execution, by client: HolderClient) throws(VTError) -> Bool {
        guard client.requestID == execution.token else { return false }
        client.requestID = nil
        guard requests.state(of: execution.token) == .unseen else { throw forgotten }
        return true
    }

    /// Stores input for the line that the client is going to send.
    func storeInput(_ bytes: [UInt8], of client: HolderClient) {
        guard let integration = shell.tracker?.integration else { return }
        do throws(VTError) {
            client.input = try integration.append(bytes, to: client.input)
        } catch {
            client.end(with: .failure(error))
        }
    }

    func withdrawLine(of client: HolderClient) {
        withdrawAssumed(of: client)
        guard shell.tracker?.withdraw(from: client) ?? false else { return retractLine() }
        client.answer(.failure(busy))
    }

    /// Removes the file with a line that has just been withdrawn, and gives the shell time to report it if it has already
    /// read the file.
    func retractLine() {
        guard let tracker = shell.tracker, !tracker.isTaken, tracker.current?.isWithdrawn ?? false else { return }
        tracker.integration.removeLine()
        shell.keySentAt = HolderClock.now()
    }

    /// Offers the next line to the shell if it is at its prompt.
    func offerLine() {
        guard isActive, acceptsRequests, mayRun(shell.tracker?.lines), let request = shell.tracker?.offer() else {
            return
        }
        do throws(VTError) {
            if request.isIdentified {
                try requests.begin(request.token)
                Fault.point(.requestBegun)
            }
            try shell.tracker?.integration.offer(request.line, as: request.id, input: request.input)
            sendKey()
        } catch {
            request.client?.answer(.failure(error))
            _ = shell.tracker?.removeOffered()
        }
    }

    func sendKey() {
        guard let tracker = shell.tracker else { return }
        shell.keySentAt = HolderClock.now()
        terminal.queueFirst(tracker.integration.keys(hasEditor: tracker.hasEditor))
    }

    private var busy: VTError {
        if !isActive { return suspensionError }
        if let error = record.questionError { return error }
        let status = shell.tracker?.currentStatus
        let reason =
            switch status?.state {
            case .running: status?.command.map { "is running '\($0.prefix(80))'" } ?? "is running a command"
            case .continuation: "is waiting for the rest of an incomplete line"
            case .prompt where shell.tracker?.current != nil && shell.tracker?.isTaken == true:
                "was started by a line that has not ended"
            case .prompt: "is about to run another line"
            case .unknown, nil: "has not shown a prompt"
            }
        return VTError(
            .busy,
            "the shell of '\(record.name)' \(reason)",
            hint:
                "to wait for it, use --when-ready; if it is running another shell, such as one on a server, use --assume-shell; if it "
                + "is an interpreter, use --repl or --prompt"
        )
    }

    private var unknownShell: VTError {
        VTError(
            .busy,
            "the program of '\(record.name)' is not a shell that reports its prompts",
            hint:
                "if it is running another shell, such as one on a server, use --assume-shell; if it is an interpreter, use "
                + "--repl or --prompt; otherwise, use 'vt sessions send'"
        )
    }

    // MARK: - Time

    /// The maximum time, in microseconds, for which input is held while the hook is working.
    private static let hookLimit: Int64 = 200_000

    /// Until when to hold input, because the hook is working or a signal is handled; nil if neither is so.
    ///
    /// What a person types would otherwise reach the command that is about to start, and ^C would interrupt the hook
    /// instead of a command.
    var inputHeldUntil: Int64? {
        if isSuspended { return .max }
        guard ending.status == nil else { return nil }
        if let signalLimit { return signalLimit }
        guard let tracker = shell.tracker else { return nil }
        let isTaking = tracker.current != nil && !tracker.isTaken
        let isEnding = tracker.hasCommandEnded && tracker.status.state != .prompt
        let end = (isTaking ? shell.keySentAt : isEnding ? shell.commandEndedAt : 0) + Self.hookLimit
        return (isTaking || isEnding) && HolderClock.now() < end ? end : nil
    }

    var shellDeadline: Int64 { min(lineDeadline, readerDeadline, lostPromptDeadline) }

    func stepShell() {
        if HolderClock.now() >= lineDeadline { checkLine() }
        if HolderClock.now() >= readerDeadline { checkReader() }
        if HolderClock.now() >= lostPromptDeadline { checkLostPrompt() }
    }

    /// When to look after a line that the shell has been offered or is running.
    private var lineDeadline: Int64 {
        guard !isSuspended, let tracker = shell.tracker, let current = tracker.current else { return .max }
        if tracker.isTaken { return shell.checkedAt + Self.replacementInterval }
        if current.isWithdrawn { return shell.keySentAt + Self.withdrawalDelay }
        return tracker.mayHaveLostKey ? shell.keySentAt + Self.lostKeyDelay : .max
    }

    /// Withdraws a line or sends the key again if the shell does not react, and checks whether the shell has been
    /// replaced.
    private func checkLine() {
        guard let tracker = shell.tracker, let current = tracker.current else { return }
        guard tracker.isTaken else { return current.isWithdrawn ? withdrawOffered() : sendKey() }
        shell.checkedAt = HolderClock.now()
        guard ending.status == nil, current.shell == tracker.shells.last, let processID = promptProcess,
            tracker.integration.isReplaced(processID)
        else { return }
        // A program that ends at once ends the session, which tells its status.
        guard shell.replacedLine == current.id else {
            shell.replacedLine = current.id
            return
        }
        if let steps = shell.tracker?.end(.replaced, at: log.end) { perform(steps) }
        updateShell()
    }

    private func withdrawOffered() {
        let request = shell.tracker?.removeOffered()
        if let request, request.isWantedAgain {
            shell.tracker?.lines.putBack(request)
            return offerLine()
        }
        if let request, request.isIdentified { requests.end(request.token, .unseen) }
        let error = VTError(
            .busy,
            "the shell of '\(record.name)' did not take the line",
            hint: "to see what it is waiting for, use 'vt sessions screen \(record.name)'"
        )
        request?.client?.answer(.failure(error))
        offerLine()
    }
}
