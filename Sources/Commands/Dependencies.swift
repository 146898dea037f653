import Core
import Recording
import Services
import System

/// The ports of this machine and of the network that commands use, each opened when it is first needed.
package struct Dependencies: Sendable {
    package typealias Maker<Port> = @Sendable () throws(VTError) -> Port
    /// Makes a port that reports on standard error.
    package typealias ReportingMaker<Port> = @Sendable (any Diagnostics) throws(VTError) -> Port

    let clock: any Clock<Duration>
    let account: @Sendable () -> Account?
    let directories: Maker<StateDirectories>
    let profiles: Maker<any ProfileStore>
    let secrets: Maker<any SecretStore>
    let secretReader: Maker<any SecretReading>
    let keys: Maker<any KeyStore>
    let keySource: any KeyPairSource
    let hostKeys: ReportingMaker<any HostKeyRegistry>
    let sshConfiguration: Maker<any SSHConfigurationReader>
    let connections: ReportingMaker<any ConnectionRegistry>
    let connector: @Sendable (any Diagnostics) -> any Connector
    let localMachine: @Sendable () -> any CommandHost
    let foreground: @Sendable () -> any ForegroundRunner
    let localFiles: any FileSystem
    let background: @Sendable () -> any BackgroundRunner
    let sessions: Maker<any SessionStore>
    let sessionNames: Maker<any SessionNameCache>
    let survival: @Sendable () -> any SurvivalDetector
    let filmEncoder: @Sendable (any Diagnostics) -> any FilmEncoder
    let digest: any ContentDigest
    let libraries: Maker<[LibraryVersion]>
    let algorithms: Maker<[AlgorithmKind: AlgorithmList]>
    let inspector: Maker<any MachineInspector>

    /// - Parameters:
    ///   - clock: Measures timeouts and pauses.
    ///   - account: The user that vt runs as; nil if there is no passwd entry.
    ///   - directories: The directories that contain vt's files.
    ///   - profiles: The saved servers.
    ///   - secrets: The store of saved secrets.
    ///   - secretReader: Reads secrets from the sources given in profiles and options.
    ///   - keys: The keys stored by vt.
    ///   - keySource: Generates and parses keys.
    ///   - hostKeys: The known host keys; new keys and skipped lines are reported.
    ///   - sshConfiguration: Reads OpenSSH's configuration.
    ///   - connections: The connections that commands share.
    ///   - connector: Connects to servers; new host keys are reported.
    ///   - localMachine: Runs programs on this machine.
    ///   - foreground: Runs programs on this machine with the standard streams of this process.
    ///   - localFiles: The files of this machine.
    ///   - background: Continues commands in the background.
    ///   - sessions: The sessions of this machine.
    ///   - sessionNames: The names of sessions on servers, as last seen.
    ///   - survival: Determines whether a session would survive the user's logout.
    ///   - filmEncoder: Encodes GIF images.
    ///   - digest: Computes checksums of files.
    ///   - libraries: The libraries in use, with the versions found at run time.
    ///   - algorithms: The algorithms that SSH connections can use.
    ///   - inspector: Checks whether this machine meets the requirements of sessions.
    package init(
        clock: any Clock<Duration>,
        account: @escaping @Sendable () -> Account?,
        directories: @escaping Maker<StateDirectories>,
        profiles: @escaping Maker<any ProfileStore>,
        secrets: @escaping Maker<any SecretStore>,
        secretReader: @escaping Maker<any SecretReading>,
        keys: @escaping Maker<any KeyStore>,
        keySource: any KeyPairSource,
        hostKeys: @escaping ReportingMaker<any HostKeyRegistry>,
        sshConfiguration: @escaping Maker<any SSHConfigurationReader>,
        connections: @escaping ReportingMaker<any ConnectionRegistry>,
        connector: @escaping @Sendable (any Diagnostics) -> any Connector,
        localMachine: @escaping @Sendable () -> any CommandHost,
        foreground: @escaping @Sendable () -> any ForegroundRunner,
        localFiles: any FileSystem,
        background: @escaping @Sendable () -> any BackgroundRunner,
        sessions: @escaping Maker<any SessionStore>,
        sessionNames: @escaping Maker<any SessionNameCache>,
        survival: @escaping @Sendable () -> any SurvivalDetector,
        filmEncoder: @escaping @Sendable (any Diagnostics) -> any FilmEncoder,
        digest: any ContentDigest,
        libraries: @escaping Maker<[LibraryVersion]>,
        algorithms: @escaping Maker<[AlgorithmKind: AlgorithmList]>,
        inspector: @escaping Maker<any MachineInspector>
    ) {
        self.clock = clock
        self.account = account
        self.directories = directories
        self.profiles = profiles
        self.secrets = secrets
        self.secretReader = secretReader
        self.keys = keys
        self.keySource = keySource
        self.hostKeys = hostKeys
        self.sshConfiguration = sshConfiguration
        self.connections = connections
        self.connector = connector
        self.localMachine = localMachine
        self.foreground = foreground
        self.localFiles = localFiles
        self.background = background
        self.sessions = sessions
        self.sessionNames = sessionNames
        self.survival = survival
        self.filmEncoder = filmEncoder
        self.digest = digest
        self.libraries = libraries
        self.algorithms = algorithms
        self.inspector = inspector
    }
}
