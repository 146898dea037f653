import Arguments
import Core
import Services
import System

/// The options that describe a profile, for `vt profile add` and `vt profile edit`.
enum ProfileOptions {
    private static let user = Option("user", short: "l", .user, summary: "log in as this user")
    private static let port = Option("port", short: "p", .port, summary: "connect to this port")
    private static let identity = Option(
        "identity",
        short: "i",
        nonempty("FILE", completion: .file),
        default: "id_ed25519, id_ecdsa, id_rsa in ~/.ssh",
        summary: "log in with this private key"
    ).repeatable()
    static let key = Option("key", .text("NAME", completion: .key), summary: "log in with this key managed by 'vt key'")
        .repeatable()
    private static let noAgent = Option.flag(
        "no-agent",
        excludes: [agent],
        summary: "do not use the keys of the SSH agent"
    )
    private static let agent = Option.flag("agent", summary: "try the keys of the SSH agent first (the default)")
    private static let secretStore = Option(
        "secret-store",
        ValueKind("STORE", choices: ["auto", "file"]) { $0 == "file" ? SecretStoreKind.file : .secretService },
        default: "auto",
        summary: "choose where secrets from standard input are stored",
        details: "'auto' uses the desktop's Secret Service through secret-tool(1). 'file' uses an unencrypted file "
            + "with mode 0600 in vt's state directory."
    )
    private static let jump = Option(
        "jump",
        short: "J",
        .text("PROFILE", completion: .profile),
        excludes: [proxyCommand],
        summary: "connect through this jump host"
    )
    private static let proxyCommand = Option(
        "proxy-command",
        nonempty("COMMAND", completion: .command),
        summary: "connect through the standard input and output of a shell command",
        details: "%h, %p, %r and %n are replaced by the host, port, user and profile, and %% by a percent sign."
    )
    static let via = Option(
        "via",
        ValueKind("COMMAND", completion: .command, parse: viaCommand),
        summary: "run commands through the standard streams of a program instead of SSH",
        details: "COMMAND is split into words as in sh, with quotes and backslashes but without expansions, and is "
            + "started without a shell. The words of the command to run are appended, or replace the word {argv}. If "
            + "the program passes a command line to a shell, as ssh does, use {line}: the whole command, quoted for "
            + "that shell, replaces it as a single word, or as part of a longer word. The machine that the program "
            + "reaches must have /bin/sh. A profile with --via cannot have a host, port, user, keys, password, jump "
            + "host or host key policy."
    )
    static let link = Option.flag(
        "link-stdin",
        excludes: [via, vibeTunnel, SecretOptions.passwordInput] + SecretOptions.password.options,
        summary: "reach the sessions of a link of 'vt serve' or 'vt share', which is read from standard input",
        details: "The link is the whole URL, with the part after '#', which is stored as the password. Through a link, "
            + "only commands for sessions can be used, as far as it allows them. A profile with --link-stdin cannot "
            + "have a host, port, user, keys, jump host or host key policy."
    )
    static let vibeTunnel = Option(
        "vibetunnel",
        ValueKind("URL", parse: vibeTunnelAddress),
        summary: "use the sessions of a VibeTunnel server",
        details:
            "URL is http://HOST or https://HOST, with or without a port and a path, or only HOST; the default port of "
            + "http is 4020. 'vt attach', 'vt record' and the 'vt sessions' commands work with the sessions of the "
            + "server, except for exec, ask, mark, history, freeze, pause and resume; other commands cannot run there. Only "
            + "--user, keys, --ca, secrets, the timeout, --cwd, --tag and --note can be combined with it."
    )
    private static let ca = Option(
        "ca",
        nonempty("FILE", completion: .file),
        summary:
            "trust the server of a link or of VibeTunnel, whose URL must be https, if an authority in this PEM file "
            + "certifies it"
    )
    private static let hostKeyPolicy = Option(
        "host-key-policy",
        .choice("POLICY", [HostKeyPolicy.acceptNew, .strict]),
        default: "accept-new",
        excludes: [hostKey],
        summary: "accept and store the keys of new hosts, or reject them"
    )
    private static let hostKey = Option(
        "host-key",
        ValueKind("FINGERPRINT", parse: fingerprint),
        summary: "trust only the host key with this fingerprint, written as SHA256:BASE64"
    )
    private static let knownHosts = Option(
        "known-hosts",
        nonempty("FILE", completion: .file),
        summary: "also read this known_hosts file"
    )
    private static let allowAlgorithm = Option(
        "allow-algorithm",
        .text("NAME", choices: AlgorithmList.weak),
        summary: "allow a weak algorithm for this server, if vt supports it ('vt ssh -Q' lists the supported ones)"
    ).repeatable()
    private static let connectTimeout = SharedOptions.connectTimeout(atLeast: .milliseconds(1))
    private static let keepAlive = Option(
        "keep-alive",
        .duration,
        default: "15s",
        summary: "send a keep-alive after this long without data, at most once every 2s; 0s disables keep-alives"
    )
    private static let keepAliveCount = Option(
        "keep-alive-count",
        .number(in: 1...1000),
        default: "3",
        summary: "disconnect after N unanswered keep-alives"
    )
    private static let share = Option(
        "share",
        ValueKind("DURATION", parse: ConnectionSharing.timeout(parsing:)),
        default: "60s",
        summary: "keep the connection open until it has been unused for this long; 'off' disables sharing"
    )
    private static let cwd = Option("cwd", nonempty("DIR"), summary: "run commands in this directory")
    private static let env = SharedOptions.environment(of: "commands")
    private static let shell = Option(
        "shell",
        nonempty("PROGRAM"),
        summary: "run shell commands with this program instead of the login shell"
    )
    private static let tag = Option("tag", .tag, summary: "add a tag, for selecting several profiles at once")
        .repeatable()
    private static let note = Option("note", nonempty("TEXT"), summary: "store a note")

