import Core
import Glibc
import System

/// Reads from and writes to the terminal.
extension HolderLoop {
    /// The program's terminal, and what is to be written to it.
    struct Terminal: ~Copyable {
        /// The master side; nil once all output has been read.
        var master: FileDescriptor?
        /// The slave side, opened once the program has closed it, because the master cannot be polled otherwise.
        var spareSlave: FileDescriptor?
        /// When to open the slave side, because the last process has closed it; `.max` if it is open.
        var reopensAt = Int64.max
        var scanner: MarkScanner
        var input = InputQueue()
        /// When a command's input or a signal was last written, and where the output ended then; nil once the program has
        /// read the input, or is known to have handled the signal.
        var awaited: (writtenAt: Int64, end: UInt64, isSignal: Bool)?
        /// The last input from a command.
        var sent: SentInput
        /// Replies to queries and keys for the hook, still to be written; the first may already be partly written.
        var answers: [UInt8] = []
        /// The unfinished input line of a terminal in canonical mode.
        var line = InputLine()

        /// `token` is that of the hook's marks.
        init(_ master: consuming FileDescriptor, _ token: String?, sentAt offset: UInt64) {
            scanner = MarkScanner(token: token)
            sent = SentInput(at: offset...offset)
            open(master)
        }

        mutating func open(_ master: consuming FileDescriptor) {
            _ = fcntl(master.number, F_SETFL, O_RDWR | O_NONBLOCK)
            self.master = consume master
        }

        /// Closes both sides, and drops what has not been written to them.
        mutating func close() {
            master = nil
            spareSlave = nil
            (reopensAt, answers) = (.max, [])
            line.removeAll()
        }

        var number: CInt? {
            switch master {
            case let master?: master.number
            case nil: nil
            }
        }
        /// Whether to poll it; false while the slave side is closed, because `poll` would then never wait.
        var isReadable: Bool { reopensAt == .max }

        /// How its line editing is set; nil unless it is in canonical mode.
        private var editing: LineEditing? { number.flatMap { TerminalControl.lineEditing($0) } }

        /// Whether it would drop some of these bytes, because they make a line too long for canonical mode.
        func isLineTooLong(_ bytes: [UInt8]) -> Bool {
            guard let editing else { return false }
            var line = line
            return !line.add(bytes, editing)
        }

        /// Notes bytes that are going to be written.
        mutating func updateLine(_ bytes: [UInt8]) {
            if let editing { _ = line.add(bytes, editing) } else { line.removeAll() }
        }

        /// Queues bytes that precede clients' input.
        mutating func queueFirst(_ bytes: [UInt8]) {
            answers += bytes
            updateLine(bytes)
        }

        /// Writes these bytes, but never within a client's input; returns whether input can follow.
        mutating func writeAnswers() -> Bool {
            guard !answers.isEmpty, input.jobs.first?.written ?? 0 == 0 else { return true }
            guard let number else { return false }
            let result = unsafe answers.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
            if result > 0 { answers.removeFirst(result) }
            return answers.isEmpty
        }
    }

    /// How long the slave side may stay closed before the holder reopens it, in microseconds.
    ///
    /// The delay is needed because the slave side of an exiting program closes shortly before its exit is reported.
    private static let hangUpDelay: Int64 = 5_000

    /// When to open the slave side, to write input that is held, or to pass on what could have been a mark.
    var terminalDeadline: Int64 {
        let heldUntil = terminal.input.isEmpty ? nil : inputHeldUntil
        return min(terminal.reopensAt, heldUntil ?? .max, terminal.scanner.isDoubtful ? activity.idleAt : .max)
    }

    func stepTerminal() {
        readTerminal()
        // Nothing has followed what could have been the start of a mark.
        if terminal.scanner.isDoubtful, activity.isIdle { passPending() }
    }

