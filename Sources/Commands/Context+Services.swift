import Core
import Services
import Storage
import System

/// The services that commands use, created from the dependencies on demand.
extension Context {
    func profileService() throws(VTError) -> ProfileService {
        ProfileService(profiles: try dependencies.profiles(), secrets: try dependencies.secrets())
    }

    /// `configuration` is OpenSSH's configuration, or nil if it is not used.
    func planResolver(configuration: (any SSHConfiguration)? = nil) throws(VTError) -> PlanResolver {
        PlanResolver(
            profiles: try dependencies.profiles(),
            secrets: try secretReader(),
            environment: console.environment,
            account: dependencies.account(),
            configuration: configuration
        )
    }

    /// Checks that no settings are given for connections if nothing but this machine is used.
    ///
    /// - Throws: `usage`, unless the command accepts superfluous settings.
    func checkConnection() throws(VTError) {
        guard connection.keepsSettings, let property = connection.sshProperty else { return }
        throw VTError(.usage, "the given \(property) requires a server", hint: "specify a server, or omit the option")
    }

    func secretReader() throws(VTError) -> SecretSourceReader {
        SecretSourceReader(
            store: try dependencies.secrets(),
            environment: console.environment,
            home: try dependencies.directories().home,
            clock: dependencies.clock
        )
    }

    /// Reads the configuration of the OpenSSH client.
    func sshConfigurationReader() throws(VTError) -> FileSSHConfigurationReader {
        let home = try dependencies.directories().home
        // As id(1) does, the number of a user without a passwd entry stands for the name.
        let account = dependencies.account() ?? Account(name: "\(LinuxProcess.userID)", home: home ?? "")
        return FileSSHConfigurationReader(home: home, account: account, environment: console.environment)
    }

    /// Prints a note for each missing private key that a profile names.
    func reportMissingIdentities(of profile: Profile) throws(VTError) {
        for path in try planResolver().missingIdentities(of: profile) {
            diagnostics.note("private key '\(path)' does not exist; it is needed to connect to '\(profile.name)'")
        }
    }

    func reportMissingAuthorities(of profile: Profile) throws(VTError) {
        guard let path = try planResolver().missingAuthorities(of: profile) else { return }
        diagnostics.note("file '\(path)' does not exist; it is needed to connect to '\(profile.name)'")
    }

    func connectionRegistry() throws(VTError) -> any ConnectionRegistry {
        try dependencies.connections(diagnostics)
    }

    /// Closes the shared connections of profiles that have changed.
    func closeConnections(of profiles: [String]) async throws(VTError) {
        try await connectionRegistry().close { connection in profiles.contains(where: connection.belongs) }
    }

    func hostService() throws(VTError) -> HostService {
        HostService(registry: try dependencies.hostKeys(diagnostics), connector: connector())
    }

    func keyService() throws(VTError) -> KeyService {
        KeyService(
            store: try keyStore(),
            source: dependencies.keySource,
            profiles: try dependencies.profiles()
        )
    }

    private func keyStore() throws(VTError) -> FileKeyStore {
        FileKeyStore(directory: try dependencies.directories().keys)
    }

    func keyDeployment() -> KeyDeployment {
        KeyDeployment(connector: connector(), observer: connectionObserver)
    }

    /// Returns a service that notes if a server rejects one of the variables with these names.
    func execService(reporting variables: Set<String> = []) -> ExecService {
        let (diagnostics, observer) = (diagnostics, connectionObserver)
        return ExecService(
            connector: connector(),
            local: dependencies.localMachine(),
            clock: dependencies.clock
        ) { name, step in
            observer(name, step)
            guard case .refused(let variable) = step, variables.contains(variable) else { return }
            diagnostics.note("'\(name)' rejected the variable '\(variable)'; to set it in any case, use --pass-env")
        }
    }

    func fileService() -> FileService {
        FileService(
            connector: connector(),
            clock: dependencies.clock,
            observer: connectionObserver
        )
    }

    func forwardService() -> ForwardService {
        ForwardService(
            connector: connector(),
            observer: connectionObserver,
            diagnostics: diagnostics
        )
    }

    func connectionTest() -> ConnectionTest {
        ConnectionTest(
            connector: connector(),
            http: dependencies.http(),
            keys: dependencies.keySource,
            clock: dependencies.clock,
            diagnostics: diagnostics
        )
    }

    func installService() -> InstallService {
        InstallService(
            connector: connector(),
            clock: dependencies.clock,
            observer: connectionObserver
        )
    }

