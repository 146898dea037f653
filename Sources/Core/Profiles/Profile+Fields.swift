extension Profile: JSONRecord {
    package static let documentName = "profile"
    package static let documentSummary = "a saved server"

    /// In the order in which the profiles file has them.
    package static let fields: JSONTable<Self> = [
        .stored("id", \.id, "ID, which does not change when the profile is renamed"),
        .stored("name", \.name, "name"),
        .stored("host", \.host, "host name or address; absent if `via`, `link` or `vibetunnel` is set"),
        .stored("port", \.port, "port; absent if `via`, `link` or `vibetunnel` is set", isRequired: false),
        .stored("user", \.user, "user name; absent for the local user name"),
        .stored(
            "identities",
            \.identities,
            "paths of private keys, in the order in which they are tried",
            isRequired: false
        ),
        .stored("agent", \.agent, "whether keys of the SSH agent are tried", isRequired: false),
        .stored("password", \.password, "source of the password, or of the token of a link", isRequired: false),
        .stored("passphrase", \.passphrase, "source of the passphrase of encrypted keys", isRequired: false),
        .stored("secret_store", \.secretStore, "store that contains saved secrets"),
        .stored("jump", \.jump, "profile of the jump host"),
        .stored("proxy_command", \.proxyCommand, "shell command through which vt connects"),
        .stored(
            "via",
            \.via,
            "program used instead of SSH: commands run over its standard streams, and the SSH fields have no "
                + "meaning"
        ),
        .stored("link", \.link, "page of a link to sessions, used instead of SSH; the SSH fields have no meaning"),
        .stored(
            "vibetunnel",
            \.vibeTunnel,
            "URL of a VibeTunnel server, whose sessions are used instead of those of vt"
        ),
        .stored("ca", \.authorities, "PEM file with the authorities that certify the server of `link` or `vibetunnel`"),
        .stored(
            "host_key_policy",
            \.hostKeyPolicy,
            "`accept-new`, `strict`, or `pin` with a fingerprint: `pin SHA256:...`",
            isRequired: false
        ),
        .stored("known_hosts", \.knownHosts, "additional known_hosts file to read"),
        .stored("allowed_algorithms", \.allowedAlgorithms, "weak algorithms that are allowed", isRequired: false),
        .stored(
            "connect_timeout_ms",
            \.connectTimeout,
            "timeout for logging in; absent for the default",
            in: .milliseconds
        ),
        .stored(
            "keep_alive_ms",
            \.keepAlive,
            "keep-alive interval; 0 disables keep-alives; absent for the default",
            in: .milliseconds
        ),
        .stored(
            "keep_alive_count",
            \.keepAliveCount,
            "number of unanswered keep-alives after which vt disconnects; absent for the default"
        ),
        .stored(
            "share_ms",
            \.share,
            "how long an unused connection is kept open for other commands; 0 disables sharing; absent for the "
                + "default",
            in: .milliseconds
        ),
        .stored("cwd", \.cwd, "working directory of commands"),
        .stored("environment", \.environment, "environment variables of commands", isRequired: false),
        .stored("shell", \.shell, "program that interprets command lines instead of the login shell"),
        .stored("tags", \.tags, "tags", isRequired: false),
        .stored("note", \.note, "note"),
        .stored("created_at", \.createdAt, "time of creation", in: .time),
        .stored(
            "last_connected_at",
            \.lastConnectedAt,
            "time of the last connection, updated at most once an hour",
            in: .time
        ),
    ]
}

extension Profile {
    /// A property of a profile that is a row of `fields`.
    package typealias Property = any PartialKeyPath<Profile> & Sendable

    /// The properties of SSH connections, with nouns for messages.
    private static let sshProperties: [(property: Property, noun: String)] = [
        (\.host, "host"), (\.user, "user"), (\.port, "port"), (\.identities, "identity"), (\.agent, "agent"),
        (\.password, "password"), (\.passphrase, "passphrase"), (\.secretStore, "secret store"),
        (\.jump, "jump host"), (\.proxyCommand, "proxy command"), (\.hostKeyPolicy, "host key policy"),
        (\.knownHosts, "known_hosts file"), (\.allowedAlgorithms, "algorithms"), (\.keepAlive, "keep-alive"),
        (\.keepAliveCount, "keep-alive"), (\.share, "connection sharing"),
    ]

    /// Those of `sshProperties` that also apply to a link, whose token is the password.
    private static let linkProperties: [Property] = [\.password, \.secretStore]

    /// Those of `sshProperties` that also apply to a VibeTunnel server.
    private static let vibeTunnelProperties: [Property] = [
        \.user, \.identities, \.agent, \.password, \.passphrase, \.secretStore,
    ]

    /// The properties that do not apply to a transport, with nouns for messages.
    package static func inapplicable(to transport: ConnectionPlan.Transport) -> [(property: Property, noun: String)] {
        switch transport {
        case .ssh: [(\.authorities, "file of authorities")]
        case .program: sshProperties + [(\.authorities, "file of authorities")]
        case .link: sshProperties.filter { ssh in !linkProperties.contains { $0 == ssh.property } }
        case .vibeTunnel:
            sshProperties.filter { ssh in !vibeTunnelProperties.contains { $0 == ssh.property } }
                + [(\.environment, "environment"), (\.shell, "shell")]
        }
    }

    /// Properties that replace each other: setting one of a group resets the others.
    package static let alternatives: [[Property]] = [[\.host, \.via, \.link, \.vibeTunnel], [\.jump, \.proxyCommand]]
}
