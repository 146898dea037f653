import Core

/// What the command line says about a connection; it goes before the profile.
package struct PlanOptions: Sendable {
    package var user: String?
    package var port: UInt16?
    /// Replace the profile's identities when there are any.
    package var identities: [String] = []
    package var password: SecretSource?
    package var passphrase: SecretSource?
    package var connectTimeout: Duration?

    package init() {}
}
