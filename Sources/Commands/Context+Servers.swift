import Core
import Services
import Storage
import System

/// Servers and their sessions, as the command line and the profiles specify them.
extension Context {
    func profileService() throws(VTError) -> ProfileService {
        ProfileService(profiles: try world.profiles(), secrets: try world.secrets())
    }

    /// `configuration` is OpenSSH's configuration, or nil if it is not used.
    func planResolver(configuration: (any SSHConfiguration)? = nil) throws(VTError) -> PlanResolver {
        PlanResolver(
            profiles: try world.profiles(),
            secrets: try secretReader(),
            environment: world.environment,
            account: world.account(),
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
            store: try world.secrets(),
            environment: world.environment,
            home: try world.directories().home,
            clock: world.clock
        )
    }

    /// Reads the configuration of the OpenSSH client.
    func sshConfigurationReader() throws(VTError) -> FileSSHConfigurationReader {
        let home = try world.directories().home
        // As id(1) does, the number of a user without a passwd entry stands for the name.
        let account = world.account() ?? Account(name: "\(LinuxProcess.userID)", home: home ?? "")
        return FileSSHConfigurationReader(home: home, account: account, environment: world.environment)
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

    /// Closes the shared connections of profiles that have changed.
    func closeConnections(of profiles: [String]) async throws(VTError) {
        try await world.connections(diagnostics).close { connection in profiles.contains(where: connection.belongs) }
    }

    /// Returns a client of the sessions on a profile's server, or on this machine if `profile` is nil; the caller
    /// closes the client.
    func sessionClient(on profile: String?) throws(VTError) -> SessionClient {
        SessionClient(try sessionMachine(profile))
    }

    /// Returns a service that attaches to sessions on a profile's server, or on this machine if `profile` is nil; the
    /// caller closes the service.
    func attachService(on profile: String?) throws(VTError) -> AttachService {
        AttachService(machine: try sessionMachine(profile), clock: world.clock, version: Release.version)
    }

    private func sessionMachine(_ profile: String?) throws(VTError) -> any SessionMachine {
        guard let name = profile,
            let (profile, plan) = try planResolver().resolve(
                try Target(parsing: name),
                options: connection,
                isStrict: true
            )
        else { return try LocalSessions(world) }
        if case .vibeTunnel(let plan) = plan, let profile {
            return try VibeTunnelSessions(plan, profile: profile, in: world)
        }
        return try remoteSessions(plan, of: profile)
    }

    /// Returns the sessions of a server, with the settings of its profile, if it has one.
    ///
    /// The server's name is the one with which commands specify its sessions.
    func remoteSessions(_ plan: ConnectionPlan, of profile: Profile? = nil) throws(VTError) -> RemoteSessions {
        try RemoteSessions(plan: plan.mapSSH { $0.name = plan.target }, profile: profile, in: world)
    }
}
