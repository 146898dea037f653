import Core
import System
import Terminal

/// Sends output to clients.
extension HolderLoop {
    /// How far an interactive client may fall behind before output is skipped.
    static let lagLimitBytes: UInt64 = 8 << 20
    /// The maximum output in one frame.
    private static let frameBytes = 64 << 10
    /// The number of frames sent to a client before the next client is served.
    private static let framesAtOnce = 8
    /// The amount of output to process for the screen before serving clients again; takes a few milliseconds.
    private static let screenStepBytes: UInt64 = 256 << 10
    /// The amount of output that may remain unprocessed while no screen is needed.
    private static let screenLagBytes: UInt64 = 64 << 10

    /// Whether there is output, a screen or a size to send to an attached client that has received all earlier data.
    func isPumpable(_ client: HolderClient) -> Bool {
        guard client.attachment != nil, !client.isGone, !client.isEnding, !client.hasUnsent else { return false }
        return client.needsScreen || client.newSize != nil || client.next < log.end
    }

    /// Sends as much pending data to a client as its socket accepts.
    func pump(_ client: HolderClient) {
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

    /// Whether a client that attaches now would have to wait for the screen: too much output is unprocessed.
    var isScreenBehind: Bool { log.keptEnd - screenPosition > Self.screenLagBytes }

    /// Processes more output if a client is waiting for the screen, the program is waiting for a reply, or there is
    /// nothing else to do.
    ///
    /// Clients that have not received all data sent so far do not count, so that they cannot slow down the program.
    func prepareScreens() {
        guard screenPosition < log.keptEnd else { return }
        let isWanted = isQueried || clients.contains { $0.needsScreen && !$0.hasUnsent && !$0.isGone }
        guard isWanted || (isScreenBehind && isIdle) else { return }
        let target = min(log.keptEnd, max(screenPosition, log.first) + Self.screenStepBytes)
        do throws(VTError) {
            try screens.follow(try openLog(), end: target, size: record.size)
        } catch {
            // The screen then lacks the output that could not be read.
        }
        screenPosition = target
        queueAnswers()
        followedAt = HolderClock.now()
        if !isWanted, target == log.keptEnd { LinuxProcess.returnMemory() }
    }

    /// Sends a client the screen once all output is processed; returns false until then.
    private func showScreen(_ client: HolderClient) -> Bool {
        guard screenPosition == log.keptEnd else { return false }
        var bytes: [UInt8] = []
        do throws(VTError) {
            bytes = try screens.screen(of: try openLog(), end: log.keptEnd, size: record.size)
        } catch {
            // An empty screen followed by all further output is better than no answer.
        }
        if bytes.count > SessionFrame.screenLimitBytes { bytes = [] }
        client.answer(.screen(offset: log.end, bytes: bytes))
        client.next = log.end
        client.needsScreen = false
        return true
    }

    func openLog() throws(VTError) -> FileSessionLog {
        try FileSessionLog(files, of: record.name, limitBytes: log.limitBytes, recordedFirst: log.first)
    }
}
