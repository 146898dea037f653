import Core
import Glibc
import System

/// Handles the end of the session.
extension HolderLoop {
    /// What is known about the end of the session; times are in microseconds since boot.
    struct Ending {
        /// How the program ended; nil while it is running.
        var status: ExitStatus?
        /// When the end of the program was detected.
        var endedAt: Int64 = 0
        /// When the terminal last produced output after the program ended.
        var lastOutputAt: Int64 = 0
        /// Whether the end has been written to the session's record.
        var isRecorded = false
        var recordedAt: Int64 = 0
        /// Answers to clients that requested or wait for the end; sent only once it is recorded, so that clients can read the
        /// record.
        var answers: [(client: HolderClient, frame: SessionFrame)] = []
        /// When a client last received data, or output was last processed for the screen.
        var progressAt: Int64 = 0
        /// The total number of bytes sent to clients and processed for the screen.
        var progress: UInt64 = 0
        /// Whether the process can exit.
        var isComplete = false

        /// How long a terminal that background programs keep open must be quiet before the end is recorded.
        private static let quiet: Int64 = 100_000
        /// The maximum time to wait for the terminal to become quiet.
        private static let drainLimit: Int64 = 2_000_000
        /// How long to wait for clients that have stopped reading the remaining output, which is also in the log.
        private static let announceQuiet: Int64 = 2_000_000
        /// The maximum time to wait for clients to read all remaining output.
        private static let announceLimit: Int64 = 10_000_000
        /// How long to wait for clients that have stopped reading if the log is removed afterward.
        private static let removalQuiet: Int64 = 60_000_000
        /// How long clients that have not attached may still send requests after the end is recorded.
        private static let requestTimeout: Int64 = 100_000

        /// When no more output is expected from the terminal.
        var drainEnd: Int64 { min(max(endedAt, lastOutputAt) + Self.quiet, endedAt + Self.drainLimit) }
        /// When clients that have not attached can no longer send requests.
        var requestsEnd: Int64 { recordedAt + Self.requestTimeout }

        /// When the process stops waiting for attached clients; `isRemoved` means that it then removes the session.
        func announceEnd(isRemoved: Bool) -> Int64 {
            let lastProgress = max(recordedAt, progressAt)
            if isRemoved { return lastProgress + Self.removalQuiet }
            return min(recordedAt + Self.announceLimit, lastProgress + Self.announceQuiet)
        }
    }

    /// When to record the end, or to stop waiting for clients.
    var endingDeadline: Int64 {
        guard ending.status != nil else { return .max }
        guard ending.isRecorded else { return life.killing == nil ? ending.drainEnd : .max }
        let requestsEnd = ending.requestsEnd
        return HolderClock.now() < requestsEnd ? requestsEnd : ending.announceEnd(isRemoved: isRemovedAtEnd)
    }

    func stepEnding() {
        guard let status = ending.status else { return }
        if !ending.isRecorded, life.killing == nil { finish(status) }
        if ending.isRecorded { announce(status) }
    }

    /// Records how the program ended, once all its output is logged.
    private func finish(_ status: ExitStatus) {
        // Wait until all output has been read or, if background programs keep the terminal open, until it is quiet.
        readTerminal()
        guard terminal.master == nil || HolderClock.now() >= ending.drainEnd else { return }
        terminal.master = nil
        life.group?.remove()
        passPending()
        // Only now is it known that the shell has not taken them.
        for client in shell.tracker?.removeWaiting() ?? [] { client.answer(Self.hasEnded) }
        Fault.point(.endDrained)
        log.events.exit(status)
        Fault.point(.endNoted)
        log.synchronize()
        Fault.point(.endSynchronized)
        record.state = .exited
        record.exit = status
        record.clients = nil
        record.sentText = shownInput()
        record.shell?.state = .unknown
        record.firstOffset = log.first
        record.logStoppedAt = log.stoppedAt
        saveRecord(isDurable: true)
        files.finishRecord()
        files.removePause()
        ending.isRecorded = true
        ending.recordedAt = HolderClock.now()
        Fault.point(.endRecorded)
        for (client, answer) in ending.answers { client.answer(answer) }
        ending.answers = []
        unsafe unlink(files.socket)
        acceptClients()
        clients.listener = nil
        Fault.point(.endUnlinked)
    }

    /// The last input from a command, if the output shows it and therefore also discloses it.
    private func shownInput() -> String? {
        let start = max(sent.offsets.lowerBound, log.first)
        guard !sent.bytes.isEmpty, start < log.keptEnd else { return nil }
        let end = min(log.keptEnd, start + UInt64(4 * sent.bytes.count + Self.bufferBytes))
        return sent.isShown(by: output(from: start, upTo: end)) ? String(decoding: sent.bytes, as: UTF8.self) : nil
    }

    /// Sends the exit status to attached clients that have received all output; determines whether the holder can exit.
    private func announce(_ status: ExitStatus) {
        let now = HolderClock.now()
        for client in clients.all where client.attachment != nil && !client.isEnding && !isPumpable(client) {
            guard !client.hasUnsent else { continue }
            client.end(with: .exit(status, offset: log.end))
            _ = client.flush()
        }
        clients.all.removeAll(where: \.isGone)
        let progress = clients.all.reduce(screen.position) { $0 &+ $1.sentBytes }
        if progress != ending.progress { (ending.progress, ending.progressAt) = (progress, now) }
        let hasReaders = clients.all.contains { $0.attachment != nil || now < ending.requestsEnd }
        ending.isComplete = !hasReaders || now >= ending.announceEnd(isRemoved: isRemovedAtEnd)
    }

    /// Whether the session is removed once it has ended and no client is attached.
    private var isRemovedAtEnd: Bool { record.keepFor == .zero }

    /// Removes the session unless it is to be kept; the lock is held until the process exits.
    func removeIfExpired() {
        guard isRemovedAtEnd, ending.isRecorded else { return }
        // On failure, the session is removed by a later command.
        let directory = directory
        try? directory.names.release(record.name, of: record.id)
        try? directory.removeFiles(of: record.id)
    }
}
