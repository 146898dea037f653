/// What one server may be shown, in the order of trial: agent, identities, password.
package struct Credentials: Sendable {
    /// Gives a secret when it is needed, and never before; nil when there is none.
    package typealias SecretProvider = @Sendable () async throws(VTError) -> Secret?

    /// The agent's socket; nil: no agent.
    package var agentSocket: String?
    /// Absolute paths of private keys.
    package var identities: [Identity]
    /// For encrypted identities.
    package var passphrase: SecretProvider
    /// For the methods `password` and `keyboard-interactive`.
    package var password: SecretProvider

    /// A private key on disk.
    package struct Identity: Hashable, Sendable {
        package var path: String
        /// Whether it was asked for by name, so that a missing one is an error.
        ///
        /// The usual files of `~/.ssh` need not exist.
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
