import Core
import Glibc
import System
import Terminal

/// Tracks the session's shell, and has it run lines for clients.
extension HolderLoop {
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
            let applied = shell?.apply(payload, at: log.end, now: .now())
        else {
            return
        }
        var mark = applied.mark
        if case .command = mark.kind, mark.request == 0, mark.command == nil, let text = typedLine() {
            mark.command = text
            shell?.setCommand(text)
        }
        publish(mark)
        perform(applied.steps)
        // The session's own shell is back.
        if mark.kind == .prompt { endAssumed() }
        // A client's line counts as input, which waits begin after.
        if case .command = mark.kind, mark.request != 0 { sent = SentInput(at: mark.offset...mark.offset) }
        if case .end = mark.kind { commandEndedAt = HolderClock.now() }
        if case .input = mark.kind { shellIsReady() }
        updateShell()
        offerLine()
        guard let shell, case .input = mark.kind else { return }
        if shell.keepsText, shell.current == nil { sendKey() }
        if !(shell.current?.isWithdrawn ?? false) { keySentAt = HolderClock.now() }
    }

    /// Continues without a hook if that of the session's program reports that it cannot work, with `X` and its process.
    private func applyResignation(_ payload: String) -> Bool {
        guard payload.hasPrefix("X;") else { return false }
        // The hook of a nested shell leaves the others as they are.
        guard let processID = pid_t(payload.dropFirst(2)), processID == record.program?.processID else { return true }
        for client in shell?.removeWaiting() ?? [] { client.answer(.failure(unknownShell)) }
        if let steps = shell?.stop(at: log.end) { perform(steps) }
        shell?.integration.removeHook()
        updateShell()
        shell = nil
        return true
    }

    /// The maximum length of the output from the start of the prompt to the start of the command.
    private static let typedBytes: UInt64 = 16 << 10

    /// The line that was typed at the last prompt, which has just ended; nil if the output does not show it.
    func typedLine() -> String? {
        guard let shell, let end = shell.status.promptOffset else { return nil }
        let start = min(shell.promptStart ?? end, end)
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
        if let processID = promptProcess { shell?.integration.rememberImage(of: processID) }
        guard shell?.hasShownPrompt == false else { return }
        shell?.integration.removeHook()
        shell?.hasShownPrompt = true
    }

    /// The process of the shell that showed the last prompt.
    var promptProcess: pid_t? { shell?.shells.last?.processID ?? record.program?.processID }

    /// Finds out whether a shell that does not report typed commands is running one.
    func checkForeground() {
        guard shell?.hasEditor == false, let number = terminal?.number, let processID = promptProcess else { return }
        shell?.isInForeground = tcgetpgrp(number) == processID
        updateShell()
    }

    /// Copies the state of the shell to the record.
    func updateShell() {
        guard let status = shell?.currentStatus, status != record.shell else { return }
        record.shell = status
        isRecordStale = true
    }

    /// Records a mark, and sends it to attached clients.
    private func publish(_ mark: ShellMark) {
        var mark = mark
        isPromptOpen = mark.kind == .input && hasNewInput
        if isPromptOpen {
            mark.kind = .continuation
            restartLooks()
        }
        log.events.shell(mark)
        send(mark)
    }

    /// Sends a mark to attached clients.
    func send(_ mark: ShellMark) {
        for client in clients where client.attachment?.wantsMarks ?? false { client.answer(.mark(mark)) }
    }

    func perform(_ steps: [ShellTracker.Step]) {
        for step in steps {
            switch step {
            case .report(let mark, let client): client.answer(.mark(mark))
            case .refuse(let client): client.answer(.failure(busy))
            case .record(let mark): log.events.shell(mark)
            case .clear: shell?.integration.removeLine()
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
        guard shell != nil else { throw unknownShell }
        if let known = shell?.adopt(execution.token, by: client) {
            client.answer(.queued(request: known.id))
            for mark in known.marks { client.answer(.mark(mark)) }
            return
        }
        guard acceptsRequests else { throw Self.endError }
        guard !execution.isRepeated || !(shell?.hasForgotten ?? false) else { throw forgotten }
        let isIdentified = try isIdentified(execution, by: client)
        guard !execution.line.contains(0) else { throw VTError(.usage, "the line contains a NUL byte") }
        checkForeground()
        if let steps = shell?.leaveAbandoned(at: log.end) { perform(steps) }
        let isFree = shell.map { isActive && ($0.isFree || !$0.hasShownPrompt) || execution.waits } ?? false
        guard isFree, shell?.queue.count ?? 0 < ShellTracker.queueLimit else { throw busy }
        let request = shell?.add(execution, isIdentified: isIdentified, from: client) ?? 0
        client.answer(.queued(request: request))
        offerLine()
    }

    /// Stores input for the line that the client is going to send.
    func storeInput(_ bytes: [UInt8], of client: HolderClient) {
        guard let integration = shell?.integration else { return }
        do throws(VTError) {
            client.input = try integration.append(bytes, to: client.input)
        } catch {
            client.end(with: .failure(error))
        }
    }

    func withdrawLine(of client: HolderClient) {
        withdrawAssumed(of: client)
        guard shell?.withdraw(from: client) ?? false else { return retractLine() }
        client.answer(.failure(busy))
    }

    /// Removes the file with a line that has just been withdrawn, and gives the shell time to report it if it has already
    /// read the file.
    func retractLine() {
        guard let shell, !shell.isTaken, shell.current?.isWithdrawn ?? false else { return }
        shell.integration.removeLine()
        keySentAt = HolderClock.now()
    }

    /// Offers the next line to the shell if it is at its prompt.
    func offerLine() {
        guard isActive, terminal != nil, ending.status == nil, let request = shell?.offer(), let shell else { return }
        do throws(VTError) {
            if request.isIdentified {
                try requests.begin(request.token)
                Fault.point(.requestBegun)
            }
            try shell.integration.offer(request.line, as: request.id, input: request.input)
            sendKey()
        } catch {
            request.client?.answer(.failure(error))
            _ = self.shell?.removeOffered()
        }
    }

    func sendKey() {
        guard let shell else { return }
        keySentAt = HolderClock.now()
        let keys = shell.integration.keys(hasEditor: shell.hasEditor)
        answers += keys
        updateLine(keys)
    }

    private var busy: VTError {
        if !isActive { return suspensionError }
        let status = shell?.currentStatus
        let reason =
            switch status?.state {
            case .running: status?.command.map { "is running '\($0.prefix(80))'" } ?? "is running a command"
            case .continuation: "is waiting for the rest of an incomplete line"
            case .prompt where shell?.current != nil && shell?.isTaken == true:
                "was started by a line that has not ended"
            case .prompt: "is about to run another line"
            case .unknown, nil: "has not shown a prompt"
            }
        return VTError(
            .busy,
            "the shell of '\(record.name)' \(reason)",
            hint:
                "to wait for it, use --wait; if it is running another shell, such as one on a server, use --assume-shell"
        )
    }

    private var unknownShell: VTError {
        VTError(
            .busy,
            "the program of '\(record.name)' is not a shell that reports its prompts",
            hint:
                "if it is running another shell, such as one on a server, use --assume-shell; otherwise, use 'vt sessions send'"
        )
    }

    // MARK: - Time

    /// The maximum time, in microseconds, for which input is held while the hook is working.
    private static let hookLimit: Int64 = 200_000

    /// Until when to hold input, because the hook is working; nil if it is not.
    ///
    /// What a person types would otherwise reach the command that is about to start, and ^C would interrupt the hook
    /// instead of a command.
    var inputHeldUntil: Int64? {
        if isSuspended { return .max }
        guard let shell, ending.status == nil else { return nil }
        let isTaking = shell.current != nil && !shell.isTaken
        let isEnding = shell.hasCommandEnded && shell.status.state != .prompt
        let end = (isTaking ? keySentAt : isEnding ? commandEndedAt : 0) + Self.hookLimit
        return (isTaking || isEnding) && HolderClock.now() < end ? end : nil
    }

    /// When to look after a line that the shell has been offered or is running; nil if there is none.
    var shellCheck: Int64? {
        guard !isSuspended, let shell, shell.current != nil else { return nil }
        if shell.isTaken { return shellCheckedAt + Self.replacementInterval }
        if shell.current?.isWithdrawn ?? false { return keySentAt + Self.withdrawalDelay }
        return shell.mayHaveLostKey ? keySentAt + Self.lostKeyDelay : nil
    }

    /// Withdraws a line or sends the key again if the shell does not react, and checks whether the shell has been
    /// replaced.
    func checkShell() {
        guard let next = shellCheck else { return }
        let now = HolderClock.now()
        guard now >= next else { return }
        guard shell?.isTaken ?? false else {
            return shell?.current?.isWithdrawn ?? false ? withdrawOffered() : sendKey()
        }
        shellCheckedAt = now
        guard ending.status == nil, let shell, shell.current?.shell == shell.shells.last,
            let processID = promptProcess, shell.integration.isReplaced(processID)
        else { return }
        // A program that ends at once ends the session, which tells its status.
        guard replacedLine == shell.current?.id else {
            replacedLine = shell.current?.id
            return
        }
        guard let steps = self.shell?.end(.replaced, at: log.end) else { return }
        perform(steps)
        updateShell()
    }

    private func withdrawOffered() {
        let request = shell?.removeOffered()
        if let request, request.isWantedAgain {
            shell?.putBack(request)
            return offerLine()
        }
        if let request, request.isIdentified { requests.end(request.token, .unseen) }
        request?.client?.answer(
            .failure(
                VTError(
                    .busy,
                    "the shell of '\(record.name)' did not take the line",
                    hint: "to see what it is waiting for, use 'vt sessions screen \(record.name)'"
                )
            )
        )
        offerLine()
    }

    /// Passes on bytes that could have been the start of a mark, once nothing has followed them for a moment.
    func releasePending() {
        guard scanner.isDoubtful, isIdle else { return }
        passPending()
    }

    /// Passes on all pending bytes.
    func passPending() {
        let bytes = scanner.release()
        guard !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBytes { unsafe passOutput($0) }
    }
}
