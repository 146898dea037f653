import Core
import System
import Terminal

/// Sends output to clients, and answers the program's terminal queries in place of their terminals.
extension HolderLoop {
    /// The session's screen, which follows the output when that is needed or there is time.
    struct Screen {
        let emulator = EmulatorScreen()
        /// The offset up to which the output has been processed.
        var position: UInt64 = 0
        /// Finds the program's queries in its output.
        private var queries = QueryScanner()
        /// The offset after the last query.
        var queryEnd: UInt64 = 0

        /// Scans newly logged output, which starts at `start`, for queries.
        mutating func scanQueries(_ bytes: UnsafeRawBufferPointer, at start: UInt64) {
            if let end = unsafe queries.scan(bytes) { queryEnd = start + UInt64(end) }
        }
    }

    /// How far an interactive client may fall behind before output is skipped.
    private static let lagLimitBytes: UInt64 = 8 << 20
    /// The maximum output in one frame.
    private static let frameBytes = 64 << 10
    /// The number of frames sent to a client before the next client is served.
    private static let framesAtOnce = 8
    /// The amount of output to process for the screen before serving clients again; takes a few milliseconds.
    private static let screenStepBytes: UInt64 = 256 << 10
    /// The amount of output that may remain unprocessed while no screen is needed.
    private static let screenLagBytes: UInt64 = 64 << 10
    /// The maximum size of replies that the program has not read; further replies are dropped.
    private static let answerLimitBytes = 16 << 10

    /// Sends pending data to clients, and forgets those that are gone.
    func sendPending() {
        for client in clients.all where !client.isGone { pump(client) }
        dropClients()
    }

    /// Whether there is output, a screen or a size to send to an attached client that has received all earlier data.
    func isPumpable(_ client: HolderClient) -> Bool {
        guard client.attachment != nil, !client.isGone, !client.isEnding, !client.hasUnsent else { return false }
        return client.needsScreen || client.newSize != nil || client.next < log.end
    }

    /// Sends as much pending data to a client as its socket accepts.
    private func pump(_ client: HolderClient) {
        for _ in 0..<Self.framesAtOnce {
            guard client.flush(), client.attachment != nil, !client.isEnding else { return }
            if let size = client.newSize {
                client.newSize = nil
                client.answer(.resized(size))
                continue
            }
            skipReleasedOutput(client)
            if client.hasUnsent { continue }
            if client.needsScreen {
                guard showScreen(client) else { return }
            } else if client.next < log.keptEnd {
                guard sendFrame(client) else { return }
            } else {
                return
            }
        }
    }

    /// Skips output that is no longer available, or that a slow client has fallen too far behind on; reports the gap.
    private func skipReleasedOutput(_ client: HolderClient) {
        var target = client.next
        if client.next < log.first { target = log.first }
        // Once the log has stopped, only new output is available.
        if client.next >= log.keptEnd { target = log.end }
        if client.isInteractive, log.end - client.next > Self.lagLimitBytes { target = log.end }
        guard target > client.next else { return }
        if !client.needsScreen || client.attachment?.from != nil {
            client.answer(.gap(from: client.next, to: target))
        }
        client.next = target
        client.needsScreen = client.isInteractive
    }

    private func sendFrame(_ client: HolderClient) -> Bool {
        let count = min(Self.frameBytes, Int(log.keptEnd - client.next))
        var frame = SessionFrame.outputHead(offset: client.next, count: count)
        let head = frame.count
        frame.reserveCapacity(head + count)
        let got = log.read(from: client.next, limit: count, into: &frame)
        guard got == count else {
            // Logged output could not be read from the disk.
            let error = VTError(.io, "cannot read the output of session '\(record.name)'")
            client.end(with: .failure(error))
            return client.flush()
        }
        client.next += UInt64(count)
        return client.sendOutput(frame)
    }

    // MARK: - Screens

    /// When to process output for the screen.
    var screenDeadline: Int64 { isQueried ? 0 : isScreenBehind ? activity.idleAt : .max }

    /// Whether there may be an unanswered query.
    private var isQueried: Bool { screen.position < min(screen.queryEnd, log.keptEnd) }

    /// Whether a client that attaches now would have to wait for the screen: too much output is unprocessed.
    private var isScreenBehind: Bool { log.keptEnd - screen.position > Self.screenLagBytes }

    /// Processes more output if a client is waiting for the screen, the program is waiting for a reply, or there is
    /// nothing else to do.
    ///
    /// Clients that have not received all data sent so far do not count, so that they cannot slow down the program.
    func stepScreen() {
        guard screen.position < log.keptEnd else { return }
        let isWanted = isQueried || clients.all.contains { $0.needsScreen && !$0.hasUnsent && !$0.isGone }
        guard isWanted || (isScreenBehind && activity.isIdle) else { return }
        let target = min(log.keptEnd, max(screen.position, log.first) + Self.screenStepBytes)
        do throws(VTError) {
            try screen.emulator.follow(try openLog(), end: target, size: record.size)
        } catch {
            // The screen then lacks the output that could not be read.
        }
        screen.position = target
        queueAnswers()
        activity.followedAt = HolderClock.now()
        if !isWanted, target == log.keptEnd { LinuxProcess.returnMemory() }
    }

    /// Sends a client the screen once all output is processed; returns false until then.
    private func showScreen(_ client: HolderClient) -> Bool {
        guard screen.position == log.keptEnd else { return false }
        var bytes: [UInt8] = []
        do throws(VTError) {
            bytes = try screen.emulator.screen(of: try openLog(), end: log.keptEnd, size: record.size)
        } catch {
            // An empty screen followed by all further output is better than no answer.
        }
        if bytes.count > SessionFrame.screenLimitBytes { bytes = [] }
        client.answer(.screen(offset: log.end, bytes: bytes))
        client.next = log.end
        client.needsScreen = false
        return true
    }

    private func openLog() throws(VTError) -> FileSessionLog {
        try FileSessionLog(files, of: record, first: log.first)
    }

    // MARK: - Replies

    /// Queues the emulator's replies to queries in the processed output.
    private func queueAnswers() {
        let new = screen.emulator.takeAnswers()
        guard !new.isEmpty, terminal.master != nil, ending.status == nil else { return }
        // If the replies do not all fit, drop all of them, so that none is truncated.
        guard terminal.answers.count + new.count <= Self.answerLimitBytes else { return }
        terminal.queueFirst(new)
    }

    /// Reports a new size to the emulator immediately, so that it sends the size report that the program may have
    /// requested (mode 2048).
    func reportSize() {
        // If output is unprocessed, the emulator receives the new size after that output.
        guard screen.position == log.keptEnd, screen.position > 0 else {
            screen.queryEnd = log.end
            return
        }
        // If the log cannot be opened, the report is omitted.
        try? screen.emulator.follow(try openLog(), end: screen.position, size: record.size)
        queueAnswers()
    }
}
