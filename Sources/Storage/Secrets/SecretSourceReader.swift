import Core
import Runtime
import System

/// Reads secrets from environment variables, files, commands and the store.
package struct SecretSourceReader: Sendable {
    private let store: any SecretStore
    private let environment: Environment
    private let home: String?
    private let timeout: Duration
    private let clock: any Clock<Duration>

    /// `environment` is also the environment of commands; `home` is what `~` stands for, and nil if that is unknown;
    /// `timeout` is how long a command may take.
    package init(
        store: any SecretStore,
        environment: Environment,
        home: String?,
        timeout: Duration = .seconds(60),
        clock: any Clock<Duration>
    ) {
        self.store = store
        self.environment = environment
        self.home = home
        self.timeout = timeout
        self.clock = clock
    }

    /// Returns the secret, or nil if the source is `none`.
    ///
    /// `profile` is the secret's profile; nil for an unsaved server, which has no stored secrets.
    ///
    /// - Throws: `config` when the source has no secret, and errors from the store and from commands.
    package func secret(
        _ purpose: SecretKey.Purpose,
        from source: SecretSource,
        of profile: Profile?
    ) async throws(VTError) -> Secret? {
        if source == .stored { return try await stored(purpose, of: profile) }
        return try await secret(named: purpose.rawValue, from: source)
    }

    /// Returns a secret that does not belong to a profile, or nil if the source is `none`.
    ///
    /// `secret` is what messages call it.
    ///
    /// - Throws: `config` when the source has no secret, and errors from commands.
    package func secret(named secret: String, from source: SecretSource) async throws(VTError) -> Secret? {
        switch source {
        case .none:
            return nil
        case .stored:
            throw VTError(.config, "no secret store is specified for the stored \(secret)")
        case .environment(let name):
            guard let value = environment[name] else {
                throw VTError(.config, "the variable '\(name)' for the \(secret) is not set")
            }
            return try Secret(Array(value.utf8))
        case .file(let path):
            guard path.hasPrefix("~/") else { return try file(secret, path) }
            guard let home else { throw StateDirectories.unknownHome }
            return try file(secret, home + path.dropFirst())
        case .command(let line):
            return try await command(secret, line)
        }
    }

    /// The token of the last login to the VibeTunnel server of a profile; nil if there is none.
    package func login(of profile: Profile) async throws(VTError) -> Secret? {
        try await store.secret(profile.loginKey, in: profile.loginStore)
    }

    package func storeLogin(_ token: Secret, of profile: Profile) async throws(VTError) {
        try await store.store(token, as: profile.loginKey, in: profile.loginStore)
    }

    private func stored(_ purpose: SecretKey.Purpose, of profile: Profile?) async throws(VTError) -> Secret? {
        guard let profile, let kind = profile.secretStore else {
            throw VTError(.config, "no secret store is specified for the stored \(purpose.rawValue)")
        }
        guard let secret = try await store.secret(profile.secretKey(purpose), in: kind) else {
            throw VTError(
                .config,
                "the \(purpose.rawValue) of '\(profile.name)' is not in the secret store",
                hint: "to store it, use 'vt profile edit \(profile.name) --\(purpose.rawValue)-stdin'"
            )
        }
        return secret
    }

    private func file(_ secret: String, _ path: String) throws(VTError) -> Secret {
        guard let bytes = try FileContents.read(path) else {
            throw VTError(.config, "the file '\(path)' for the \(secret) does not exist")
        }
        return try Secret(firstLineOf: bytes, from: "'\(path)'")
    }

    /// Neither the command nor its output may appear in a message, because either could contain the secret.
    private func command(_ secret: String, _ line: String) async throws(VTError) -> Secret {
        let plan = SpawnPlan(
            arguments: ["/bin/sh", "-c", ByteString(line)],
            environment: environment.words
        )
        let capture: ChildProcess.Capture
        do throws(VTError) {
            capture = try await ChildProcess.capture(plan, timeout: timeout, on: clock)
        } catch {
            guard error.code == .timedOut else { throw error }
            throw VTError(.timedOut, "the command for the \(secret) did not exit within \(timeout.shortText)")
        }
        guard capture.status == .exited(0) else {
            throw VTError(.config, "the command for the \(secret) failed: \(capture.status.phrase)")
        }
        return try Secret(firstLineOf: capture.output, from: "the output of the command for the \(secret)")
    }
}
