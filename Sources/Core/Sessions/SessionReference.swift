/// A session as the command line names it: `[PROFILE:]SESSION`.
package struct SessionReference: Hashable, Sendable {
    /// The server as `Target` reads it; nil for this machine.
    package let profile: String?
    /// A name or an id; exact, never a prefix.
    package let session: String

    package init(profile: String?, session: String) {
        self.profile = profile
        self.session = session
    }

    /// Reads `SESSION`, `PROFILE:SESSION`, `local:SESSION` for this machine, `[USER@]PROFILE:SESSION`,
    /// `USER@HOST[:PORT]:SESSION`, or `ssh://[USER@]HOST[:PORT]/SESSION`.
    ///
    /// The last colon ends the server: no name of a session holds one.
    ///
    /// - Throws: `usage` when a part is empty.
    package init(parsing text: String) throws(VTError) {
        let isURL = text.hasPrefix("ssh://")
        let server = isURL ? text.dropFirst("ssh://".count) : text[...]
        guard let end = server.lastIndex(of: isURL ? "/" : ":") else {
            guard !isURL, !text.isEmpty, !text.contains("@") else {
                throw VTError(
                    .usage,
                    text.isEmpty ? "the session name is empty" : "invalid session '\(text)'",
                    hint: "use PROFILE:SESSION, USER@HOST[:PORT]:SESSION or ssh://[USER@]HOST[:PORT]/SESSION"
                )
            }
            self.init(profile: nil, session: text)
            return
        }
        let profile = String(text[..<end])
        let session = String(text[text.index(after: end)...])
        guard !server[..<end].isEmpty, !session.isEmpty else {
            throw VTError(.usage, "invalid session '\(text)': expected [PROFILE:]SESSION")
        }
        self.init(profile: profile == ProfileName.local ? nil : profile, session: session)
    }

    /// As it is written on the command line.
    package var text: String {
        guard let profile else { return session }
        return profile.hasPrefix("ssh://") ? "\(profile)/\(session)" : "\(profile):\(session)"
    }
}
