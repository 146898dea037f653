import Core

/// The kind of completions that a shell offers for a value or operand.
package enum CompletionKind: String, CaseIterable, JSONValue, Sendable {
    case none
    case file
    case directory
    /// A file on a server, as `PROFILE:PATH`.
    case remoteFile = "remote_file"
    /// A file on this machine or on a server.
    case anyFile = "any_file"
    /// A saved profile.
    case profile
    /// Targets of `vt exec`: profiles and `local`, comma-separated.
    case target
    /// A session, on this machine or a server.
    case session
    /// The name of a server.
    case hostName = "host_name"
    /// Hosts for `vt host` commands: profiles, their servers, and hosts with known keys.
    case knownHost = "known_host"
    /// A key that vt keeps.
    case key
    /// A key of a keyboard, with modifiers.
    case keyName = "key_name"
    /// A tag of a profile.
    case tag
    /// A program and its arguments.
    case command
    case environmentName = "environment_name"
    /// A command of vt or another topic of `vt help`.
    case helpTopic = "help_topic"

    /// The argument of `vt complete` that lists the candidates, for kinds that only vt can list.
    package var dynamicList: String? {
        switch self {
        case .profile: "profiles"
        case .remoteFile: "files"
        case .target: "targets"
        case .session: "sessions"
        case .hostName: "hosts"
        case .knownHost: "known-hosts"
        case .key: "keys"
        case .keyName: "key-names"
        case .tag: "tags"
        case .none, .file, .directory, .anyFile, .command, .environmentName, .helpTopic: nil
        }
    }
}