    /// Options that set a property of a profile.
    private struct Row: Sendable {
        let options: [any CommandOption]
        /// The property as a choice of `--unset`; nil if it cannot be reset on its own.
        var resettable: (name: String, property: Profile.Property)?
        /// Changes the property if one of the options was given.
        let apply: @Sendable (Call, inout ProfileEdit) throws(VTError) -> Void
    }

    /// The options shared by `add` and `edit`, in manual order, with the headings in help.
    private static let sections: [(heading: String, rows: [Row])] = [
        ("Server", server), ("Authentication", authentication), ("Host keys", hostKeys), ("Connection", connection),
        ("Commands", commands), ("Other ways to connect", substitutes),
    ]

    private static let rows = sections.flatMap(\.rows)

    private static let server = [
        row(user, \.user),
        row(port, \.port),
        row(jump, \.jump),
        row(proxyCommand, \.proxyCommand),
        row(tag, \.tags),
        row(note, \.note),
    ]

    private static let authentication = [
        row(identity, \.identities),
        // The keys, the link and the secrets of standard input are not known before the command runs.
        Row(options: [key]) { _, _ in },
        Row(options: [noAgent, agent], resettable: ("agent", \.agent)) { call, edit in
            if call[noAgent] { edit.agent = false }
            if call[agent] { edit.agent = true }
        },
        row(SecretOptions.password, SecretOptions.passwordInput, \.password),
        row(SecretOptions.passphrase, SecretOptions.passphraseInput, \.passphrase),
        Row(options: [secretStore]) { $1.secretStore = $0[secretStore] },
    ]

    private static let substitutes = [
        row(via, \.via),
        Row(options: [link]) { _, _ in },
        row(vibeTunnel, \.vibeTunnel),
        row(ca, \.authorities),
    ]

    private static let hostKeys = [
        Row(options: [hostKeyPolicy]) { $1.hostKeyPolicy = $0[hostKeyPolicy] },
        Row(options: [hostKey], resettable: (hostKey.long, \.hostKeyPolicy)) { call, edit in
            if let pin = call[hostKey] { edit.hostKeyPolicy = .pin(pin) }
        },
        row(knownHosts, \.knownHosts),
        row(allowAlgorithm, \.allowedAlgorithms),
    ]

    private static let connection = [
        row(connectTimeout, \.connectTimeout),
        row(keepAlive, \.keepAlive),
        row(keepAliveCount, \.keepAliveCount),
        row(share, \.share),
    ]

    private static let commands = [
        row(cwd, \.cwd),
        Row(options: [env], resettable: (env.long, \.environment)) { call, edit in
            guard call.contains(env) else { return }
            edit.environment = Dictionary(call[env].map { ($0.name, $0.value) }) { _, last in last }
        },
        row(shell, \.shell),
    ]

    private static func row<Value>(
        _ option: Option<Value?>,
        _ property: any WritableKeyPath<Profile, Value?> & Sendable
    ) -> Row {
        Row(options: [option], resettable: (option.long, property)) { $1[dynamicMember: property] = $0[option] }
    }

    private static func row<Value>(
        _ option: Option<Value?>,
        _ property: any WritableKeyPath<Profile, Value> & Sendable
    ) -> Row {
        Row(options: [option], resettable: (option.long, property)) { $1[dynamicMember: property] = $0[option] }
    }

