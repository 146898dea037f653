/// Caches the names of sessions on servers, so that shell completion needs no connection.
package protocol SessionNameCache: Sendable {
    /// The cached names by profile; empty if they cannot be read.
    func names() -> [String: [String]]

    /// Caches the names of a server's sessions; errors are ignored.
    func remember(_ names: [String], of profile: String)
}
