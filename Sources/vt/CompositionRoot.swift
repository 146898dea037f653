import Commands
import Core
import Glibc
import Machine
import Runtime
import SecureShell
import SessionHost
import Storage
import System
import Terminal

/// Selects the concrete types for the ports.
struct CompositionRoot {
    /// Runs everything on the main thread.
    let executor: LoopExecutor

    /// Returns the session holder to run if the first argument is the hidden verb, otherwise nil.
    ///
    /// A holder runs as long as its session and needs none of the commands' dependencies, so it starts before they are
    /// created.
    static func holder(_ arguments: [ByteString]) -> SessionHolder? {
        arguments.first == SessionHolder.verb ? SessionHolder(screens: EmulatorScreen()) : nil
    }

    /// Returns the keeper of a shared connection to run if the first argument is its hidden verb, otherwise nil.
    func keeper(_ arguments: [ByteString]) -> ConnectionKeeper? {
        guard arguments.count == 2, arguments[0] == ConnectionKeeper.verb, let path = arguments[1].text,
            let directories = try? Self.directories()
        else { return nil }
        let diagnostics = KeeperDiagnostics()
        return ConnectionKeeper(
            executor: executor,
            path: path,
            trustStore: FileTrustStore(directories, diagnostics: diagnostics),
            diagnostics: diagnostics,
            library: { () throws(VTError) in try SSHLibrary() }
        )
    }

    func makeRunner() -> CommandRunner {
        let console = Console(
            input: ProcessInput(),
            output: ProcessOutput(.output, poller: executor.poller),
            errorOutput: ProcessOutput(.errorOutput, poller: executor.poller),
            terminal: ProcessTerminal(poller: executor.poller),
            signals: ProcessSignals(),
            environment: .process
        )
        return CommandRunner(console: console, dependencies: dependencies)
    }

    /// Libraries, the passwd database and directories are accessed only when a command needs them.
    private var dependencies: Dependencies {
        let executor = executor
        let profiles = OnFirstUse { () throws(VTError) in FileProfileStore(path: try Self.directories().profiles) }
        return Dependencies(
            clock: LoopClock(executor),
            account: { Account.current() },
            directories: Self.directories,
            profiles: { () throws(VTError) in try profiles.value() },
            secrets: { () throws(VTError) in try Self.secretStore(on: executor) },
            secretReader: { () throws(VTError) in
                SecretSourceReader(
                    store: try Self.secretStore(on: executor),
                    environment: .process,
                    home: try Self.directories().home,
                    clock: LoopClock(executor)
                )
            },
            keys: { () throws(VTError) in FileKeyStore(directory: try Self.directories().keys) },
            keySource: LibraryKeyPairSource(),
            hostKeys: { diagnostics throws(VTError) in try Self.trustStore(diagnostics) },
            sshConfiguration: Self.sshConfigurationReader,
            connections: { diagnostics throws(VTError) in
                KeeperRegistry(
                    executor: executor,
                    directory: KeeperDirectory(path: try Self.directories().connections),
                    diagnostics: diagnostics
                )
            },
            connector: { diagnostics in Self.connector(on: executor, diagnostics) },
            localMachine: { Self.localMachine(polledBy: executor) },
            foreground: { Self.localMachine(polledBy: executor) },
            localFiles: LocalFileSystem(),
            background: { BackgroundProgram(program: OwnProgram.path, environment: Environment.process.words) },
            sessions: { () throws(VTError) in try Self.sessionStore(on: executor) },
            sessionNames: { () throws(VTError) in
                FileSessionNameCache(directory: try Self.directories().sessionNames, profiles: try profiles.value())
            },
            survival: { Self.survivalDetector(on: executor) },
            filmEncoder: { GIFRenderer(environment: .process, clock: LoopClock(executor), diagnostics: $0) },
            digest: LibraryDigest(),
            libraries: Self.libraryVersions,
            algorithms: { () throws(VTError) in try SSHLibrary().algorithms() },
            inspector: { () throws(VTError) in
                LocalMachineInspector(
                    directories: try Self.directories(),
                    environment: .process,
                    survival: Self.survivalDetector(on: executor)
                )
            }
        )
    }

    // MARK: - Adapters

    @Sendable private static func directories() throws(VTError) -> StateDirectories {
        try StateDirectories(.process)
    }

    private static func secretStore(on executor: LoopExecutor) throws(VTError) -> any SecretStore {
        SystemSecretStore(path: try directories().secrets, environment: .process, clock: LoopClock(executor))
    }

    private static func trustStore(_ diagnostics: any Diagnostics) throws(VTError) -> FileTrustStore {
        FileTrustStore(try directories(), diagnostics: diagnostics)
    }

    @Sendable private static func sshConfigurationReader() throws(VTError) -> any SSHConfigurationReader {
        guard let account = Account.current() else {
            throw VTError(.config, "the user running vt has no passwd entry")
        }
        return FileSSHConfigurationReader(home: try directories().home, account: account, environment: .process)
    }

    private static func connector(on executor: LoopExecutor, _ diagnostics: any Diagnostics) -> any Connector {
        TransportConnector(
            ssh: sshTransport(on: executor, diagnostics),
            machine: { localMachine(polledBy: executor) },
            executor: executor
        )
    }

    private static func localMachine(polledBy executor: LoopExecutor) -> LocalMachine {
        LocalMachine(
            shell: Account.current()?.shell ?? "/bin/sh",
            environment: Environment.process.words,
            poller: executor.poller
        )
    }

    private static func sshConnector(
        on executor: LoopExecutor,
        _ diagnostics: any Diagnostics
    ) throws(VTError) -> SSHConnector {
        try SSHConnector(
            library: try SSHLibrary(),
            executor: executor,
            trustStore: try trustStore(diagnostics),
            environment: Environment.process.words
        )
    }

    private static func sshTransport(on executor: LoopExecutor, _ diagnostics: any Diagnostics) -> SSHTransport {
        SSHTransport(
            executor: executor,
            directory: (try? directories()).map { KeeperDirectory(path: $0.connections) },
            program: OwnProgram.path,
            version: Release.version,
            environment: .process,
            diagnostics: diagnostics
        ) { executor throws(VTError) in try sshConnector(on: executor, diagnostics) }
    }

    private static func sessionStore(on executor: LoopExecutor) throws(VTError) -> any SessionStore {
        FileSessionStore(
            directory: SessionDirectory(path: try directories().sessions),
            program: OwnProgram.path,
            version: Release.version,
            poller: executor.poller,
            clock: LoopClock(executor)
        )
    }

    private static func survivalDetector(on executor: LoopExecutor) -> any SurvivalDetector {
        SystemdSurvivalDetector(
            environment: .process,
            user: Account.current()?.name ?? "",
            userID: geteuid(),
            clock: LoopClock(executor)
        )
    }

    @Sendable private static func libraryVersions() throws(VTError) -> [LibraryVersion] {
        [LibraryVersion("libssh2", try SSHLibrary().version)]
    }
}

extension FileTrustStore {
    /// The store of host keys: vt's own known_hosts file, and OpenSSH's files, which are only read.
    fileprivate init(_ directories: StateDirectories, diagnostics: any Diagnostics) {
        self.init(
            ownFile: directories.knownHosts,
            home: directories.home,
            diagnostics: diagnostics
        )
    }
}
