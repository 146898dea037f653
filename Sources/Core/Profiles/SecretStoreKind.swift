/// Where secrets can be stored.
package enum SecretStoreKind: String, CaseIterable, Hashable, JSONReadable, Sendable {
    /// The freedesktop Secret Service, through secret-tool(1).
    case secretService = "secret-service"
    /// A file with mode 0600 in vt's own directory; used only on request.
    case file
}
