import Arguments
import Commands
import Core
import HTTP
import Runtime
import SecureShell
import Services
import SessionHost
import Storage
import System
import Web

/// Selects the concrete types for the ports.
struct CompositionRoot {
    /// Runs everything on the main thread.
    let executor: LoopExecutor

    /// Returns the plugin to run if the first argument is its name, otherwise nil.
    ///
    /// A plugin replaces this process, so it starts before anything changes the process's streams and signals.
    static func plugin(_ arguments: [ByteString]) -> Plugin? {
        guard let word = arguments.first, word != SessionHolder.verb, word != MuxServer.verb else { return nil }
        return Plugin.named(in: arguments, of: CommandTable.tree, environment: .process)
    }

    /// Returns the session holder to run if the first argument is the hidden verb, otherwise nil.
    ///
    /// A holder runs as long as its session and needs none of the commands' dependencies, so it starts before they are
    /// created.
    static func holder(_ arguments: [ByteString]) -> SessionHolder? {
        arguments.first == SessionHolder.verb ? SessionHolder() : nil
    }

    /// Returns the mux server of a shared connection to run if the first argument is its hidden verb, otherwise nil.
    func muxServer(_ arguments: [ByteString]) -> MuxServer? {
        guard arguments.count == 2, arguments[0] == MuxServer.verb, let path = arguments[1].text,
            let directories = try? Self.directories()
        else { return nil }
        let diagnostics = MuxDiagnostics()
        return MuxServer(
            executor: executor,
            path: path,
            trustStore: FileTrustStore(directories, diagnostics: diagnostics),
            diagnostics: diagnostics,
            library: { () throws(VTError) in try SSHLibrary() }
        )
    }

    func makeRunner() -> CommandRunner {
        let console = Console(
            input: StandardStream.input,
            output: ProcessOutput(.output, poller: executor.poller),
            errorOutput: ProcessOutput(.errorOutput, poller: executor.poller),
            terminal: ProcessTerminal(poller: executor.poller),
            signals: ProcessSignals(),
            environment: .process
        )
        return CommandRunner(console: console, world: world(console))
    }

    /// Libraries, the passwd database and directories are accessed only when a command needs them.
    private func world(_ console: Console) -> World {
        let executor = executor
        let profiles = OnFirstUse { () throws(VTError) in FileProfileStore(path: try Self.directories().profiles) }
        let diagnostics = ConsoleDiagnostics(console, global: GlobalOptions())
        var world = World(clock: LoopClock(executor), environment: .process, diagnostics: diagnostics)
        world.account = { Account.current() }
        world.directories = Self.directories
        world.profiles = { () throws(VTError) in try profiles.value() }
        world.secrets = { () throws(VTError) in try Self.secretStore(on: executor) }
        world.keySource = { LibraryKeyPairSource() }
        world.hostKeys = { diagnostics throws(VTError) in try Self.trustStore(diagnostics) }
        world.connections = { diagnostics throws(VTError) in
            MuxRegistry(
                executor: executor,
                directory: try Self.muxDirectory(),
                diagnostics: diagnostics
            )
        }
        world.connector = { diagnostics in Self.connector(on: executor, diagnostics) }
        world.localMachine = { Self.localMachine(polledBy: executor) }
        world.http = { Self.httpClient(on: executor) }
        world.sessions = { () throws(VTError) in try Self.sessionStore(on: executor) }
        world.web = { NIOWebServer(executor: executor) }
        world.survival = {
            let user = Account.current()?.name ?? ""
            let detector = SystemdSurvivalDetector(environment: .process, user: user, clock: LoopClock(executor))
            return await detector.detect()
        }
        world.libraries = { () throws(VTError) in [("libssh2", try SSHLibrary().version)] }
        world.algorithms = { () throws(VTError) in try SSHLibrary().algorithms() }
        return world
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

    private static func connector(on executor: LoopExecutor, _ diagnostics: any Diagnostics) -> any Connector {
        TransportConnector(
            ssh: sshTransport(on: executor, diagnostics),
            machine: { localMachine(polledBy: executor) },
            executor: executor,
            http: httpClient(on: executor)
        )
    }

    private static func localMachine(polledBy executor: LoopExecutor) -> LocalMachine {
        LocalMachine(
            shell: Account.current()?.shell ?? "/bin/sh",
            environment: Environment.process.words,
            poller: executor.poller
        )
    }

    private static func httpClient(on executor: LoopExecutor) -> HTTPClient {
        HTTPClient(clock: LoopClock(executor)) { endpoint throws(VTError) in
            try await TCPDialer.connect(to: endpoint, on: executor)
        }
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
            directory: try? muxDirectory(),
            diagnostics: diagnostics
        ) { executor throws(VTError) in try sshConnector(on: executor, diagnostics) }
    }

    private static func muxDirectory() throws(VTError) -> MuxDirectory {
        MuxDirectory(
            path: try directories().connections,
            program: OwnProgram.path,
            version: Release.version,
            environment: .process
        )
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
