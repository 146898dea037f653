import Core

/// The directories for vt's files.
///
/// If `VT_HOME` is set, it contains all files. Otherwise, the directories follow the XDG Base Directory Specification:
/// `$XDG_CONFIG_HOME/vt` and `$XDG_STATE_HOME/vt`, by default in `~/.config` and `~/.local/state`. A relative path in an
/// XDG variable is ignored, as the specification requires. The directories might not exist.
package struct StateDirectories: Hashable, Sendable {
    /// The user's home directory, from `HOME` or the passwd entry; nil if neither exists and `VT_HOME` is set.
    package let home: String?
    /// Profiles and host keys.
    package let configuration: String
    /// Keys, secrets, sessions, queues, the names of sessions on servers, and the sockets of shared connections.
    package let state: String

    /// Reads the variables `VT_HOME`, `XDG_CONFIG_HOME`, `XDG_STATE_HOME` and `HOME`.
    ///
    /// `account` is called only if `HOME` is unset.
    ///
    /// - Throws: `config` when there is neither `VT_HOME` nor an absolute home directory, when `VT_HOME` is relative, because
    ///   each working directory would have other files, or when a variable is not UTF-8, because ignoring it would silently
    ///   select another directory.
    package init(
        _ environment: Environment,
        account: () -> Account? = Account.current
    ) throws(VTError) {
        let names = environment["VT_HOME"] == nil ? Self.variables : ["HOME", "VT_HOME"]
        if let name = names.first(where: environment.isUnreadable) {
            throw VTError(.config, "the value of \(name) is not UTF-8", hint: "set \(name) to a path in UTF-8")
        }
        home = (environment["HOME"] ?? account()?.home).flatMap { $0.hasPrefix("/") ? $0 : nil }
        if let directory = environment["VT_HOME"] {
            guard directory.hasPrefix("/") else {
                throw VTError(
                    .config,
                    "VT_HOME is not an absolute path: '\(directory)'",
                    hint: "set VT_HOME to an absolute path"
                )
            }
            (configuration, state) = (directory, directory)
        } else {
            guard let home else { throw Self.unknownHome }
            configuration = "\(Self.absolute(environment["XDG_CONFIG_HOME"]) ?? "\(home)/.config")/vt"
            state = "\(Self.absolute(environment["XDG_STATE_HOME"]) ?? "\(home)/.local/state")/vt"
        }
    }

    package var profiles: String { "\(configuration)/profiles.json" }
    package var knownHosts: String { "\(configuration)/known_hosts" }
    package var secrets: String { "\(state)/secrets.json" }
    /// The keys that vt has generated or imported.
    package var keys: String { "\(state)/keys" }
    package var sessions: String { "\(state)/sessions" }
    /// The snapshots of directory trees.
    package var snapshots: String { "\(state)/snapshots" }
    /// The sockets of shared connections.
    package var connections: String { "\(state)/connections" }
    /// Input that waits for sessions.
    package var queue: String { "\(state)/queue" }
    /// The socket for controlling 'vt serve'.
    package var server: String { "\(state)/serve/socket" }
    /// The last known names of the sessions on servers.
    package var sessionNames: String { "\(state)/session-names" }

    /// The error for a path that starts with `~` if there is no home directory.
    package static let unknownHome = VTError(
        .config,
        "cannot determine the home directory: HOME is not set, and the user has no passwd entry",
        hint: "set HOME to an absolute path, or VT_HOME to a directory for all of vt's files"
    )

    private static let variables = ["HOME", "VT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]

    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path
    }
}
