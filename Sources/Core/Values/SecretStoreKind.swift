/// The places that keep secrets.
package enum SecretStoreKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The freedesktop Secret Service, through secret-tool(1).
    case secretService = "secret-service"
    /// A file of mode 0600 below vt's own directory; only when asked for.
    case file
}
