import Core
import Glibc
import POSIX

/// Keeps a session: moves bytes between its terminal, its log and its clients, and notes how its program ended.
///
/// Everything happens on one thread, one thing at a time. The terminal is always read; what a client does, or does not
/// do, delays nobody.
final class HolderLoop {
    /// What the directory is told, now and then.
    var record: Session
    /// Whether the directory is to be told.
    var isRecordStale = false
    let directory: SessionDirectory
    let files: SessionFiles
    /// Kept open for the life of this process.
    let lock: FileDescriptor
    var log: OutputLog
    let signals: SignalDescriptor
    let screens: any ScreenSource

    /// Nil once the session takes no more clients.
    var listener: FileDescriptor?
    /// Kept for a moment in which no other descriptor is left.
    var spareDescriptor = HolderLoop.openSpare()
    /// The master side; nil once all output has been read.
    var terminal: FileDescriptor?
    /// Our own end of the terminal while the program has closed it, as nobody could wait for it to come back otherwise.
    var spareSlave: FileDescriptor?
    /// Whether nobody has the other side of the terminal open.
    var hungUpAt: Int64?

    var clients: [HolderClient] = []
    var input = InputQueue()
    /// The unfinished line that the terminal has, while it collects lines.
    var line = InputLine()
    var killing: KillRun?
    var ending = HolderEnding()
    /// Up to where the screen source has followed the output.
    var screenPosition: UInt64 = 0
    /// Finds the program's queries in its output; the last of them ended there.
    var queries = QueryScanner()
    var queryEnd: UInt64 = 0
    /// Answers to queries on their way to the terminal, whole ones but for the first.
    var answers: [UInt8] = []
    /// When the record was written, where it is not certain to be on the disk.
    private var recordWrittenAt: Int64?
    /// What was read last.
    var batch = [UInt8](repeating: 0, count: HolderLoop.batchBytes)

    /// When something came last, and when the screen source was last given time; in microseconds since boot.
    private var activeAt: Int64 = 0
    var followedAt: Int64 = 0
    /// Whether nothing came while it was waited for.
    private var isQuiet = false

    /// How long nothing must come before the time is used to follow the output, in microseconds.
    private static let idlePause: Int64 = 20_000
    /// How often a shorter pause is used, for programs that write little and never pause for so long.
    private static let shortPauseInterval: Int64 = 50_000
    /// How long a record may not be on the disk while the session is never idle.
    private static let longestUnwritten: Int64 = 5_000_000
    static let batchBytes = 64 << 10
    /// More connections than anybody needs, within the usual limit of 1024 descriptors.
    static let clientLimit = 256

    init(
        record: Session,
        directory: SessionDirectory,
        lock: consuming FileDescriptor,
        log: consuming OutputLog,
        listener: consuming FileDescriptor,
        signals: consuming SignalDescriptor,
        terminal: consuming FileDescriptor,
        screens: any ScreenSource
    ) {
        self.record = record
        self.directory = directory
        files = directory.files(of: record.id)
        self.lock = lock
        self.log = log
        self.listener = consume listener
        self.signals = signals
        _ = fcntl(terminal.number, F_SETFL, O_RDWR | O_NONBLOCK)
        self.terminal = consume terminal
        self.screens = screens
    }

    /// Returns when the session has ended and everybody who was attached knows.
    func run() {
        while !ending.isComplete {
            wait()
            takeSignals()
            readTerminal()
            log.events.flushIfOver()
            acceptClients()
            for client in clients { serve(client) }
            prepareScreens()
            moveInput()
            for client in clients where !client.isGone { pump(client) }
            dropClients()
            stepKilling()
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
            let events = POLLIN | (input.isEmpty && answers.isEmpty ? 0 : POLLOUT)
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

    /// Whether there is time to follow the output.
    var isIdle: Bool {
        let now = HolderClock.now()
        return now >= activeAt + Self.idlePause || (isQuiet && now >= followedAt + Self.shortPauseInterval)
    }

    /// How long nothing need be done unless something comes, in milliseconds; -1: for ever.
    private func timeout() -> CInt {
        if isQueried || clients.contains(where: { isPumpable($0) }) { return 0 }
        let now = HolderClock.now()
        var next = Int64.max
        if log.events.isPending { next = now + 1000 }
        for client in clients where !client.hasGreeted { next = min(next, client.greetingDeadline) }
        if let killing { next = min(next, killing.nextStep) }
        if recordWrittenAt != nil { next = min(next, activeAt + Self.idlePause) }
        if isScreenBehind { next = min(next, activeAt + Self.idlePause) }
        if let hungUpAt { next = min(next, hungUpAt + Self.hangUpPatience) }
        next = min(next, ending.nextStep(isKilling: killing != nil))
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

    /// Writes the record; one that is not durable is on the disk at the next pause.
    func saveRecord(isDurable: Bool) {
        record.outputBytes = log.end
        // A failure here leaves what was there; there is no third place.
        try? RecordFile(files).write(record.json, isDurable: isDurable)
        if !isDurable, recordWrittenAt == nil { recordWrittenAt = HolderClock.now() }
    }

    /// Brings the record to the disk when there is nothing else to do, as that may take its time, and at last after a
    /// while: a system that crashes leaves records that can be read.
    private func synchronizeRecord() {
        guard let writtenAt = recordWrittenAt, !ending.isRecorded else { return }
        guard isIdle || HolderClock.now() >= writtenAt + Self.longestUnwritten else { return }
        recordWrittenAt = nil
        RecordFile(files).synchronize()
    }
}
