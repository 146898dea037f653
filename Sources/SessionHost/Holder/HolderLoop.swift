import Core
import Glibc
import System
import Terminal

/// Runs a session: transfers bytes between its terminal, its log and its clients, and records how its program ended.
///
/// Everything runs on a single thread. The terminal is always read, and no client can delay the program or other
/// clients.
final class HolderLoop {
    /// The session's record, written to the directory after changes.
    var record: Session
    /// Whether the record has unwritten changes.
    var isRecordStale = false
    /// How the program was started, without the environment.
    let launch: LaunchDocument
    let directory: SessionDirectory
    let files: SessionFiles
    /// The session's lock, kept open while this process runs.
    let lock: FileDescriptor
    var log: OutputLog
    let signals: SignalDescriptor
    /// The control group of the program; nil if it has none of its own.
    let group: FreezerGroup?
    let screens = EmulatorScreen()

    /// The listening socket; nil once the session accepts no more clients.
    var listener: FileDescriptor?
    /// Closed when no other descriptor is left, so that a connection can be accepted and refused.
    var spareDescriptor = HolderLoop.openSpare()
    /// The master side of the terminal; nil once all output has been read.
    var terminal: FileDescriptor?
    /// The slave side, opened once the program has closed it, because the master cannot be polled otherwise.
    var spareSlave: FileDescriptor?
    /// The time at which the last process closed the slave side; nil while it is open.
    var hungUpAt: Int64?

    var clients: [HolderClient] = []
    /// The attached clients that have requested a size, the last one last.
    var sizeClients: [HolderClient] = []
    var input = InputQueue()
    /// The last input from a command; `record.sentOffset` is its offset.
    var sent: SentInput {
        didSet { (record.sentOffset, isRecordStale) = (sent.offsets.upperBound, true) }
    }
    /// The requests with an ID.
    var requests: RequestLog
    /// The unfinished input line of a terminal in canonical mode.
    var line = InputLine()
    var killing: KillRun?
    /// Whether a client has sent the program STOP, so that it is not continued before a client requests that.
    var staysStopped = false
    /// While the session is frozen.
    var freezing: FreezeRun?
    /// While the session is paused, or being paused or resumed.
    var pausing: PauseRun?
    /// The session's shell; nil if its program is not a shell with a hook.
    var shell: ShellTracker?
    /// Lines for other shells.
    var assumed = AssumedLines()
    var scanner: MarkScanner
    /// When it was last checked whether the shell has been replaced, in microseconds since boot.
    var shellCheckedAt: Int64 = 0
    /// The last line in whose shell another program has been found.
    var replacedLine: UInt64?
    /// When the shell was last sent the key, or showed a prompt.
    var keySentAt: Int64 = 0
    /// When the shell last ended a command.
    var commandEndedAt: Int64 = 0
    /// Whether input has been written since the shell was last found waiting at its prompt.
    var hasNewInput = false
    /// Whether the shell has shown a prompt, which is reported once the shell is found waiting at it.
    var isPromptOpen = false
    /// When to find out next whether it is, and the pause before.
    var nextLook: Int64 = 0
    var lookPause: Int64 = 0
    var ending = HolderEnding()
    /// The offset up to which `screens` has processed the output.
    var screenPosition: UInt64 = 0
    /// Finds the program's queries in its output; `queryEnd` is the offset after the last one.
    var queries = QueryScanner()
    var queryEnd: UInt64 = 0
    /// Replies to queries, still to be written to the terminal; the first may already be partly written.
    var answers: [UInt8] = []
    /// The time at which the record was written, if it may not be on disk yet.
    ///
    /// The first record is synced immediately: later, the disk might be busy with output that the program has written.
    private var recordWrittenAt: Int64? = .min
    /// The buffer for output read from the terminal.
    var batch = [UInt8](repeating: 0, count: HolderLoop.batchBytes)

    /// When the last event occurred, in microseconds since boot.
    private var activeAt: Int64 = 0
    /// When output was last processed for the screen, in microseconds since boot.
    var followedAt: Int64 = 0
    /// Whether the last wait ended without an event.
    private var isQuiet = false

    /// The pause in events, in microseconds, after which output is processed for the screen.
    private static let idlePause: Int64 = 20_000
    /// The time since the last processing, in microseconds, after which a shorter pause suffices; needed for programs
    /// that write continuously.
    private static let shortPauseInterval: Int64 = 50_000
    /// How long a record may remain unsynced while the session is never idle.
    private static let longestUnwritten: Int64 = 5_000_000
    static let batchBytes = 64 << 10
    /// The maximum number of clients: more than needed in practice, within the usual limit of 1024 descriptors.
    static let clientLimit = 256

