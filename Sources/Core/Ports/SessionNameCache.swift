/// Remembers the names of sessions on servers, for shells to offer without asking anybody.
package protocol SessionNameCache: Sendable {
    /// What was remembered last, by profile; nothing where that cannot be read.
    func names() -> [String: [String]]

    /// Remembers the names of a server's sessions; that this fails does not matter to anybody.
    func remember(_ names: [String], of profile: String)
}
