/// The credentials for one server: keys of the agent, identities and a password.
package struct Credentials: Sendable {
    /// Returns a secret on demand; nil if there is none.
    package typealias SecretProvider = @Sendable () async throws(VTError) -> Secret?

    /// The agent's socket; nil disables the agent.
    package var agentSocket: String?
    /// The private keys, with absolute paths.
    package var identities: [Identity]
    /// The certificates of keys, with absolute paths, in addition to those next to the identities.
    package var certificates: [String] = []
    /// Whether only those keys of the agent are used whose private or public key is one of the identities.
    package var isLimitedToIdentities = false
    /// The passphrase for encrypted identities.
    package var passphrase: SecretProvider
    /// The password for the methods `password` and `keyboard-interactive`.
    package var password: SecretProvider
    /// The methods to try, in order; keys of the agent are tried before the identities.
    package var methods = AuthenticationMethod.standard

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
