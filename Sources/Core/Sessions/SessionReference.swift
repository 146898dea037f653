/// A session as given on the command line: `[PROFILE:]SESSION`.
package struct SessionReference: Hashable, Sendable {
    /// The server, to be parsed by `Target`; nil for this machine.
    package let profile: String?
    /// A name or an ID; must match exactly.
    package let session: String

    package init(profile: String?, session: String) {
        self.profile = profile
        self.session = session
    }

    /// Parses `SESSION`, `PROFILE:SESSION`, `local:SESSION` for this machine, `[USER@]PROFILE:SESSION`,
    /// `USER@HOST[:PORT]:SESSION`, or `ssh://[USER@]HOST[:PORT]/SESSION`.
    ///
    /// Except in a URL, the server part ends at the last colon, because session names contain no colons.
    ///
    /// - Throws: `usage` when a part is empty, or the session is missing after a server.
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
            throw VTError(
                .usage,
                "invalid session '\(text)': expected [PROFILE:]SESSION",
                hint: session.isEmpty && !isURL && !profile.isEmpty
                    ? "see 'vt sessions list \(ByteString(profile).shellQuoted.repairedText)'" : nil
            )
        }
        self.init(profile: profile == ProfileName.local ? nil : profile, session: session)
    }

    /// The reference as written on the command line.
    package var text: String {
        guard let profile else { return session }
        return profile.hasPrefix("ssh://") ? "\(profile)/\(session)" : "\(profile):\(session)"
    }
}
