import Core
import Glibc
import System

/// Reads from and writes to the terminal.
extension HolderLoop {
    /// How long the slave side may stay closed before the holder reopens it, in microseconds.
    ///
    /// The delay is needed because the slave side of an exiting program closes shortly before its exit is reported.
    static let hangUpDelay: Int64 = 5_000

    /// Whether to poll the terminal; false while the slave side is closed, because `poll` would then never wait.
    var isTerminalReadable: Bool { hungUpAt == nil }

    /// Reads output up to the batch size, logs it and sends it to clients.
    func readTerminal() {
        guard let number = terminal?.number else { return }
        keepOpenAgain()
        guard isTerminalReadable || ending.status != nil else { return }
        // The start of a mark is scanned again with what follows it.
        let pending = scanner.pending
        batch.replaceSubrange(..<pending.count, with: pending)
        var count = pending.count
        var failure: CInt = 0
        unsafe batch.withUnsafeMutableBytes { buffer in
            while count < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let result = unsafe read(number, rest.baseAddress, rest.count)
                if result > 0 {
                    count += result
                } else if result == 0 || errno != EINTR {
                    failure = result == 0 ? EIO : errno
                    break
                }
            }
        }
        if count > pending.count { pass(count) }
        if failure != 0 && failure != EAGAIN { hangUp() }
    }

    /// Passes on the batch, and applies the marks of the shell in it.
    private func pass(_ count: Int) {
        unsafe batch.withUnsafeBytes { buffer in
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            for item in unsafe scanner.scan(bytes) {
                switch item {
                case .output(let range): unsafe passOutput(UnsafeRawBufferPointer(rebasing: bytes[range]))
                case .mark(let payload): applyMark(payload)
                case .assumedMark(let payload): applyAssumedMark(payload)
                }
            }
        }
        if ending.status != nil { ending.lastOutputAt = HolderClock.now() }
    }

    /// Writes output to the log, and sends it to clients that have all previous output.
    func passOutput(_ bytes: UnsafeRawBufferPointer) {
        let start = log.end
        unsafe log.append(bytes)
        unsafe scanQueries(bytes, at: start)
        for client in clients where client.attachment != nil && client.next == start && !client.isGone {
            guard !client.needsScreen, !client.hasUnsent, client.newSize == nil, !client.isEnding else { continue }
            unsafe client.sendOutput(at: start, bytes)
            client.next = log.end
        }
    }

    /// Handles the closing of the slave side; if the program has ended, the terminal is closed for good.
    private func hangUp() {
        if ending.status != nil {
            terminal = nil
        } else if hungUpAt == nil {
            hungUpAt = HolderClock.now()
        }
    }

    /// Opens the slave side, so that a running program that closed its terminal can open it again.
    private func keepOpenAgain() {
        guard let hungUpAt, let number = terminal?.number, ending.status == nil,
            HolderClock.now() - hungUpAt >= Self.hangUpDelay
        else { return }
        // On failure, try again after the same delay.
        guard let slave = try? TerminalControl.openSlave(of: number) else {
            self.hungUpAt = HolderClock.now()
            return
        }
        spareSlave = consume slave
        self.hungUpAt = nil
    }

    // MARK: - Input

    /// Queues input for the terminal; returns false if there is no room.
    func queueInput(_ sequence: UInt64, _ bytes: [UInt8], from client: HolderClient) -> Bool {
        guard input.hasRoom(for: bytes.count, of: client) else { return false }
        updateLine(bytes)
        var job = InputQueue.Job(client: client, token: client.attachment?.token, sequence: sequence, bytes: bytes)
        if let id = client.requestID {
            (job.token, job.isIdentified) = (id, true)
            client.requestID = nil
        }
        input.add(job)
        return true
    }

    /// Whether the terminal would drop some of these bytes, because they make a line too long for canonical mode.
    func isLineTooLong(_ bytes: [UInt8]) -> Bool {
        guard let number = terminal?.number, let editing = TerminalControl.lineEditing(number) else { return false }
        var line = line
        return !line.add(bytes, editing)
    }

    func updateLine(_ bytes: [UInt8]) {
        guard let number = terminal?.number, let editing = TerminalControl.lineEditing(number) else {
            line.removeAll()
            return
        }
        _ = line.add(bytes, editing)
    }

    /// Writes as much input to the terminal as it accepts, and queues input that waited for room.
    func moveInput() {
        repeat { writeInput() } while resumeInput()
    }

    private func writeInput() {
        guard writeAnswers(), inputHeldUntil == nil else { return }
        while let job = input.jobs.first {
            if job.offset == nil {
                // First log all output that the program wrote before it could read this input.
                readTerminal()
                guard !input.isEmpty else { return }
                guard beginRequest(of: job) else { continue }
                let end = log.end
                input.updateFirst { $0.offset = end }
                recordSent(job, at: end)
            }
            guard let number = terminal?.number else { return }
            if job.written == 0, TerminalControl.hidesInput(number) { input.updateFirst { $0.isHidden = true } }
            let wasEchoed = record.logsInput && TerminalControl.echoes(number)
            let result = unsafe job.bytes[job.written...].withUnsafeBytes { rest in
                unsafe write(number, rest.baseAddress, rest.count)
            }
            if result < 0 && errno == EINTR { continue }
            // EAGAIN: the terminal's buffer is full. Any other failure: the terminal is about to close, which is
            // handled elsewhere.
            guard result >= 0 else { return }
            input.updateFirst { $0.written += result }
            inputWasWritten()
            assumed.checkForInterrupt(job.bytes)
            // Check again, because the program may have disabled echo in the meantime.
            if wasEchoed && TerminalControl.echoes(number) {
                log.events.input(typed: job.bytes[job.written...].prefix(result))
            } else {
                log.events.input(count: result)
            }
            guard job.written + result == job.bytes.count else { continue }
            let done = input.removeFirst()
            Fault.point(.requestWritten)
            if done.isIdentified, let id = done.token { requests.end(id, .done) }
            let offset = done.offset ?? log.end
            done.client.answer(.accepted(sequence: done.sequence, offset: offset, isHidden: done.isHidden))
            guard writeAnswers() else { return }
        }
    }

    /// Records this input, and where the output ended before it, if it was sent by a command rather than an attached
    /// client.
    private func recordSent(_ job: InputQueue.Job, at offset: UInt64) {
        guard job.client.attachment == nil else { return }
        let isHidden = (terminal?.number).map { TerminalControl.hidesInput($0) } ?? false
        let bytes = isHidden ? [] : job.bytes
        // Long input arrives in several parts; only the first one is recorded.
        if job.sequence <= 1 { sent.add(bytes, at: offset) } else { sent.append(bytes) }
    }

    /// Rejects input that the terminal will no longer accept.
    func refuseInput() {
        answers = []
        while !input.isEmpty {
            let job = input.removeFirst()
            job.client.answer(Self.hasEnded)
        }
        for client in clients where client.stalledInput != nil {
            client.stalledInput = nil
            client.answer(Self.hasEnded)
        }
    }

    static let endError = VTError(.negative, "the program of the session has ended")
    static let hasEnded = SessionFrame.failure(endError)
}
