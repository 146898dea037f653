import Arguments
import Core

extension ProfileOptions {
    /// The options shared by `add` and `edit`, in manual order.
    static let specs =
        [
            OptionSpec("user", short: "l", value: ValueSpec("USER"), summary: "log in as this user"),
            OptionSpec("port", short: "p", value: ValueSpec("PORT"), summary: "connect to this port"),
        ] + authentication + route + trust + limits + defaults

    private static let authentication =
        [
            OptionSpec(
                "identity",
                short: "i",
                value: ValueSpec("FILE", completion: .file, defaultText: "id_ed25519, id_ecdsa, id_rsa in ~/.ssh"),
                isRepeatable: true,
                summary: "log in with this private key"
            ),
            OptionSpec(
                "key",
                value: ValueSpec("NAME", completion: .key),
                isRepeatable: true,
                summary: "log in with this key managed by 'vt key'"
            ),
            OptionSpec("no-agent", excludes: ["agent"], summary: "do not use the keys of the SSH agent"),
            OptionSpec("agent", summary: "try the keys of the SSH agent first (the default)"),
        ]
        + [SecretOptions.standardInput(.password)] + SecretOptions.specs(.password)
        + [SecretOptions.standardInput(.passphrase)] + SecretOptions.specs(.passphrase)
        + [
            OptionSpec(
                "secret-store",
                value: ValueSpec("STORE", choices: ["auto", "file"], defaultText: "auto"),
                summary: "choose where secrets from standard input are stored",
                details: "'auto' uses the desktop's Secret Service through secret-tool(1). 'file' uses an unencrypted "
                    + "file with mode 0600 in vt's state directory."
            )
        ]

    private static let route = [
        OptionSpec(
            "jump",
            short: "J",
            value: ValueSpec("PROFILE", completion: .profile),
            excludes: ["proxy-command"],
            summary: "connect through this jump host"
        ),
        OptionSpec(
            "proxy-command",
            value: ValueSpec("COMMAND", completion: .command),
            summary: "connect through the standard input and output of a shell command",
            details: "%h, %p, %r and %n are replaced by the host, port, user and profile, and %% by a percent sign."
        ),
        OptionSpec(
            "via",
            value: ValueSpec("COMMAND", completion: .command),
            summary: "run commands through the standard streams of a program instead of SSH",
            details: "COMMAND is split into words as in sh, with quotes and backslashes but without expansions, and is "
                + "started without a shell. The words of the command to run are appended, or replace the word {argv}. "
                + "If the program passes a command line to a shell, as ssh does, use {line}: the whole command, quoted "
                + "for that shell, replaces it as a single word, or as part of a longer word. The machine that the "
                + "program reaches must have /bin/sh. A profile with --via cannot have a host, port, user, keys, "
                + "password, jump host or host key policy."
        ),
    ]

    private static let trust = [
        OptionSpec(
            "host-key-policy",
            value: ValueSpec("POLICY", choices: ["accept-new", "strict"], defaultText: "accept-new"),
            excludes: ["host-key"],
            summary: "accept and store the keys of new hosts, or reject them"
        ),
        OptionSpec(
            "host-key",
            value: ValueSpec("FINGERPRINT"),
            summary: "trust only the host key with this fingerprint, written as SHA256:BASE64"
        ),
        OptionSpec(
            "known-hosts",
            value: ValueSpec("FILE", completion: .file),
            summary: "also read this known_hosts file"
        ),
        OptionSpec(
            "allow-algorithm",
            value: ValueSpec("NAME", choices: WeakAlgorithms.names),
            isRepeatable: true,
            summary: "allow a weak algorithm for this server, if vt supports it ('vt ssh -Q' lists the supported ones)"
        ),
    ]

    private static let limits = [
        .connectTimeout,
        OptionSpec(
            "keep-alive",
            value: ValueSpec("DURATION", defaultText: "15s"),
            summary: "send a keep-alive after this long without data, at most once every 2s; 0s disables keep-alives"
        ),
        OptionSpec(
            "keep-alive-count",
            value: ValueSpec("N", defaultText: "3"),
            summary: "disconnect after N unanswered keep-alives"
        ),
        OptionSpec(
            "share",
            value: ValueSpec("DURATION", defaultText: "60s"),
            summary: "keep the connection open until it has been unused for this long; 'off' disables sharing"
        ),
    ]

    private static let defaults = [
        OptionSpec("cwd", value: ValueSpec("DIR"), summary: "run commands in this directory"),
        .environment(of: "commands"),
        OptionSpec(
            "shell",
            value: ValueSpec("PROGRAM"),
            summary: "run shell commands with this program instead of the login shell"
        ),
        OptionSpec(
            "tag",
            value: ValueSpec("TAG", completion: .tag),
            isRepeatable: true,
            summary: "add a tag, for selecting several profiles at once"
        ),
        OptionSpec("note", value: ValueSpec("TEXT"), summary: "store a note"),
    ]
}
