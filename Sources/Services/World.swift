import Core
import HTTP
import Storage
import System
import VibeTunnel

/// What a run uses of this machine and of the network.
///
/// Each port is opened when it is first needed. One that has not been set traps, so that a test cannot use more than it
/// expects.
package struct World: Sendable {
    package typealias Port<Value> = @Sendable () throws(VTError) -> Value
    /// A port that reports what happens later.
    package typealias ReportingPort<Value> = @Sendable (any Diagnostics) throws(VTError) -> Value

    /// Measures timeouts and pauses.
    package var clock: any Clock<Duration>
    package var environment: Environment
    package var diagnostics: any Diagnostics
    /// Receives the steps of connecting.
    package var observer: ConnectionObserver = { _, _ in }
    /// The version of this vt, for holders and relays.
    package var version = Release.version
    /// The user that vt runs as; nil if there is no passwd entry.
    package var account: @Sendable () -> Account? = { nil }
    /// The directories that contain vt's files.
    package var directories: Port<StateDirectories> = { fatalError("no directories") }
    /// The saved servers.
    package var profiles: Port<any ProfileStore> = { fatalError("no profiles") }
    /// The saved secrets.
    package var secrets: Port<any SecretStore> = { fatalError("no secrets") }
    /// Generates and parses keys.
    package var keySource: @Sendable () -> any KeyPairSource = { fatalError("no keys") }
    /// The known host keys; new keys and skipped lines are reported.
    package var hostKeys: ReportingPort<any TrustStore> = { _ in fatalError("no host keys") }
    /// The connections that commands share.
    package var connections: ReportingPort<any ConnectionRegistry> = { _ in fatalError("no shared connections") }
    /// Connects to servers, and reports new host keys; the user of a connector closes it.
    package var connector: @Sendable (any Diagnostics) -> any Connector = { _ in fatalError("no connector") }
    /// Runs programs on this machine.
    package var localMachine: @Sendable () -> any CommandHost = { fatalError("no programs") }
    /// Sends requests to servers.
    package var http: @Sendable () -> HTTPClient = { fatalError("no network") }
    /// The sessions of this machine.
    package var sessions: Port<any SessionStore> = { fatalError("no sessions") }
    /// Serves pages, and connects to the server of another command.
    package var web: @Sendable () -> any WebServer = { fatalError("no pages") }
    /// Determines whether a session would survive the user's logout.
    package var survival: @Sendable () async -> Survival = { fatalError("no sessions") }
    /// The libraries in use, with the versions found at run time.
    package var libraries: Port<[(name: String, version: String)]> = { fatalError("no libraries") }
    /// The algorithms that SSH connections can use.
    package var algorithms: Port<[AlgorithmKind: AlgorithmList]> = { fatalError("no libraries") }

    package init(clock: any Clock<Duration>, environment: Environment = Environment([:]), diagnostics: any Diagnostics)
    {
        (self.clock, self.environment, self.diagnostics) = (clock, environment, diagnostics)
    }

    func makeConnector() -> any Connector { connector(diagnostics) }
}

extension FileSessionNameCache {
    package init(_ world: World) throws(VTError) {
        self.init(directory: try world.directories().sessionNames, profiles: try world.profiles())
    }
}

extension VibeTunnelServer {
    convenience init(_ plan: VibeTunnelPlan, in world: World) {
        self.init(plan, http: world.http(), keys: world.keySource(), diagnostics: world.diagnostics)
    }
}

extension FileQueueStore {
    package init(_ world: World) throws(VTError) {
        self.init(directory: try world.directories().queue)
    }
}
