import Core
import Glibc
import System

/// Runs a session: transfers bytes between its terminal, its log and its clients, and records how its program ended.
///
/// Everything runs on a single thread. The terminal is always read, and no client can delay the program or other
/// clients. Each part of the state has a time at which something is due, and a step that does it.
final class HolderLoop {
    /// The session's record, written to the directory after changes.
    var record: Session
    var unsaved = Unsaved()
    var log: OutputLog
    /// The requests with an ID.
    var requests: RequestLog
    /// The buffer for output read from the terminal, and for what clients send.
    var buffer = [UInt8](repeating: 0, count: HolderLoop.bufferBytes)
    var activity = Activity()
    var terminal: Terminal
    var shell: Shell
    var clients: Clients
    var screen = Screen()
    var life: Life
    var asking = Asking()
    var ending = Ending()

    /// What has not been written of the record.
    struct Unsaved {
        var hasChanges = false
        /// When the record was written, if it may not be on disk yet.
        ///
        /// The first record is synced immediately: later, the disk might be busy with output that the program has
        /// written.
        var writtenAt: Int64? = .min
    }

    /// When the loop has been busy; times are in microseconds since boot.
    struct Activity {
        /// When the last event occurred.
        var eventAt: Int64 = 0
        /// Whether the last wait ended without an event.
        var isQuiet = false
        /// When output was last processed for the screen.
        var followedAt: Int64 = 0

        /// The pause in events after which output is processed for the screen.
        private static let idlePause: Int64 = 20_000
        /// The time since the last processing after which a shorter pause suffices; needed for programs that write
        /// continuously.
        private static let shortPauseInterval: Int64 = 50_000

        /// When there will be time for other work unless another event occurs.
        var idleAt: Int64 { eventAt + Self.idlePause }

        var isIdle: Bool {
            let now = HolderClock.now()
            return now >= idleAt || (isQuiet && now >= followedAt + Self.shortPauseInterval)
        }
    }

    static let bufferBytes = 64 << 10
    /// How long a record may remain unsynced while the session is never idle.
    private static let longestUnwritten: Int64 = 5_000_000

    init(
        record: Session,
        log: consuming OutputLog,
        life: consuming Life,
        listener: consuming FileDescriptor,
        terminal: consuming FileDescriptor,
        shell: ShellIntegration?
    ) {
        self.record = record
        self.log = log
        requests = RequestLog(path: SessionFiles(of: record.id, in: life.launch.sessions).requests)
        self.life = life
        clients = Clients(listener: listener)
        self.terminal = Terminal(terminal, shell?.token, sentAt: record.sentOffset ?? 0)
        self.shell = Shell(tracker: shell.map { ShellTracker($0) })
    }

    var directory: SessionDirectory { SessionDirectory(path: life.launch.sessions) }
    var files: SessionFiles { SessionFiles(of: record.id, in: life.launch.sessions) }

    /// Returns when the session has ended, and all attached clients have been notified or have stopped reading.
    func run() {
        while !ending.isComplete {
            wait()
            handleSignals()
            stepTerminal()
            stepShell()
            log.events.flushIfDue()
            stepClients()
            stepScreen()
            moveInput()
            sendPending()
            stepLife()
            stepQuestion()
            stepEnding()
            stepRecord()
        }
    }

    // MARK: - Waiting

    /// When something is due, in microseconds since boot; 0 means now, and `.max` that nothing is, as for each part.
    private var deadline: Int64 {
        min(
            min(terminalDeadline, shellDeadline, log.events.deadline, clientsDeadline),
            min(screenDeadline, lifeDeadline, asking.deadline, endingDeadline, recordDeadline)
        )
    }

    /// Waits for events until something is due.
    private func wait() {
        var requests = [pollfd(fd: life.signals.number, events: Int16(POLLIN), revents: 0)]
        if let number = terminal.number, terminal.isReadable {
            let hasInput = !terminal.answers.isEmpty || !terminal.input.isEmpty && inputHeldUntil == nil
            let events = POLLIN | (hasInput ? POLLOUT : 0)
            requests.append(pollfd(fd: number, events: Int16(events), revents: 0))
        }
        if let number = clients.listener?.number, !clients.isFull {
            requests.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0))
        }
        let others = requests.count
        for client in clients.all {
            let events = (client.isReadable ? POLLIN : 0) | (client.hasUnsent ? POLLOUT : 0)
            // A client that need not be polled is left out, because its end would be reported again and again.
            requests.append(pollfd(fd: events == 0 ? -1 : client.socket.number, events: Int16(events), revents: 0))
        }
        let deadline = deadline
        let timeout = deadline == .max ? -1 : CInt(clamping: max(0, (deadline - HolderClock.now() + 999) / 1000))
        let count = nfds_t(requests.count)
        let ready = unsafe requests.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, count, timeout) }
        activity.isQuiet = ready == 0
        if !activity.isQuiet { activity.eventAt = HolderClock.now() }
        for (client, request) in zip(clients.all, requests[others...]) {
            client.hasEvent = request.revents & ~Int16(POLLOUT) != 0
        }
    }

    // MARK: - The record

    private var recordDeadline: Int64 { unsaved.writtenAt == nil ? .max : activity.idleAt }

    /// Writes and syncs the record.
    private func stepRecord() {
        if record.logStoppedAt != log.stoppedAt {
            record.logStoppedAt = log.stoppedAt
            record.failure = "could not continue writing the log"
            unsaved.hasChanges = true
        }
        if log.first - record.firstOffset >= max(1, log.limitBytes / 8) {
            record.firstOffset = log.first
            unsaved.hasChanges = true
        }
        if unsaved.hasChanges, !ending.isRecorded {
            unsaved.hasChanges = false
            saveRecord(isDurable: false)
        }
        // Syncing can take a long time, so it is deferred until there is nothing else to do.
        guard let writtenAt = unsaved.writtenAt,
            activity.isIdle || HolderClock.now() >= writtenAt + Self.longestUnwritten
        else { return }
        unsaved.writtenAt = nil
        files.synchronizeRecord()
    }

    /// Writes the record; unless `isDurable` is set, it is synced later, so that it remains readable after a system
    /// crash.
    func saveRecord(isDurable: Bool) {
        record.outputBytes = log.end
        record.activeAt = log.events.lastChange
        // On failure, the previous record remains; there is nowhere to report the error.
        try? files.writeRecord(record.json, isDurable: isDurable)
        unsaved.writtenAt = isDurable ? nil : unsaved.writtenAt ?? HolderClock.now()
    }
}
