/// What a shell offers for a value or an operand.
package enum CompletionKind: String, CaseIterable, Encodable, Sendable {
    case none
    case file
    case directory
    /// A saved profile.
    case profile
    /// What `vt exec` acts on: profiles and `local`, with commas between them.
    case target
    /// A session, here or on a server.
    case session
    /// The name of a server.
    case hostName = "host_name"
    /// What the commands of `vt host` act on: profiles, their servers, and the hosts whose keys are known.
    case knownHost = "known_host"
    /// A tag of a profile.
    case tag
    /// A program and its words.
    case command
    case environmentName = "environment_name"
    /// A command of vt or another page of `vt help`.
    case helpTopic = "help_topic"

    /// The word after `vt complete` that lists the candidates, for what only vt knows.
    package var dynamicList: String? {
        switch self {
        case .profile: "profiles"
        case .target: "targets"
        case .session: "sessions"
        case .hostName: "hosts"
        case .knownHost: "known-hosts"
        case .tag: "tags"
        case .none, .file, .directory, .command, .environmentName, .helpTopic: nil
        }
    }
}
