import Core
import Glibc
import POSIX

/// The terminal: what the program writes, and what it is given to read.
extension HolderLoop {
    /// How long the program may have the terminal closed before we keep it open, in microseconds; when it ends, the
    /// terminal is closed a moment before that is told.
    static let hangUpPatience: Int64 = 5_000

    /// A terminal that nobody has open at the other side would always count as readable.
    var isTerminalReadable: Bool { hungUpAt == nil }

    /// Reads what the program wrote, up to the size of a batch, and passes it on.
    func readTerminal() {
        guard let number = terminal?.number else { return }
        keepOpenAgain()
        guard isTerminalReadable || ending.status != nil else { return }
        var count = 0
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
        if count > 0 { pass(count) }
        if failure != 0 && failure != EAGAIN { hangUp() }
    }

    /// Writes the batch to the log, and sends it to those who have all before it.
    private func pass(_ count: Int) {
        let start = log.end
        unsafe batch.withUnsafeBytes { buffer in
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            unsafe log.append(bytes)
            unsafe noteQueries(bytes, at: start)
            for client in clients where client.attachment != nil && client.next == start && !client.isGone {
                guard !client.needsScreen, !client.hasUnsent, client.newSize == nil, !client.isEnding else { continue }
                unsafe client.sendOutput(at: start, bytes)
                client.next = log.end
            }
        }
        if ending.status != nil { ending.heardAt = HolderClock.now() }
    }

    /// Nobody has the other side open: for good if the program has ended.
    private func hangUp() {
        if ending.status != nil {
            terminal = nil
        } else if hungUpAt == nil {
            hungUpAt = HolderClock.now()
        }
    }

    /// Opens the other side ourselves, so that a program that closed its terminal, and lives, can open it again.
    private func keepOpenAgain() {
        guard let hungUpAt, let number = terminal?.number, ending.status == nil,
            HolderClock.now() - hungUpAt >= Self.hangUpPatience
        else { return }
        // Without it the terminal is looked at again after the same time.
        guard let slave = try? TerminalControl.openSlave(of: number) else {
            self.hungUpAt = HolderClock.now()
            return
        }
        spareSlave = consume slave
        self.hungUpAt = nil
    }

    // MARK: - Input

    /// Takes input for the terminal; returns false when there is no room for it now.
    func takeInput(_ sequence: UInt64, _ bytes: [UInt8], from client: HolderClient) -> Bool {
        guard input.hasRoom(for: bytes.count, of: client) else { return false }
        noteLine(bytes)
        let token = client.attachment?.token
        input.add(InputQueue.Job(client: client, token: token, sequence: sequence, bytes: bytes))
        return true
    }

    /// Whether the terminal would drop a part of these bytes, as it collects lines and one is too long.
    func isLineTooLong(_ bytes: [UInt8]) -> Bool {
        guard let number = terminal?.number, let editing = TerminalControl.lineEditing(number) else { return false }
        var line = line
        return !line.add(bytes, editing)
    }

    func noteLine(_ bytes: [UInt8]) {
        guard let number = terminal?.number, let editing = TerminalControl.lineEditing(number) else {
            line.removeAll()
            return
        }
        _ = line.add(bytes, editing)
    }

    /// Gives the terminal as much input as it takes, and takes what waited for room.
    func moveInput() {
        repeat { writeInput() } while resumeInput()
    }

    private func writeInput() {
        guard writeAnswers() else { return }
        while let job = input.jobs.first {
            if job.offset == nil {
                // What the program wrote before it can have seen the input belongs before it.
                readTerminal()
                guard !input.isEmpty else { return }
                let end = log.end
                input.updateFirst { $0.offset = end }
                noteSent(job, at: end)
            }
            guard let number = terminal?.number else { return }
            let wasEchoed = record.logsInput && TerminalControl.echoes(number)
            let result = unsafe job.bytes[job.written...].withUnsafeBytes { rest in
                unsafe write(number, rest.baseAddress, rest.count)
            }
            if result < 0 && errno == EINTR { continue }
            // EAGAIN: the terminal is full. Any other failure: it is about to close, and that is told then.
            guard result >= 0 else { return }
            input.updateFirst { $0.written += result }
            // Looked at twice, as the program may have turned the echo off in between.
            if wasEchoed && TerminalControl.echoes(number) {
                log.events.input(typed: job.bytes[job.written...].prefix(result))
            } else {
                log.events.input(count: result)
            }
            guard job.written + result == job.bytes.count else { continue }
            let done = input.removeFirst()
            done.client.answer(.accepted(sequence: done.sequence, offset: done.offset ?? log.end))
            guard writeAnswers() else { return }
        }
    }

    /// Notes where the output stands before input that was sent, rather than typed by somebody who is attached.
    private func noteSent(_ job: InputQueue.Job, at offset: UInt64) {
        // What is long comes in several parts.
        guard job.client.attachment == nil, job.sequence <= 1 else { return }
        record.sentOffset = offset
        isRecordStale = true
    }

    /// Tells those whose input the terminal will not take any more.
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

    static let hasEnded = SessionFrame.failure(
        code: VTError.Code.notFound.rawValue,
        message: "the program of the session has ended",
        hint: ""
    )
}