    func doctorService() throws(VTError) -> DoctorService {
        DoctorService(
            libraries: try dependencies.libraries(),
            profiles: try dependencies.profiles(),
            directories: try dependencies.directories(),
            environment: console.environment,
            survival: dependencies.survival
        )
    }

    func completionService() throws(VTError) -> CompletionService {
        let cache = try sessionNames()
        return CompletionService(
            profiles: try dependencies.profiles(),
            // Completion reports no errors.
            localSessions: { (try? dependencies.sessions().names()) ?? [] },
            remoteSessions: { cache.names() },
            knownHosts: knownHostNames,
            keys: { (try? keyStore().names()) ?? [] }
        )
    }

    // MARK: - Sessions

    /// Returns a client of the sessions on a profile's server, or on this machine if `profile` is nil; the caller
    /// closes the client.
    func sessionClient(on profile: String?) throws(VTError) -> SessionClient {
        SessionClient(try sessionMachine(profile))
    }

    /// Returns a service that attaches to sessions on a profile's server, or on this machine if `profile` is nil; the
    /// caller closes the service.
    func attachService(on profile: String?) throws(VTError) -> AttachService {
        AttachService(machine: try sessionMachine(profile), clock: dependencies.clock, version: Release.version)
    }

    func queueStore() throws(VTError) -> FileQueueStore {
        FileQueueStore(directory: try dependencies.directories().queue)
    }

    func relayService() throws(VTError) -> RelayService {
        let doctor = try doctorService()
        return RelayService(try localSessions(), home: console.environment["HOME"] ?? "") {
            await doctor.findings(version: Release.version)
        }
    }

    private func sessionMachine(_ profile: String?) throws(VTError) -> any SessionMachine {
        guard let name = profile,
            let (profile, plan) = try planResolver().resolve(
                try Target(parsing: name),
                options: connection,
                isStrict: true
            )
        else { return try localSessions() }
        if case .vibeTunnel(let plan) = plan, let profile {
            return VibeTunnelSessions(
                plan,
                http: dependencies.http(),
                keys: dependencies.keySource,
                profile: profile,
                cache: try sessionNames(),
                clock: dependencies.clock,
                version: Release.version,
                diagnostics: diagnostics
            )
        }
        return try remoteSessions(plan, of: profile)
    }

    /// Returns the sessions of a server, with the settings of its profile, if it has one.
    ///
    /// The server's name is the one with which commands specify its sessions.
    func remoteSessions(_ plan: ConnectionPlan, of profile: Profile? = nil) throws(VTError) -> RemoteSessions {
        RemoteSessions(
            plan: plan.mapSSH { $0.name = plan.target },
            profile: profile,
            connector: connector(),
            cache: try sessionNames(),
            clock: dependencies.clock,
            version: Release.version,
            diagnostics: diagnostics
        )
    }

    private func localSessions() throws(VTError) -> LocalSessions {
        LocalSessions(
            host: try dependencies.sessions(),
            survival: dependencies.survival,
            environment: console.environment,
            account: dependencies.account(),
            clock: dependencies.clock,
            snapshots: SnapshotService(
                directory: try dependencies.directories().snapshots,
                machine: dependencies.localMachine(),
                environment: console.environment,
                clock: dependencies.clock,
                diagnostics: diagnostics
            ),
            version: Release.version,
            diagnostics: diagnostics
        )
    }

    func playService() -> PlayService {
        PlayService(clock: dependencies.clock, diagnostics: diagnostics)
    }

    private func sessionNames() throws(VTError) -> FileSessionNameCache {
        let directory = try dependencies.directories().sessionNames
        return FileSessionNameCache(directory: directory, profiles: try dependencies.profiles())
    }

    private func connector() -> any Connector {
        dependencies.connector(diagnostics)
    }

    /// The hosts in vt's own known_hosts file whose names denote a single host; empty if the file cannot be read, because
    /// completion reports no errors.
    private func knownHostNames() -> [String] {
        guard let hosts = try? dependencies.hostKeys(SilentDiagnostics()).knownHosts(for: nil, in: HostKeyLookup())
        else { return [] }
        let special = Set("*?!|")
        return hosts.filter { $0.isOwn && $0.marker == nil }.flatMap { $0.names.split(separator: ",") }
            .filter { !$0.contains(where: special.contains) }.map { $0.lowercased() }
    }
}

/// Discards all messages.
private struct SilentDiagnostics: Diagnostics {
    func note(_ message: String) {}

    func detail(_ message: @autoclosure () -> String) {}
}