    /// Reads output up to the size of the buffer, logs it and sends it to clients.
    func readTerminal() {
        guard let number = terminal.number else { return }
        reopenSlave(of: number)
        guard terminal.isReadable || ending.status != nil else { return }
        // The start of a mark is scanned again with what follows it.
        let pending = terminal.scanner.pending
        buffer.replaceSubrange(..<pending.count, with: pending)
        var count = pending.count
        var failure: CInt = 0
        unsafe buffer.withUnsafeMutableBytes { buffer in
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

    /// Passes on what the buffer contains, and applies the marks of the shell in it.
    private func pass(_ count: Int) {
        unsafe buffer.withUnsafeBytes { buffer in
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            for item in unsafe terminal.scanner.scan(bytes) {
                switch item {
                case .output(let range): unsafe passOutput(UnsafeRawBufferPointer(rebasing: bytes[range]))
                case .mark(let payload): applyMark(payload)
                case .assumedMark(let payload): applyAssumedMark(payload)
                }
            }
        }
        if ending.status != nil { ending.lastOutputAt = HolderClock.now() }
    }

    /// Passes on all pending bytes.
    func passPending() {
        let bytes = terminal.scanner.release()
        guard !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBytes { unsafe passOutput($0) }
    }

    /// Writes output to the log, and sends it to clients that have all previous output.
    func passOutput(_ bytes: UnsafeRawBufferPointer) {
        let start = log.end
        unsafe log.append(bytes)
        unsafe screen.scanQueries(bytes, at: start)
        for client in clients.all where client.attachment != nil && client.next == start && !client.isGone {
            guard !client.needsScreen, !client.hasUnsent, client.newSize == nil, !client.isEnding else { continue }
            unsafe client.sendOutput(at: start, bytes)
            client.next = log.end
        }
    }

    /// Handles the closing of the slave side; if the program has ended, the terminal is closed for good.
    private func hangUp() {
        if ending.status != nil {
            terminal.master = nil
        } else if terminal.reopensAt == .max {
            terminal.reopensAt = HolderClock.now() + Self.hangUpDelay
        }
    }

    /// Opens the slave side, so that a running program that closed its terminal can open it again.
    private func reopenSlave(of number: CInt) {
        guard ending.status == nil, terminal.reopensAt < .max, HolderClock.now() >= terminal.reopensAt else { return }
        // On failure, try again after the same delay.
        guard let slave = try? TerminalControl.openSlave(of: number) else {
            terminal.reopensAt = HolderClock.now() + Self.hangUpDelay
            return
        }
        terminal.spareSlave = consume slave
        terminal.reopensAt = .max
    }

    // MARK: - Input

    /// The last input from a command; `record.sentOffset` is its offset.
    var sent: SentInput {
        get { terminal.sent }
        set {
            terminal.sent = newValue
            (record.sentOffset, unsaved.hasChanges) = (newValue.offsets.upperBound, true)
        }
    }

    /// Queues input for the terminal; returns false if there is no room.
    func queueInput(_ sequence: UInt64, _ bytes: [UInt8], from client: HolderClient) -> Bool {
        guard terminal.input.hasRoom(for: bytes.count, of: client) else { return false }
        if terminal.awaited != nil { restartLooks() }
        terminal.updateLine(bytes)
        let id = client.requestID.take()
        terminal.input.add(
            InputQueue.Job(
                client: client,
                token: id ?? client.attachment?.token,
                isIdentified: id != nil,
                sequence: sequence,
                bytes: bytes
            )
        )
        return true
    }

    /// Answers input that was received before, or assigns it to the client if it is still queued; returns false for new
    /// input.
    func adoptInput(_ sequence: UInt64, by client: HolderClient) -> Bool {
        guard let id = client.requestID else { return false }
        if !terminal.input.adopt(sequence, of: id, by: client) {
            switch requests.state(of: id) {
            case .unseen: return false
            case .done: client.answer(.accepted(sequence: sequence, offset: log.end))
            case .begun: client.answer(.failure(forgotten))
            }
        }
        client.requestID = nil
        return true
    }

    /// Writes as much input to the terminal as it accepts, and queues input that waited for room.
    func moveInput() {
        repeat { writeInput() } while resumeInput()
    }

    /// How much input is written at once; terminals accept little more, and what they do not is examined again.
    private static let writeBytes = 16 << 10

    private func writeInput() {
        guard terminal.writeAnswers() else { return }
        while inputHeldUntil == nil, let job = terminal.input.jobs.first {
            if job.offset == nil {
                // First log all output that the program wrote before it could read this input.
                readTerminal()
                guard !terminal.input.isEmpty else { return }
                guard beginRequest(of: job) else { continue }
                terminal.input.jobs[0].offset = log.end
                recordSent(job, at: log.end)
            }
            guard let number = terminal.number else { return }
            if job.written == 0, TerminalControl.hidesInput(number) { terminal.input.jobs[0].isHidden = true }
            let wasEchoed = record.logsInput && TerminalControl.echoes(number)
            let signals = TerminalControl.signalBytes(number)
            let rest = job.bytes[job.written...].prefix(Self.writeBytes)
            let next = rest.indices.first { needsReader(before: $0, of: job, signals) }
            let part = next == rest.startIndex ? rest.prefix(1) : rest[..<(next ?? rest.endIndex)]
            let result = unsafe part.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
            if result < 0 && errno == EINTR { continue }
            // EAGAIN: the terminal's buffer is full. Any other failure: the terminal is about to close, which is
            // handled elsewhere.
            guard result >= 0 else { return }
            terminal.input.jobs[0].written += result
            inputWasWritten(part.prefix(result))
            let isSignal = part.first.map(signals.contains) ?? false
            if isSignal || job.client.attachment == nil {
                terminal.awaited = (HolderClock.now(), log.end, isSignal)
            }
            // Check again, because the program may have disabled echo in the meantime.
            if wasEchoed && TerminalControl.echoes(number) {
                log.events.input(typed: part.prefix(result))
            } else {
                log.events.input(count: result)
            }
            guard job.written + result == job.bytes.count else { continue }
            let done = terminal.input.removeFirst()
            Fault.point(.requestWritten)
            if done.isIdentified, let id = done.token { requests.end(id, .done) }
            let offset = done.offset ?? log.end
            done.client.answer(.accepted(sequence: done.sequence, offset: offset, isHidden: done.isHidden))
            guard terminal.writeAnswers() else { return }
        }
    }

    /// Whether the program has to read what precedes a byte of the input before it is written: for a signal, the terminal
    /// discards the rest, and an editor that handles ^C as a key may read it together with the line that starts a program.
    func needsReader(before index: Int, of job: InputQueue.Job, _ signals: [UInt8]) -> Bool {
        let byte = job.bytes[index]
        if signals.contains(byte) { return true }
        // In binary data, it is rarely a key.
        guard Self.signalKeys.contains(byte), job.bytes.count <= Self.writeBytes, index > 0 else { return false }
        return job.bytes[index - 1] == UInt8(ascii: "\r")
    }

    /// ^C, ^Z and ^\.
    private static let signalKeys: [UInt8] = [0x03, 0x1A, 0x1C]

    /// Records that input is about to be written; if that fails, removes the input, and returns false.
    private func beginRequest(of job: InputQueue.Job) -> Bool {
        guard job.isIdentified, let id = job.token else { return true }
        do throws(VTError) {
            try requests.begin(id)
            Fault.point(.requestBegun)
            return true
        } catch {
            terminal.input.removeFirst().client.answer(.failure(error))
            return false
        }
    }

    /// Records this input, and where the output ended before it, if it was sent by a command rather than an attached
    /// client.
    private func recordSent(_ job: InputQueue.Job, at offset: UInt64) {
        guard job.client.attachment == nil else { return }
        var bytes = job.bytes
        if let number = terminal.number, TerminalControl.hidesInput(number) { bytes = [] }
        // Long input arrives in several parts; only the first one is recorded.
        var sent = terminal.sent
        if job.sequence <= 1 { sent.add(bytes, at: offset) } else { sent.append(bytes) }
        self.sent = sent
    }

    /// Rejects input that the terminal will no longer accept.
    func refuseInput() {
        terminal.answers = []
        while !terminal.input.isEmpty { terminal.input.removeFirst().client.answer(Self.hasEnded) }
        for client in clients.all where client.stalledInput != nil {
            client.stalledInput = nil
            client.answer(Self.hasEnded)
        }
    }

    static let endError = VTError(.ended, "the program of the session has ended")
    static let hasEnded = SessionFrame.failure(endError)
    /// The error for a request that may have had an effect, but whose outcome is not known.
    var forgotten: VTError {
        VTError(.protocolViolation, "the session no longer knows whether the line was run")
    }
}
