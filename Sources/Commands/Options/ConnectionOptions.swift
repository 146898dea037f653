import Arguments
import Core
import Services

/// The options for connecting to servers, which all commands that log in to servers have.
enum ConnectionOptions {
    private static let user = Option(
        "user",
        .user,
        summary: "log in as this user"
    )
    private static let port = Option("port", .port, summary: "connect to this port")
    private static let identity = Option("identity", .file, summary: "log in with this private key").repeatable()
    private static let knownHosts = Option("known-hosts", .file, summary: "also read this known_hosts file")
    private static let option = Option(
        "option",
        .text("NAME=VALUE"),
        summary: "set an option of ssh_config(5)",
        details: "The supported options are HostName, User, Port, AddressFamily, ConnectTimeout, ServerAliveInterval, "
            + "ServerAliveCountMax, ProxyCommand, ProxyJump, IdentityFile, IdentitiesOnly, StrictHostKeyChecking, "
            + "UserKnownHostsFile, PasswordAuthentication, PreferredAuthentications and, in 'vt exec', SendEnv, SetEnv, "
            + "RequestTTY and StdinNull. Host keys are always checked: 'StrictHostKeyChecking=no' means accept-new. "
            + "Options that do not apply to vt are ignored; all other options are rejected."
    ).repeatable()

    static let options: [any CommandOption] = options(user: user, port: port, identity: identity, option: option)

    /// The options, with the letters that they have in ssh(1).
    static let optionsWithLetters: [any CommandOption] = options(
        user: user.short("l"),
        port: port.short("p"),
        identity: identity.short("i"),
        option: option.short("o")
    )

    private static func options(
        user: Option<String?>,
        port: Option<UInt16?>,
        identity: Option<[String]>,
        option: Option<[String]>
    ) -> [any CommandOption] {
        let own: [any CommandOption] = [user, port, identity, knownHosts, option]
        let secrets = SecretOptions.password.options + SecretOptions.passphrase.options
        return .under("Connection options", topic: "targets", own + secrets)
    }

    /// Returns the settings that a command line gives for its connections; none if it has no such options.
    ///
    /// - Throws: `usage`, also for an option of ssh_config(5) that does not determine how to connect.
    static func plan(_ call: Call) throws(VTError) -> HostSettings {
        let options = options + [SharedOptions.connectTimeout, SharedOptions.noShare]
        let isGiven = call.occurrences.contains { given in options.contains { $0.long == given.long } }
        guard isGiven, call.accepts(option) else { return HostSettings() }
        let ssh = try sshOptions(call)
        if let setting = ssh.effect {
            throw VTError(
                .usage,
                "--option: '\(setting.spelling)' does not apply to 'vt \(call.spec.name)'",
                hint: "see 'vt help \(call.spec.name)'"
            )
        }
        var settings = try plan(call, ssh)
        settings.keepsSettings = true
        return settings
    }

    /// Returns the options of ssh_config(5).
    static func sshOptions(_ call: Call) throws(VTError) -> HostSettings {
        var ssh = HostSettings()
        for text in call[option] { try ssh.apply(text) }
        return ssh
    }

    /// Returns the settings; vt's own options take precedence over those of ssh_config(5).
    static func plan(_ call: Call, _ ssh: HostSettings) throws(VTError) -> HostSettings {
        var options = ssh
        options.port = call[port] ?? ssh.port
        options.user = call[user] ?? ssh.user
        if let identities = ssh.identities {
            options.identities = call[identity] + identities
        } else if !call[identity].isEmpty {
            options.keyFiles = call[identity]
        }
        options.knownHosts = call[knownHosts]
        options.password = try SecretOptions.password.source(in: call)
        options.passphrase = try SecretOptions.passphrase.source(in: call)
        if call.accepts(SharedOptions.connectTimeout) {
            options.connectTimeout = call[SharedOptions.connectTimeout] ?? ssh.connectTimeout
        }
        if call.accepts(SharedOptions.noShare), call[SharedOptions.noShare] { options.shareTimeout = .zero }
        return options
    }
}

extension Command {
    package static func connection(_ call: Call) throws(VTError) -> HostSettings {
        try ConnectionOptions.plan(call)
    }
}
