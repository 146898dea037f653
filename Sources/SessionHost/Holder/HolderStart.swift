import Core
import Glibc
import System

/// Starts a session step by step: the log, the socket, the terminal, the record, and finally the program.
///
/// Until there is a record, the lock shows other processes that the session is starting.
struct HolderStart {
    private let document: LaunchDocument
    private let screens: any ScreenSource
    private let files: SessionFiles

    init(_ document: LaunchDocument, screens: any ScreenSource) {
        self.document = document
        self.screens = screens
        files = SessionFiles(of: document.record.id, in: document.sessions)
    }

    /// Returns once the program is running; on failure, the record contains the reason.
    func begin() throws(VTError) -> HolderLoop {
        var record = document.record
        record.holder = ProcessEntry(getpid())?.identity
        do throws(VTError) {
            return try begin(record)
        } catch {
            Self.endProgram()
            (record.state, record.program) = (.failed, nil)
            record.failure = error.message
            record.endedAt = .now()
            // The creator reports the error; if the creator is gone, only the record shows it. If writing the record
            // fails, too, there is nowhere to report the error.
            try? RecordFile(files).write(record.json, isDurable: true)
            RecordFile(files).finish()
            throw error
        }
    }

    private func begin(_ starting: Session) throws(VTError) -> HolderLoop {
        var record = starting
        let lock = try Self.detach()
        let log = try OutputLog(files, limitBytes: record.logLimitBytes, size: record.size)
        Fault.point(.holdEvents)
        let listener = try UnixSocket.listen(at: files.socket, backlog: 64)
        if let agent = document.agentSocket {
            guard unsafe symlink(agent, files.agent) == 0 else {
                throw .system(errno, "cannot create '\(files.agent)'", fallback: .cannotCreate)
            }
        }
        Fault.point(.holdSocket)
        let signals = try SignalDescriptor([SIGCHLD, SIGTERM])
        let terminal = try DescriptorPair.terminal(record.size)
        Fault.point(.holdTerminal)
        var (command, environment) = (document.command, document.environment)
        let shell = document.integratesShell ? try ShellIntegration(files, &command, &environment) : nil
        record.shell = shell.map { ShellStatus(kind: $0.kind.rawValue) }
        try startProgram(command, environment, on: terminal.second.number) { program throws(VTError) in
            Fault.point(.holdForked)
            record.program = SessionProcess(processID: program, startTicks: ProcessEntry(program)?.startTicks ?? 0)
            try RecordFile(files).create(record.json)
            Fault.point(.holdNoted)
        }
        let master = FileDescriptor(owning: terminal.releaseFirst())
        Fault.point(.holdProgram)
        record.state = .running
        record.startedAt = .now()
        try RecordFile(files).write(record.json, isDurable: false)
        Fault.point(.holdRunning)
        return HolderLoop(
            record: record,
            directory: SessionDirectory(path: document.sessions),
            lock: lock,
            log: log,
            listener: listener,
            signals: signals,
            terminal: master,
            shell: shell,
            screens: screens
        )
    }

    /// Kills the program if it was started before the failure.
    private static func endProgram() {
        let processes = SessionProcesses(holder: getpid())
        guard !processes.areSurelyNone else { return }
        var run = KillRun(processes, graceMilliseconds: 0, now: HolderClock.now())
        _ = run.finish()
    }

    /// Detaches this process from its creator, and returns the lock that was passed as descriptor 1.
    private static func detach() throws(VTError) -> FileDescriptor {
        umask(0o077)
        guard unsafe chdir("/") == 0 else { throw .system(errno, "cannot enter '/'") }
        LinuxProcess.adoptOrphans()
        let lock = fcntl(1, F_DUPFD_CLOEXEC, 3)
        guard lock >= 0, dup2(2, 1) >= 0 else {
            throw .system(errno, "cannot keep the session's lock", fallback: .system)
        }
        return FileDescriptor(owning: lock)
    }

    /// Starts the program after `note` has recorded its process, so that a holder killed in between never leaves behind
    /// a program that is not recorded.
    private func startProgram(
        _ command: [ByteString],
        _ environment: [ByteString],
        on slave: CInt,
        noting note: (pid_t) throws(VTError) -> Void
    ) throws(VTError) {
        // The program is looked up in the session's PATH, which exec reads from this process's environment.
        let path = environment.last { $0.bytes.starts(with: "PATH=".utf8) }?.text?.dropFirst(5)
        if let path {
            unsafe setenv("PATH", String(path), 1)
        } else {
            unsafe unsetenv("PATH")
        }
        var plan = SpawnPlan(
            arguments: command,
            environment: environment,
            directory: document.directory
        )
        plan.creationMask = document.creationMask
        _ = try ChildProcess.spawn(plan, on: .terminal(slave), noting: note)
    }
}
