import Core

/// Where vt keeps its files.
///
/// `VT_HOME` holds everything; without it the XDG Base Directory Specification is followed: `$XDG_CONFIG_HOME/vt`,
/// `$XDG_STATE_HOME/vt` and `$XDG_CACHE_HOME/vt`, by default below `~/.config`, `~/.local/state` and `~/.cache`. A relative path in an XDG variable counts as
/// absent, as the specification demands. Nothing is made here.
package struct StateDirectories: Hashable, Sendable {
    /// The user's home directory: `HOME`, or what the passwd entry says.
    package let home: String
    /// Profiles and host keys.
    package let configuration: String
    /// Secrets and sessions.
    package let state: String
    /// What can be made again.
    package let cache: String

    /// Reads the variables `VT_HOME`, `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME` and `HOME`.
    ///
    /// `account` is asked only where `HOME` is absent.
    ///
    /// - Throws: `config` when there is neither a `HOME` nor a passwd entry, and when a variable is not UTF-8: another
    ///   directory than the one it names must not take its place.
    package init(
        _ environment: Environment,
        account: () -> Account? = Account.current
    ) throws(VTError) {
        let names = environment["VT_HOME"] == nil ? Self.variables : ["HOME", "VT_HOME"]
        if let name = names.first(where: environment.isUnreadable) {
            throw VTError(.config, "the variable \(name) is not UTF-8", hint: "set \(name) to a path in UTF-8")
        }
        guard let home = environment["HOME"] ?? account()?.home, home.hasPrefix("/") else {
            throw VTError(.config, "cannot determine the home directory", hint: "set HOME to an absolute path")
        }
        self.home = home
        if let directory = environment["VT_HOME"] {
            let path = directory.hasPrefix("/") ? directory : "\(WorkingDirectory.path)/\(directory)"
            (configuration, state, cache) = (path, path, "\(path)/cache")
        } else {
            configuration = "\(Self.absolute(environment["XDG_CONFIG_HOME"]) ?? "\(home)/.config")/vt"
            state = "\(Self.absolute(environment["XDG_STATE_HOME"]) ?? "\(home)/.local/state")/vt"
            cache = "\(Self.absolute(environment["XDG_CACHE_HOME"]) ?? "\(home)/.cache")/vt"
        }
    }

    package var profiles: String { "\(configuration)/profiles.json" }
    package var knownHosts: String { "\(configuration)/known_hosts" }
    package var secrets: String { "\(state)/secrets.json" }
    package var sessions: String { "\(state)/sessions" }
    /// Screens within recordings, so that others are quick to find.
    package var keyframes: String { "\(cache)/keyframes" }
    /// The names of the sessions of servers, as they were last.
    package var sessionNames: String { "\(state)/session-names" }

    /// Puts the home directory in the place of a leading `~/`, or of `~` alone.
    package func expandingTilde(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }

    private static let variables = ["HOME", "VT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]

    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path
    }
}
