import Core
import POSIX

/// Output on its way to the clients.
extension HolderLoop {
    /// How far an interactive client may lag behind.
    static let lagLimitBytes: UInt64 = 8 << 20
    /// The most output in one frame.
    private static let frameBytes = 64 << 10
    /// How many frames a client gets before it is the turn of others.
    private static let framesAtOnce = 8
    /// How much output is made into a screen before it is the turn of others: some milliseconds.
    private static let screenStepBytes: UInt64 = 256 << 10
    /// How much output may wait until somebody wants to see the screen.
    private static let screenLagBytes: UInt64 = 64 << 10

    /// Whether something can be done for a client without waiting.
    func isPumpable(_ client: HolderClient) -> Bool {
        guard client.attachment != nil, !client.isGone, !client.isEnding, !client.hasUnsent else { return false }
        return client.needsScreen || client.newSize != nil || client.next < log.end
    }

    /// Sends a client what it lacks, as far as it takes it.
    func pump(_ client: HolderClient) {
        for _ in 0..<Self.framesAtOnce {
            guard client.flush(), client.attachment != nil, !client.isEnding else { return }
            if let size = client.newSize {
                client.newSize = nil
                client.answer(.resized(columns: UInt16(size.columns), rows: UInt16(size.rows)))
                continue
            }
            skipWhatIsGone(client)
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

    /// Tells a client of output that it will not get.
    private func skipWhatIsGone(_ client: HolderClient) {
        var target = client.next
        if client.next < log.first { target = log.first }
        // Behind the end of a log that stopped there is only what comes now.
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
            // The disk does not give what it took.
            let error = VTError(.io, "cannot read the output of the session")
            client.end(with: Self.failure(error))
            return client.flush()
        }
        client.next += UInt64(count)
        return client.sendOutput(frame)
    }

    // MARK: - Screens

    /// Whether much output has not been followed yet, so that whoever attaches would wait for it.
    var isScreenBehind: Bool { log.keptEnd - screenPosition > Self.screenLagBytes }

    /// Follows the output a step further if somebody waits for the screen, the program for an answer, or there is nothing
    /// else to do.
    ///
    /// A client that does not take what it was sent waits for nothing, so that it cannot slow down the program.
    func prepareScreens() {
        guard screenPosition < log.keptEnd else { return }
        let isWanted = isQueried || clients.contains { $0.needsScreen && !$0.hasUnsent && !$0.isGone }
        guard isWanted || (isScreenBehind && isIdle) else { return }
        let target = min(log.keptEnd, max(screenPosition, log.first) + Self.screenStepBytes)
        do throws(VTError) {
            try screens.follow(try openLog(), end: target, size: record.size)
        } catch {
            // The screen then lacks what could not be read.
        }
        screenPosition = target
        takeAnswers()
        followedAt = HolderClock.now()
        if !isWanted, target == log.keptEnd { LinuxProcess.returnMemory() }
    }

    /// Shows a client the screen, once it is made of all output; returns false before that.
    private func showScreen(_ client: HolderClient) -> Bool {
        guard screenPosition == log.keptEnd else { return false }
        var bytes: [UInt8] = []
        do throws(VTError) {
            bytes = try screens.screen(of: try openLog(), end: log.keptEnd, size: record.size)
        } catch {
            // An empty screen and all that follows is better than no answer.
        }
        if bytes.count > SessionFrame.screenLimitBytes { bytes = [] }
        client.answer(.screen(offset: log.end, bytes: bytes))
        client.next = log.end
        client.needsScreen = false
        return true
    }

    func openLog() throws(VTError) -> FileSessionLog {
        try FileSessionLog(files, limitBytes: log.limitBytes, recordedFirst: log.first)
    }
}
