import Core

/// Names that are not those of profiles.
extension PlanResolver {
    /// Returns the host that a word names which is not the name of a profile; nil if it does not name one.
    ///
    /// It names a host if it contains a dot or a port, is `localhost`, or if the options specify a user, because
    /// rsync(1) passes `USER@HOST` as `-l USER HOST`.
    ///
    /// - Throws: `not-found` if the name of a profile is similar, unless the options specify a user; `usage`.
    func host(
        named word: String,
        _ options: HostSettings,
        among all: [String: Profile]
    ) throws(VTError) -> Destination? {
        guard options.user == nil else { return try Destination(parsing: word) }
        guard Self.looksLikeHost(word) else { return nil }
        let host = try Destination(parsing: word)
        guard let near = Suggestion.nearest(to: host.host, among: all.keys.sorted()) else { return host }
        throw VTError(
            .notFound,
            "no such profile: '\(word)'",
            hint: "did you mean '\(near)'? for the host, use '\(host.text)'"
        )
    }

    private static func looksLikeHost(_ word: String) -> Bool {
        word == "localhost" || word.contains { $0 == "." || $0 == ":" }
    }

    /// The error for an option that would replace a setting of a target.
    static func replaced(_ setting: String, of target: Target) -> VTError {
        guard case .profile(let name) = target else {
            return VTError(.usage, "'\(target.text)' has another \(setting) than the options")
        }
        return VTError(
            .usage,
            "profile '\(name)' has another \(setting) than the options",
            hint: "omit the option, use 'vt profile edit \(name)', or specify the server as USER@HOST"
        )
    }

    func missing(_ name: String, among all: [String: Profile]) -> VTError {
        var error = ProfileRules.missing(name, in: all)
        if Suggestion.nearest(to: name, among: Array(all.keys)) == nil {
            let host = Self.looksLikeHost(name) ? try? Destination(parsing: name).text : nil
            error.hint = "see 'vt profile list', or use \(host ?? "USER@HOST") for a server without a profile"
        }
        return error
    }
}
