import Core
import HTTP
import Speech
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
    let keySource: any KeyPairSource
    let hostKeys: ReportingMaker<any TrustStore>
    let connections: ReportingMaker<any ConnectionRegistry>
    let connector: @Sendable (any Diagnostics) -> any Connector
    let localMachine: @Sendable () -> any CommandHost
    let http: @Sendable () -> HTTPClient
    let speechEngine: @Sendable (EnginePlan) -> any SpeechEngine
    let sessions: Maker<any SessionStore>
    let web: @Sendable () -> any WebServer
    let survival: @Sendable () async -> Survival
    let libraries: Maker<[(name: String, version: String)]>
    let algorithms: Maker<[AlgorithmKind: AlgorithmList]>

    /// - Parameters:
    ///   - clock: Measures timeouts and pauses.
    ///   - account: The user that vt runs as; nil if there is no passwd entry.
    ///   - directories: The directories that contain vt's files.
    ///   - profiles: The saved servers.
    ///   - secrets: The store of saved secrets.
    ///   - keySource: Generates and parses keys.
    ///   - hostKeys: The known host keys; new keys and skipped lines are reported.
    ///   - connections: The connections that commands share.
    ///   - connector: Connects to servers; new host keys are reported.
    ///   - localMachine: Runs programs on this machine.
    ///   - http: Sends requests to servers.
    ///   - speechEngine: Turns speech into text.
    ///   - sessions: The sessions of this machine.
    ///   - web: Serves pages, and connects to the server of another command.
    ///   - survival: Determines whether a session would survive the user's logout.
    ///   - libraries: The libraries in use, with the versions found at run time.
    ///   - algorithms: The algorithms that SSH connections can use.
    package init(
        clock: any Clock<Duration>,
        account: @escaping @Sendable () -> Account?,
        directories: @escaping Maker<StateDirectories>,
        profiles: @escaping Maker<any ProfileStore>,
        secrets: @escaping Maker<any SecretStore>,
        keySource: any KeyPairSource,
        hostKeys: @escaping ReportingMaker<any TrustStore>,
        connections: @escaping ReportingMaker<any ConnectionRegistry>,
        connector: @escaping @Sendable (any Diagnostics) -> any Connector,
        localMachine: @escaping @Sendable () -> any CommandHost,
        http: @escaping @Sendable () -> HTTPClient,
        speechEngine: @escaping @Sendable (EnginePlan) -> any SpeechEngine,
        sessions: @escaping Maker<any SessionStore>,
        web: @escaping @Sendable () -> any WebServer,
        survival: @escaping @Sendable () async -> Survival,
        libraries: @escaping Maker<[(name: String, version: String)]>,
        algorithms: @escaping Maker<[AlgorithmKind: AlgorithmList]>
    ) {
        self.clock = clock
        self.account = account
        self.directories = directories
        self.profiles = profiles
        self.secrets = secrets
        self.keySource = keySource
        self.hostKeys = hostKeys
        self.connections = connections
        self.connector = connector
        self.localMachine = localMachine
        self.http = http
        self.speechEngine = speechEngine
        self.sessions = sessions
        self.web = web
        self.survival = survival
        self.libraries = libraries
        self.algorithms = algorithms
    }
}
