import Core
import System

/// Types lines into shells without a hook, such as one at the other end of ssh.
extension HolderLoop {
    /// Queues a line; returns false if the session's own shell can run it.
    func assume(_ execution: SessionFrame.Execution, for client: HolderClient) throws(VTError) -> Bool {
        if let known = assumed.adopt(execution.token, by: client) {
            client.answer(.queued(request: known.id))
            for mark in known.marks { client.answer(.mark(mark)) }
            return true
        }
        checkForeground()
        guard let kind = execution.assumedShell, shell?.currentStatus.state != .prompt else { return false }
        guard terminal != nil, ending.status == nil else { throw Self.endError }
        guard !execution.isRepeated else { throw forgotten }
        guard assumed.hasRoom(waits: execution.waits) else {
            let hint =
                "to wait for it, use --wait; if its end has been lost, use 'vt sessions send \(record.name) --key C-c'"
            throw VTError(.busy, "another line is running in the shell of '\(record.name)'", hint: hint)
        }
        client.answer(.queued(request: assumed.add(execution, kind, from: client).id))
        typeLine()
        return true
    }

    /// Types the next line, if no other is running.
    private func typeLine() {
        while let request = assumed.next() {
            scanner.once = request.once
            let keys = request.keys
            guard isLineTooLong(keys) else {
                answers += keys
                return updateLine(keys)
            }
            let limit = TerminalControl.canonicalLineLimitBytes
            let error = VTError(
                .dataInvalid,
                "the line is too long to be typed: encoded, it has \(keys.count - 2) bytes, and in canonical mode the "
                    + "terminal accepts \(limit)"
            )
            request.client?.answer(.failure(error))
            _ = assumed.end(.unknown, at: log.end)
        }
    }

    /// Applies a mark of a typed line, which is not part of the output.
    func applyAssumedMark(_ payload: String) {
        let client = assumed.current?.client
        guard let mark = assumed.apply(payload, at: log.end) else { return }
        if case .command = mark.kind { sent = SentInput(at: mark.offset...mark.offset) }
        client?.answer(.mark(mark))
        if assumed.current == nil { typeLine() }
    }

    /// Ends the typed line, whose end will not be reported.
    func endAssumed() {
        let client = assumed.current?.client
        guard let mark = assumed.end(.unknown, at: log.end) else { return }
        client?.answer(.mark(mark))
        typeLine()
    }

    /// Withdraws a client's line; one that has been typed ends.
    func withdrawAssumed(of client: HolderClient) {
        if assumed.withdraw(from: client) {
            client.answer(.failure(VTError(.busy, "another line is running in the shell of '\(record.name)'")))
        } else if let current = assumed.current, current.client === client {
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
