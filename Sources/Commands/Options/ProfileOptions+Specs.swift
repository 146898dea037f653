import Arguments
import Core

extension ProfileOptions {
    /// The options that `add` and `edit` share, in manual order.
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
            OptionSpec("no-agent", excludes: ["agent"], summary: "leave the keys of the SSH agent alone"),
            OptionSpec("agent", summary: "try the keys of the SSH agent first; this is the default"),
        ]
        + [SecretOptions.standardInput(.password)] + SecretOptions.specs(.password)
        + [SecretOptions.standardInput(.passphrase)] + SecretOptions.specs(.passphrase)
        + [
            OptionSpec(
                "secret-store",
                value: ValueSpec("STORE", choices: ["auto", "file"], defaultText: "auto"),
                summary: "choose where secrets from standard input are kept",
                details: "auto is the Secret Service of the desktop, through secret-tool(1). file is a file of mode "
                    + "0600 below the directory of vt, in which secrets stand unencrypted."
            )
        ]

    private static let route = [
        OptionSpec(
            "jump",
            short: "J",
            value: ValueSpec("PROFILE", completion: .profile),
            excludes: ["proxy-command"],
            summary: "connect through this server"
        ),
        OptionSpec(
            "proxy-command",
            value: ValueSpec("COMMAND", completion: .command),
            summary: "connect through the input and output of a shell command",
            details: "%h, %p, %r and %n stand for host, port, user and profile, %% for a percent sign."
        ),
    ]

    private static let trust = [
        OptionSpec(
            "host-key-policy",
            value: ValueSpec("POLICY", choices: ["accept-new", "strict"], defaultText: "accept-new"),
            excludes: ["host-key"],
            summary: "store the key of a new host, or refuse it"
        ),
        OptionSpec(
            "host-key",
            value: ValueSpec("FINGERPRINT"),
            summary: "trust just the host key with this fingerprint, written SHA256:BASE64"
        ),
        OptionSpec(
            "known-hosts",
            value: ValueSpec("FILE", completion: .file),
            summary: "read this known_hosts file too"
        ),
        OptionSpec(
            "allow-algorithm",
            value: ValueSpec("NAME", choices: WeakAlgorithms.names),
            isRepeatable: true,
            summary: "offer a weak algorithm to this server"
        ),
    ]

    private static let limits = [
        OptionSpec(
            "connect-timeout",
            value: ValueSpec("DURATION", defaultText: "15s"),
            summary: "give up when the server has not let us in after this time"
        ),
        OptionSpec(
            "keep-alive",
            value: ValueSpec("DURATION", defaultText: "15s"),
            summary: "ask a silent server for an answer after this time, at most every 2s; 0s never asks"
        ),
        OptionSpec(
            "keep-alive-count",
            value: ValueSpec("N", defaultText: "3"),
            summary: "take the link for lost after so many missing answers"
        ),
    ]

    private static let defaults = [
        OptionSpec("cwd", value: ValueSpec("DIR"), summary: "start commands in this directory"),
        OptionSpec(
            "env",
            value: ValueSpec("NAME=VALUE"),
            isRepeatable: true,
            summary: "set an environment variable for commands"
        ),
        OptionSpec(
            "shell",
            value: ValueSpec("PROGRAM"),
            summary: "let this program read shell lines instead of the login shell"
        ),
        OptionSpec(
            "tag",
            value: ValueSpec("TAG", completion: .tag),
            isRepeatable: true,
            summary: "give the profile a tag, to choose many at a time"
        ),
        OptionSpec("note", value: ValueSpec("TEXT"), summary: "keep a note"),
    ]
}