    init(
        record: Session,
        launch: LaunchDocument,
        directory: SessionDirectory,
        lock: consuming FileDescriptor,
        log: consuming OutputLog,
        listener: consuming FileDescriptor,
        signals: consuming SignalDescriptor,
        terminal: consuming FileDescriptor,
        group: FreezerGroup?,
        shell: ShellIntegration?
    ) {
        self.record = record
        sent = SentInput(at: (record.sentOffset ?? 0)...(record.sentOffset ?? 0))
        var launch = launch
        launch.environment = []
        self.launch = launch
        self.directory = directory
        files = directory.files(of: record.id)
        self.lock = lock
        requests = RequestLog(path: files.requests)
        self.log = log
        self.listener = consume listener
        self.signals = signals
        _ = fcntl(terminal.number, F_SETFL, O_RDWR | O_NONBLOCK)
        self.terminal = consume terminal
        self.group = group
        self.shell = shell.map { ShellTracker($0) }
        scanner = MarkScanner(token: shell?.token)
    }

    /// Returns when the session has ended, and all attached clients have been notified or have stopped reading.
    func run() {
        while !ending.isComplete {
            wait()
            handleSignals()
            readTerminal()
            releasePending()
            checkShell()
            checkReader()
            log.events.flushIfOver()
            acceptClients()
            for client in clients { serve(client) }
            prepareScreens()
            moveInput()
            for client in clients where !client.isGone { pump(client) }
            dropClients()
            stepKilling()
            stepSuspension()
            stepEnding()
            writeRecord()
            synchronizeRecord()
        }
    }

    // MARK: - Waiting

    private func wait() {
        var requests: [pollfd] = []
        requests.append(pollfd(fd: signals.number, events: Int16(POLLIN), revents: 0))
        if let number = terminal?.number, isTerminalReadable {
            let hasInput = !answers.isEmpty || !input.isEmpty && inputHeldUntil == nil
            let events = POLLIN | (hasInput ? POLLOUT : 0)
            requests.append(pollfd(fd: number, events: Int16(events), revents: 0))
        }
        if let number = listener?.number, clients.count < Self.clientLimit {
            requests.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0))
        }
        for client in clients {
            let events = (client.isReadable ? POLLIN : 0) | (client.hasUnsent ? POLLOUT : 0)
            requests.append(pollfd(fd: client.socket.number, events: Int16(events), revents: 0))
        }
        let count = nfds_t(requests.count)
        let ready = unsafe requests.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, count, timeout()) }
        isQuiet = ready == 0
        if !isQuiet { activeAt = HolderClock.now() }
    }

    /// Whether there is time to process output.
    var isIdle: Bool {
        let now = HolderClock.now()
        return now >= activeAt + Self.idlePause || (isQuiet && now >= followedAt + Self.shortPauseInterval)
    }

    /// How long to wait for events, in milliseconds; -1 means no limit.
    private func timeout() -> CInt {
        if isQueried || clients.contains(where: { isPumpable($0) }) { return 0 }
        let now = HolderClock.now()
        var next = Int64.max
        if log.events.isPending { next = now + 1000 }
        for client in clients where !client.hasGreeted { next = min(next, client.greetingDeadline) }
        if let killing { next = min(next, killing.nextStep) }
        if let suspensionStep { next = min(next, suspensionStep) }
        if recordWrittenAt != nil { next = min(next, activeAt + Self.idlePause) }
        if isScreenBehind { next = min(next, activeAt + Self.idlePause) }
        if scanner.isDoubtful { next = min(next, activeAt + Self.idlePause) }
        if !input.isEmpty, let inputHeldUntil { next = min(next, inputHeldUntil) }
        if let shellCheck { next = min(next, shellCheck) }
        if let readerCheck { next = min(next, readerCheck) }
        if let hungUpAt { next = min(next, hungUpAt + Self.hangUpDelay) }
        next = min(next, ending.nextStep(now: now, isKilling: killing != nil, isRemoved: isRemovedAtEnd))
        guard next < .max else { return -1 }
        return CInt(clamping: max(0, (next - now + 999) / 1000))
    }

    // MARK: - The record

    private func writeRecord() {
        if record.logStoppedAt != log.stoppedAt {
            record.logStoppedAt = log.stoppedAt
            record.failure = "could not continue writing the log"
            isRecordStale = true
        }
        if log.first - record.firstOffset >= max(1, log.limitBytes / 8) {
            record.firstOffset = log.first
            isRecordStale = true
        }
        guard isRecordStale, !ending.isRecorded else { return }
        isRecordStale = false
        saveRecord(isDurable: false)
    }

    /// Writes the record; unless `isDurable` is set, it is synced later.
    func saveRecord(isDurable: Bool) {
        record.outputBytes = log.end
        record.activeAt = log.events.lastChange
        // On failure, the previous record remains; there is nowhere to report the error.
        try? RecordFile(files).write(record.json, isDurable: isDurable)
        recordWrittenAt = isDurable ? nil : recordWrittenAt ?? HolderClock.now()
    }

    /// Syncs the record, so that it remains readable after a system crash.
    ///
    /// This can take a long time, so it is deferred until there is nothing else to do, for at most `longestUnwritten`.
    private func synchronizeRecord() {
        guard let writtenAt = recordWrittenAt else { return }
        guard isIdle || HolderClock.now() >= writtenAt + Self.longestUnwritten else { return }
        recordWrittenAt = nil
        RecordFile(files).synchronize()
    }
}
