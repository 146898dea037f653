import Arguments

/// The files that commands use, with their paths if neither VT_HOME nor an XDG variable is set (see
/// `StateDirectories`).
extension FileSpec {
    static let profiles = FileSpec("~/.config/vt/profiles.json", "saved servers")
    static let knownHosts = FileSpec("~/.config/vt/known_hosts", "host keys stored by vt")
    static let openSSHKnownHosts = FileSpec(
        "~/.ssh/known_hosts",
        "host keys stored by OpenSSH, which vt reads but does not change"
    )
    static let openSSHConfiguration = FileSpec(
        "~/.ssh/config",
        "OpenSSH's configuration, for 'vt ssh' and 'vt profile import'"
    )
    static let openSSHSystemConfiguration = FileSpec(
        "/etc/ssh/ssh_config",
        "OpenSSH's system-wide configuration, for 'vt ssh'"
    )
    static let keys = FileSpec("~/.local/state/vt/keys/", "keys generated or imported by vt")
    static let secrets = FileSpec("~/.local/state/vt/secrets.json", "secrets saved with --secret-store file")
    static let connections = FileSpec("~/.local/state/vt/connections/", "sockets of shared connections")
    static let sessions = FileSpec("~/.local/state/vt/sessions/", "sessions on this machine, with their logs")
    static let queue = FileSpec("~/.local/state/vt/queue/", "input that waits for sessions")
    static let snapshots = FileSpec("~/.local/state/vt/snapshots/", "snapshots of work trees on this machine")
    static let server = FileSpec("~/.local/state/vt/serve/", "socket of 'vt serve', for 'vt share'")
    static let sessionNames = FileSpec(
        "~/.local/state/vt/session-names/",
        "names of sessions on servers, for shell completion"
    )

    static let all = [
        profiles, knownHosts, openSSHKnownHosts, openSSHConfiguration, openSSHSystemConfiguration, keys, secrets,
        connections, sessions, queue, snapshots, server, sessionNames,
    ]
}
