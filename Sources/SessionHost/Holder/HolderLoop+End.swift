import Core
import Glibc
import System

/// Handles the end of the program and of the session.
extension HolderLoop {
    func handleSignals() {
        while let signal = signals.next() {
            switch signal {
            case SIGCHLD: reap()
            // A TERM signal sent to the holder ends the session.
            case SIGTERM: kill(0, graceMilliseconds: 3000, for: nil)
            default: break
            }
        }
    }

    /// Reaps all children that have exited, the program and adopted orphans, and continues the program if it has
    /// stopped.
    private func reap() {
        var status: CInt = 0
        while true {
            let child = unsafe waitpid(-1, &status, WNOHANG | WUNTRACED)
            if child < 0 && errno == EINTR { continue }
            guard child > 0 else { return }
            if let signal = Self.stopSignal(status) {
                if child == record.program?.processID { programStopped(by: signal) }
                continue
            }
            killing?.checkSoon(now: HolderClock.now())
            guard child == record.program?.processID, ending.status == nil else { continue }
            if recordEndOfPausedShell(ExitStatus(waitStatus: status)) { continue }
            continueFrozen()
            Fault.point(.endReaped)
            ending.status = ExitStatus(waitStatus: status)
            ending.endedAt = HolderClock.now()
            record.endedAt = .now()
            spareSlave = nil
            hungUpAt = nil
            refuseInput()
        }
    }

    /// The signal that has stopped a child, if it has not exited; the corresponding C macro is `WSTOPSIG`.
    private static func stopSignal(_ status: CInt) -> CInt? {
        status & 0xFF == 0x7F ? (status >> 8) & 0xFF : nil
    }

    // MARK: - Killing

    func kill(_ signal: CInt, graceMilliseconds: UInt32, for client: HolderClient?) {
        guard signal == 0 else {
            if [SIGSTOP, SIGCONT].contains(signal) { staysStopped = signal == SIGSTOP }
            for entry in processes.living() { entry.signal(signal) }
            client?.answer(.killed(survivors: []))
            return
        }
        let now = HolderClock.now()
        endSuspension(now: now)
        if killing == nil {
            killing = KillRun(processes, graceMilliseconds: graceMilliseconds, now: now)
            group?.thaw()
        } else {
            killing?.shortenGrace(graceMilliseconds: graceMilliseconds, now: now)
        }
        if let client { killing?.clients.append(client) }
    }

    var processes: SessionProcesses {
        SessionProcesses(leader: record.program?.processID, holder: getpid())
    }

    func stepKilling() {
        guard let survivors = killing?.step(now: HolderClock.now()) else { return }
        let answer = SessionFrame.killed(survivors: survivors.map(\.text))
        let hasProgramSurvived = survivors.contains { $0.processID == record.program?.processID }
        for client in killing?.clients ?? [] {
            if hasProgramSurvived || ending.isRecorded {
                client.answer(answer)
            } else {
                ending.answers.append((client, answer))
            }
        }
        killing = nil
    }

    // MARK: - Ending

    func stepEnding() {
        guard let status = ending.status else { return }
        if !ending.isRecorded, killing == nil { finish(status) }
        if ending.isRecorded { announce(status) }
    }

    /// Records how the program ended, once all its output is logged.
    private func finish(_ status: ExitStatus) {
        // Wait until all output has been read or, if background programs keep the terminal open, until it is quiet.
        readTerminal()
        guard terminal == nil || ending.isQuiet(now: HolderClock.now()) else { return }
        terminal = nil
        group?.remove()
        passPending()
        // Only now is it known that the shell has not taken them.
        for client in shell?.removeWaiting() ?? [] { client.answer(Self.hasEnded) }
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
        RecordFile(files).finish()
        removePauseFiles()
        ending.isRecorded = true
        ending.recordedAt = HolderClock.now()
        Fault.point(.endRecorded)
        for (client, answer) in ending.answers { client.answer(answer) }
        ending.answers = []
        unsafe unlink(files.socket)
        acceptClients()
        listener = nil
        Fault.point(.endUnlinked)
    }

    /// The last input from a command, if the output shows it and therefore also discloses it.
    private func shownInput() -> String? {
        let start = max(sent.offsets.lowerBound, log.first)
        guard !sent.bytes.isEmpty, start < log.keptEnd else { return nil }
        let end = min(log.keptEnd, start + UInt64(4 * sent.bytes.count + Self.batchBytes))
        return sent.isShown(by: output(from: start, upTo: end)) ? String(decoding: sent.bytes, as: UTF8.self) : nil
    }

    /// Sends the exit status to attached clients that have received all output; determines whether the holder can exit.
    private func announce(_ status: ExitStatus) {
        let now = HolderClock.now()
        for client in clients where client.attachment != nil && !client.isEnding && !isPumpable(client) {
            guard !client.hasUnsent else { continue }
            client.end(with: .exit(status, offset: log.end))
            _ = client.flush()
        }
        clients.removeAll(where: \.isGone)
        let progress = clients.reduce(screenPosition) { $0 &+ $1.sentBytes }
        if progress != ending.progress { (ending.progress, ending.progressAt) = (progress, now) }
        let acceptsRequests = now < ending.recordedAt + HolderEnding.requestTimeout
        let hasReaders = clients.contains { $0.attachment != nil || acceptsRequests }
        ending.isComplete = !hasReaders || now >= ending.announceEnd(isRemoved: isRemovedAtEnd)
    }

    /// Whether the session is removed once it has ended and no client is attached.
    var isRemovedAtEnd: Bool { record.keepFor == .zero }

    /// Removes the session unless it is to be kept; the lock is held until the process exits.
    func removeIfExpired() {
        guard isRemovedAtEnd, ending.isRecorded else { return }
        // On failure, the session is removed by a later command.
        try? directory.names.release(record.name, of: record.id)
        try? directory.removeFiles(of: record.id)
    }
}
