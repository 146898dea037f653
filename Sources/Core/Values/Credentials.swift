/// The credentials for one server, tried in this order: agent, identities and password.
package struct Credentials: Sendable {
    /// Returns a secret on demand; nil if there is none.
    package typealias SecretProvider = @Sendable () async throws(VTError) -> Secret?

    /// The agent's socket; nil disables the agent.
    package var agentSocket: String?
    /// The private keys, with absolute paths.
    package var identities: [Identity]
    /// The passphrase for encrypted identities.
    package var passphrase: SecretProvider
    /// The password for the methods `password` and `keyboard-interactive`.
    package var password: SecretProvider
    /// Whether `password` can return a password at all.
    package var hasPassword = true

    /// A private key on disk.
    package struct Identity: Hashable, Sendable {
        package var path: String
        /// Whether the key was requested explicitly, so that a missing file is an error.
        ///
        /// The default files in `~/.ssh` need not exist.
        package var isRequired: Bool

        package init(path: String, isRequired: Bool) {
            self.path = path
            self.isRequired = isRequired
        }
    }

    package init(
        agentSocket: String?,
        identities: [Identity],
        passphrase: @escaping SecretProvider,
        password: @escaping SecretProvider
    ) {
        self.agentSocket = agentSocket
        self.identities = identities
        self.passphrase = passphrase
        self.password = password
    }
}
