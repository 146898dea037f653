/// A session as the command line names it: `[PROFILE:]SESSION`.
package struct SessionReference: Hashable, Sendable {
    /// The server's profile; nil for this machine.
    package let profile: String?
    /// A name or an id; exact, never a prefix.
    package let session: String

    package init(profile: String?, session: String) {
        self.profile = profile
        self.session = session
    }

    /// Reads `SESSION`, `PROFILE:SESSION`, or `local:SESSION` for this machine.
    ///
    /// - Throws: `usage` when a part is empty.
    package init(parsing text: String) throws(VTError) {
        guard let colon = text.firstIndex(of: ":") else {
            guard !text.isEmpty else { throw VTError(.usage, "a session name is empty") }
            self.init(profile: nil, session: text)
            return
        }
        let profile = String(text[..<colon])
        let session = String(text[text.index(after: colon)...])
        guard !profile.isEmpty, !session.isEmpty else {
            throw VTError(.usage, "'\(text)' is not [PROFILE:]SESSION")
        }
        self.init(profile: profile == ProfileName.local ? nil : profile, session: session)
    }

    /// As it is written on the command line.
    package var text: String {
        profile.map { "\($0):\(session)" } ?? session
    }
}
