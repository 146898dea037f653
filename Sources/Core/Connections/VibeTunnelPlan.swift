/// How to reach a VibeTunnel server, and how to log in.
package struct VibeTunnelPlan: Sendable {
    /// The profile's name.
    package var name: String
    /// The URL of the server, below which its API is.
    package var address: HTTPAddress
    /// Nil for the user that the server runs as.
    package var user: String?
    /// The password and the keys with which vt can log in.
    package var credentials: Credentials
    /// The token of an earlier login.
    package var savedToken: Credentials.SecretProvider
    /// Saves the token of a login for later commands.
    package var saveToken: @Sendable (Secret) async throws(VTError) -> Void
    /// A PEM file with the authorities that certify the server; nil for those of the system.
    package var authorities: String?
    /// The time that the server may take to answer.
    package var connectTimeout: Duration

    package init(
        name: String,
        address: HTTPAddress,
        user: String?,
        credentials: Credentials,
        savedToken: @escaping Credentials.SecretProvider,
        saveToken: @escaping @Sendable (Secret) async throws(VTError) -> Void,
        authorities: String?,
        connectTimeout: Duration
    ) {
        self.name = name
        self.address = address
        self.user = user
        self.credentials = credentials
        self.savedToken = savedToken
        self.saveToken = saveToken
        self.authorities = authorities
        self.connectTimeout = connectTimeout
    }
}
