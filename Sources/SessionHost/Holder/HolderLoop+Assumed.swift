import Core
import System

/// Types lines into shells without a hook, such as one at the other end of ssh.
extension HolderLoop {
    /// Queues a line; returns false if the session's own shell can run it.
    func assume(_ execution: SessionFrame.Execution, for client: HolderClient) throws(VTError) -> Bool {
        guard !shell.assumed.adopt(execution.token, by: client) else { return true }
        checkForeground()
        guard shell.tracker?.currentStatus.state != .prompt else { return false }
        guard acceptsRequests else { throw Self.endError }
        guard !execution.isRepeated else { throw forgotten }
        if !execution.waits { try checkQuestion(for: client) }
        guard shell.assumed.current == nil || execution.waits || isAssumedAbandoned, !shell.assumed.isFull else {
            let hint =
                "to wait for it, use --wait; if its end has been lost, use 'vt sessions send \(record.name) --key C-c'"
            throw VTError(.busy, "another line is running in the shell of '\(record.name)'", hint: hint)
        }
        shell.assumed.add(execution, from: client)
        typeLine()
        return true
    }

    /// Whether the client of the current line has disconnected after an interrupt; the end of the line may never be
    /// reported.
    private var isAssumedAbandoned: Bool {
        shell.wasInterrupted && shell.assumed.current.map { $0.client?.isGone ?? true } ?? false
    }

    /// Types the next line, if no other is running.
    func typeLine() {
        shell.assumed.dropAbandoned()
        while !shell.assumed.waiting.isEmpty, mayRun(shell.assumed),
            shell.assumed.current == nil || isAssumedAbandoned
        {
            shell.assumed.advance()
            shell.wasInterrupted = false
            guard let request = shell.assumed.current, let kind = request.assumedShell else { return }
            // In the marks; it is used only once, because the shell echoes it.
            let token = RandomIdentifier.make()
            terminal.scanner.once = token
            let keys = kind.keys(for: request.line, token: token, id: request.id)
            guard terminal.isLineTooLong(keys) else { return terminal.queueFirst(keys) }
            let limit = TerminalControl.canonicalLineLimitBytes
            let error = VTError(
                .dataInvalid,
                "the line is too long to be typed: encoded, it has \(keys.count - 2) bytes, and in canonical mode the "
                    + "terminal accepts \(limit)"
            )
            request.client?.answer(.failure(error))
            shell.assumed.end(with: ShellMark(.unknown, at: log.end, request: request.id, turn: 0))
        }
    }

    /// Applies a mark of a typed line, which is not part of the output.
    func applyAssumedMark(_ payload: String) {
        guard let request = shell.assumed.current else { return }
        let fields = payload.split(separator: ";", omittingEmptySubsequences: false)
        if request.marks.isEmpty, fields.count > 1, fields[0] == "C", fields[1] == String(request.id) {
            let mark = ShellMark(.command, at: log.end, request: request.id, turn: 0)
            shell.assumed.current?.marks.append(mark)
            sent = SentInput(at: mark.offset...mark.offset)
            request.client?.answer(.mark(mark))
        } else if !request.marks.isEmpty, fields.count == 3, fields[0] == "D", fields[2] == String(request.id),
            let status = UInt32(fields[1])
        {
            endAssumed(.end(status: status))
        }
    }

    /// Ends the typed line, and types the next one; by default, its end will not be reported.
    func endAssumed(_ kind: ShellMark.Kind = .unknown) {
        guard let request = shell.assumed.current else { return }
        let mark = ShellMark(kind, at: log.end, request: request.id, turn: 0)
        shell.assumed.end(with: mark)
        request.client?.answer(.mark(mark))
        typeLine()
    }

    /// Withdraws a client's line; one that has been typed ends.
    func withdrawAssumed(of client: HolderClient) {
        if shell.assumed.withdraw(from: client) {
            let error = VTError(.busy, "another line is running in the shell of '\(record.name)'")
            client.answer(.failure(record.questionError ?? error))
        } else if let current = shell.assumed.current, current.client === client {
            if current.marks.isEmpty {
                let error = VTError(
                    .busy,
                    "no shell of '\(record.name)' has started the typed line; it may still be run",
                    hint: "to see what is reading the terminal, use 'vt sessions screen \(record.name)'"
                )
                client.answer(.failure(error))
            }
            endAssumed()
        }
    }
}