    private static func row(
        _ option: Option<[String]>,
        _ property: any WritableKeyPath<Profile, [String]> & Sendable
    ) -> Row {
        Row(options: [option], resettable: (option.long, property)) { $1[dynamicMember: property] = list($0[option]) }
    }

    private static func row(
        _ secret: SecretOptions,
        _ input: Option<Bool>,
        _ property: any WritableKeyPath<Profile, SecretSource> & Sendable
    ) -> Row {
        Row(options: [input] + secret.options, resettable: (secret.name, property)) { call, edit throws(VTError) in
            edit[dynamicMember: property] = try secret.source(in: call)
        }
    }

    static let options = sections.flatMap { section in
        [any CommandOption].under(section.heading, section.rows.flatMap(\.options))
    }
    static let common: [any CommandOption] = [user, port, identity, jump, tag]

    /// The options that replace the destination.
    static let addresses: [any CommandOption] = [via, link, vibeTunnel]

    /// The properties that can be reset, with the names of their options.
    static let resettable = rows.compactMap(\.resettable)

    /// Returns the changes requested by the options, except for secrets on standard input.
    static func edit(_ call: Call) throws(VTError) -> ProfileEdit {
        var edit = ProfileEdit()
        for row in rows { try row.apply(call, &edit) }
        return edit
    }

    /// Makes the paths in the edit absolute, and adds the paths of the keys.
    static func anchored(_ edit: ProfileEdit, keys: [String], in context: Context) throws(VTError) -> ProfileEdit {
        var edit = edit
        let identities = (edit.identities ?? []).map(WorkingDirectory.absolute) + (try paths(of: keys, in: context))
        edit.identities = list(identities)
        edit.knownHosts = edit.knownHosts.map(WorkingDirectory.absolute)
        edit.authorities = edit.authorities.map(WorkingDirectory.absolute)
        edit.password = edit.password.map(anchored)
        edit.passphrase = edit.passphrase.map(anchored)
        return edit
    }

    private static func paths(of keys: [String], in context: Context) throws(VTError) -> [String] {
        guard !keys.isEmpty else { return [] }
        do throws(VTError) {
            return try KeyService(context.world).paths(of: keys)
        } catch {
            guard error.code == .notFound, let path = keys.first(where: { $0.contains("/") }) else { throw error }
            var error = error
            error.hint = "for the file of a key, use '--identity \(path.sanitized)'"
            throw error
        }
    }

    private static func anchored(_ source: SecretSource) -> SecretSource {
        guard case .file(let path) = source else { return source }
        return .file(WorkingDirectory.absolute(path))
    }

    // MARK: - Values

    /// Returns nil if the option was not given, so that the list is left unchanged.
    private static func list(_ values: [String]) -> [String]? {
        values.isEmpty ? nil : values.withoutRepetition
    }

    private static func nonempty(_ placeholder: String, completion: CompletionKind = .none) -> ValueKind<String> {
        ValueKind(placeholder, completion: completion, parse: text)
    }

    private static func viaCommand(_ value: String) throws(VTError) -> ViaCommand {
        try ViaCommand(parsing: try text(value))
    }

    /// The port of VibeTunnel's servers; https is served by proxies, on its own port.
    private static let vibeTunnelPort = 4020

    private static func vibeTunnelAddress(_ value: String) throws(VTError) -> HTTPAddress {
        let url = value.contains("://") ? value : "http://\(value)"
        let address = try HTTPAddress(parsing: url)
        guard address.query.isEmpty else {
            throw VTError(.usage, "invalid URL: it has a query", hint: "use the form https://HOST[:PORT][/PATH]")
        }
        let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        let hasPort = authority.last != "]" && authority.drop { $0 != "]" && $0 != ":" }.contains(":")
        guard !address.isSecure, !hasPort else { return address }
        return try HTTPAddress(parsing: "http://\(authority):\(vibeTunnelPort)\(address.path)")
    }

    private static func text(_ value: String) throws(VTError) -> String {
        guard !value.isEmpty, !value.utf8.contains(0) else {
            throw VTError(.usage, "a value is empty or contains a NUL byte")
        }
        return value
    }

    static func fingerprint(_ value: String) throws(VTError) -> String {
        guard HostKeyPolicy.isFingerprint(value) else {
            throw VTError(
                .usage,
                "invalid fingerprint '\(value)'",
                hint: "use the form that ssh-keygen -l prints: SHA256: followed by 43 characters"
            )
        }
        return value
    }
}
