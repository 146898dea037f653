import Core
import Glibc
import System

/// Starts a session step by step: the log, the socket, the terminal, the record, and finally the program.
///
/// Until there is a record, the lock shows other processes that the session is starting.
extension LaunchDocument {
    /// Returns once the program is running; on failure, the record contains the reason.
    func startSession() throws(VTError) -> HolderLoop {
        var record = record
        record.holder = ProcessEntry(getpid())?.identity
        let group = FreezerGroup(of: record.id)
        do throws(VTError) {
            return try startSession(record, in: group)
        } catch {
            // The program may have been started before the failure.
            let processes = SessionProcesses(holder: getpid())
            if !processes.areSurelyNone { _ = KillRun.end(processes) }
            group?.remove()
            if isResumed {
                // The session is still paused.
                record.holder = nil
                try? files.writeRecord(record.json, isDurable: true)
                throw error
            }
            (record.state, record.program) = (.failed, nil)
            record.failure = error.message
            record.endedAt = .now()
            // The creator reports the error; if the creator is gone, only the record shows it. If writing the record
            // fails, too, there is nowhere to report the error.
            try? files.writeRecord(record.json, isDurable: true)
            files.finishRecord()
            throw error
        }
    }

    /// Whether the session was paused, so that its log exists.
    private var isResumed: Bool { record.state == .paused }

    private var files: SessionFiles { SessionFiles(of: record.id, in: sessions) }

    private func startSession(_ starting: Session, in group: FreezerGroup?) throws(VTError) -> HolderLoop {
        var record = starting
        let lock = try Self.detach()
        var log = try OutputLog(files, of: record, isNew: !isResumed)
        Fault.point(.holdEvents)
        if isResumed { try resume(&log) }
        let listener = try UnixSocket.listen(at: files.socket, backlog: 64)
        if let agent = agentSocket {
            guard unsafe symlink(agent, files.agent) == 0 else {
                throw .system(errno, "cannot create '\(files.agent)'", fallback: .cannotCreate)
            }
        }
        Fault.point(.holdSocket)
        let signals = try SignalDescriptor([SIGCHLD, SIGTERM])
        let terminal = try DescriptorPair.terminal(record.size)
        Fault.point(.holdTerminal)
        var launch = self
        let shell = launch.integratesShell ? try ShellIntegration(files, &launch.command, &launch.environment) : nil
        let turn = record.shell?.turn ?? 0
        record.shell = shell.map { ShellStatus(kind: $0.kind.rawValue) }
        try launch.startProgram(on: terminal.second.number, in: group) { program throws(VTError) in
            Fault.point(.holdForked)
            record.program = program
            if isResumed {
                try files.writeRecord(record.json, isDurable: false)
            } else {
                try files.createRecord(record.json)
            }
            Fault.point(.holdNoted)
        }
        let master = FileDescriptor(owning: terminal.releaseFirst())
        Fault.point(.holdProgram)
        record.state = .running
        if !isResumed { record.startedAt = .now() }
        try files.writeRecord(record.json, isDurable: false)
        Fault.point(.holdRunning)
        launch = self
        launch.environment = []
        let life = HolderLoop.Life(launch: launch, lock: lock, signals: signals, group: group)
        let loop = HolderLoop(record: record, log: log, life: life, listener: listener, terminal: master, shell: shell)
        if isResumed { loop.continuePaused(turn: turn) }
        return loop
    }

    /// Continues the log of a paused session, after removing what its last holder has left.
    private func resume(_ log: inout OutputLog) throws(VTError) {
        unsafe unlink(files.socket)
        try SessionDirectory(path: sessions).removeHook(of: record.id)
        // The holder may have been killed before it recorded that the shell and its commands had ended.
        for turn in try TimelineFile(path: files.events).openTurns() {
            log.events.shell(ShellMark(.unknown, at: log.end, turn: turn))
        }
        log.events.marker(.resumed)
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

    // MARK: - The program

    /// Starts the program on a terminal, in a control group if there is one, after `note` has recorded its process, so
    /// that a holder killed in between never leaves behind a program that is not recorded.
    ///
    /// `slave` is the slave side of the terminal.
    func startProgram(
        on slave: CInt,
        in group: FreezerGroup?,
        noting note: (SessionProcess) throws(VTError) -> Void
    ) throws(VTError) {
        // The program is looked up in the session's PATH, which exec reads from this process's environment.
        let path = environment.last { $0.bytes.starts(with: "PATH=".utf8) }?.text?.dropFirst(5)
        if let path {
            unsafe setenv("PATH", String(path), 1)
        } else {
            unsafe unsetenv("PATH")
        }
        var plan = SpawnPlan(arguments: command, environment: environment, directory: directory.text)
        plan.creationMask = creationMask
        func prepare(_ program: pid_t) throws(VTError) {
            // Before it can create other processes.
            group?.add(program)
            limits.set(for: program)
            try note(SessionProcess(processID: program, startTicks: ProcessEntry(program)?.startTicks ?? 0))
        }
        guard directory.text == nil else {
            _ = try ChildProcess.spawn(plan, on: .terminal(slave), noting: prepare)
            return
        }
        // Other names are not text; the program starts in the directory of this process.
        guard unsafe directory.withCString({ unsafe chdir($0) }) == 0 else {
            throw .system(errno, "cannot enter '\(directory.repairedText)'")
        }
        defer { _ = unsafe chdir("/") }
        _ = try ChildProcess.spawn(plan, on: .terminal(slave), noting: prepare)
    }
}
