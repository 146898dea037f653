import Core
import Glibc
import Runtime
import System

/// The sessions of this machine: each has a directory and, while it is running, a holder process.
package struct FileSessionStore: SessionStore {
    let directory: SessionDirectory
    /// The path of vt itself.
    let program: String
    let version: String
    /// Waits for the sockets of holders.
    private let poller: DescriptorPoller
    let clock: any Clock<Duration>

    /// `version` is the version of vt to store in records.
    package init(
        directory: SessionDirectory,
        program: String,
        version: String,
        poller: DescriptorPoller,
        clock: any Clock<Duration>
    ) {
        self.directory = directory
        self.program = program
        self.version = version
        self.poller = poller
        self.clock = clock
    }

    package func connect(to id: SessionID) async throws(VTError) -> any SessionChannel {
        let path = directory.files(of: id).socket
        let isBusy = { @Sendable in isHolderBusy(of: id) }
        do throws(VTError) {
            do throws(VTError) {
                return try SocketChannel(connectingTo: path, poller: poller, isHolderBusy: isBusy)
            } catch {
                guard error.code == .timedOut else { throw error }
                let timeout = isBusy() ? Self.busyTimeout : SessionFrame.helloTimeout
                return try await onAbandonableThread { [poller] () throws(VTError) in
                    try SocketChannel(connectingTo: path, timeout: timeout, poller: poller, isHolderBusy: isBusy)
                }
            }
        } catch {
            switch error.code {
            case .notFound: throw VTError(.notFound, "session \(id.text) is not running")
            case .timedOut: throw Self.tooBusy(try directory.record(of: id)?.name ?? id.text)
            default: throw error
            }
        }
    }

    /// How long a holder that is running, or waiting for a disk, may take to accept a connection.
    private static let busyTimeout = Duration.seconds(30)

    /// Whether the holder is running or waiting for a disk; false if it is stopped, waits for something else, or is
    /// gone.
    private func isHolderBusy(of id: SessionID) -> Bool {
        guard let record = try? directory.record(of: id) else { return false }
        return Self.holder(of: record)?.isBusy ?? false
    }

    /// The error for a holder whose connection queue is full, because the holder is stopped or hung.
    private static func tooBusy(_ name: String) -> VTError {
        VTError(
            .protocolViolation,
            "the holder of '\(name)' did not accept a connection in time",
            hint: "try again; if the holder hangs, end the session with 'vt sessions kill \(name)'"
        )
    }

    // MARK: - Creating a session

    /// Blocks the thread until the program runs or has failed to start.
    ///
    /// The lock is taken before other processes can find the session, and passed to the holder without being released.
    package func create(_ request: SessionRequest) async throws(VTError) -> Session {
        try directory.make()
        let id = SessionID.random()
        do throws(VTError) {
            let lock = try directory.makeLocked(id)
            Fault.point(.createLock)
            try directory.names.claim(request.creation.name.text, for: id)
            Fault.point(.createName)
            let record = try launch(document(request, id), prefix: request.launchPrefix, lock: lock)
            removeExpiredSometimes()
            return record
        } catch {
            let (failure, hasSurvivors) = endProgram(of: id, after: error)
            guard !hasSurvivors else { throw failure }
            // The lock has been released by now. If the cleanup fails, the remaining files look like the files of a
            // session that failed to start.
            try? directory.names.release(request.creation.name.text, of: id)
            try? directory.removeFiles(of: id)
            throw failure
        }
    }

    private func document(_ request: SessionRequest, _ id: SessionID) -> LaunchDocument {
        LaunchDocument(
            sessions: directory.path,
            record: record(request, id),
            command: request.creation.command,
            environment: environment(request, id),
            directory: ByteString(request.directory),
            creationMask: Self.creationMask(),
            agentSocket: request.agentSocket,
            integratesShell: request.creation.integratesShell
        )
    }

    private func record(_ request: SessionRequest, _ id: SessionID) -> Session {
        let creation = request.creation
        var record = Session(
            id: id,
            name: creation.name.text,
            state: .starting,
            command: creation.command.map(\.repairedText),
            directory: request.directory,
            size: creation.size,
            terminalType: creation.terminalType,
            createdAt: .now(),
            host: LinuxProcess.hostName,
            bootID: SessionDirectory.bootID(),
            version: version
        )
        record.environmentNames = creation.variables.map(\.name)
        record.tags = creation.tags
        record.logLimitBytes = creation.logLimitBytes
        record.logsInput = creation.logsInput
        record.keepFor = creation.keepFor
        record.automaticSnapshots = creation.automaticSnapshots
        record.survival = request.survival
        return record
    }

    /// The variables of the request, and those that vt sets in every session.
    private func environment(_ request: SessionRequest, _ id: SessionID) -> [ByteString] {
        var own = [("TERM", request.creation.terminalType), (SessionProcesses.programVariable, id.text)]
        if request.agentSocket != nil { own.append(("SSH_AUTH_SOCK", directory.files(of: id).agent)) }
        let prefixes = own.map { Array("\($0.0)=".utf8) }
        let given = request.environment.filter { word in !prefixes.contains { word.bytes.starts(with: $0) } }
        return given + own.map { ByteString("\($0.0)=\($0.1)") }
    }

    /// The umask of this process; the corresponding C function is `umask`, which can only read it by changing it.
    private static func creationMask() -> UInt32 {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }
}
