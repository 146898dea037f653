import Arguments
import Core
import Services

extension ExecOptions {
    static let specs =
        connectionSpecs + TargetOptions.profileSpecs + TargetOptions.specs + outputSpecs
        + FleetOptions.specs + sshSpecs
        + SecretOptions.specs(.password) + SecretOptions.specs(.passphrase)

    /// Options for connecting, and for the program to run.
    private static let connectionSpecs: [OptionSpec] = [
        OptionSpec("user", short: "l", value: ValueSpec("USER"), summary: "log in as this user"),
        OptionSpec("port", short: "p", value: ValueSpec("PORT"), summary: "connect to this port"),
        OptionSpec(
            "identity",
            short: "i",
            value: ValueSpec("FILE", completion: .file),
            isRepeatable: true,
            summary: "log in with this private key instead of those in the profile"
        ),
        OptionSpec(
            "pty",
            short: "t",
            isRepeatable: true,
            excludes: ["no-pty"],
            summary: "allocate a terminal for the program",
            details:
                "Standard output and standard error are then merged. If standard input is a terminal, it is set "
                + "to raw mode."
        ),
        OptionSpec(
            "term",
            value: ValueSpec("TERM", defaultText: "$TERM, or xterm-256color if there is no terminal"),
            summary: "set the terminal type"
        ),
        OptionSpec(
            "size",
            value: ValueSpec("COLSxROWS", defaultText: "the size of this terminal, or 80x24"),
            summary: "set the terminal size"
        ),
        OptionSpec("cwd", value: ValueSpec("DIR"), summary: "run the command in this directory"),
        .environment(
            of: "the command",
            details: "The value never appears in a command line on the server: it is sent as an environment "
                + "request, or, if the server rejects that (see AcceptEnv in sshd_config(5)), to sh on standard "
                + "input."
        ),
        OptionSpec(
            "send-env",
            value: ValueSpec("NAME", completion: .environmentName),
            isRepeatable: true,
            summary: "send this environment variable to the server",
            details:
                "NAME may contain the wildcards * and ?. Variables that the server rejects are skipped. LANG and "
                + "LC_* are always sent."
        ),
        OptionSpec(
            "stdin",
            value: ValueSpec("FILE", completion: .file, defaultText: "-"),
            excludes: ["no-stdin"],
            summary: "read input from this file, or from standard input if FILE is '-'"
        ),
        OptionSpec(
            "no-stdin",
            short: "n",
            isRepeatable: true,
            summary: "give the command no input",
            details: "In a 'while read' loop, this keeps the command from consuming the loop's input."
        ),
        OptionSpec(
            "timeout",
            value: ValueSpec("DURATION"),
            summary: "time out if a target has not finished after this time"
        ),
        .connectTimeout,
        .noShare,
    ]

    /// Options for running on several targets, and for their output.
    private static let outputSpecs: [OptionSpec] = [
        OptionSpec(
            "parallel",
            value: ValueSpec("N", defaultText: "64"),
            summary: "run on at most N targets at once"
        ),
        OptionSpec(
            "fail-fast",
            summary: "stop the command on all targets as soon as one fails",
            details: "In the list of failures, 'aborted' means that the command might have been started on a target, "
                + "and 'not run' that it was not."
        ),
        OptionSpec(
            "gather",
            excludes: ["prefix"],
            summary: "print output when all targets have finished, and identical output only once",
            details: "With --json, the results are printed as one JSON document per target, each on its own line."
        ),
        OptionSpec("prefix", summary: "prefix each line with the name of its target, even with one target"),
    ]

    /// Options for programs that run vt in place of ssh(1).
    private static let sshSpecs: [OptionSpec] = [
        OptionSpec(
            "no-pty",
            short: "T",
            isRepeatable: true,
            summary: "do not allocate a terminal (the default)"
        ),
        OptionSpec("ipv4", short: "4", excludes: ["ipv6"], summary: "connect only to IPv4 addresses"),
        OptionSpec("ipv6", short: "6", summary: "connect only to IPv6 addresses"),
        OptionSpec(
            "option",
            short: "o",
            value: ValueSpec("NAME=VALUE"),
            isRepeatable: true,
            summary: "set an option of ssh_config(5)",
            details: "The supported options are HostName, User, Port, AddressFamily, ConnectTimeout, "
                + "ServerAliveInterval, ServerAliveCountMax, ProxyCommand, ProxyJump, IdentityFile, IdentitiesOnly, "
                + "StrictHostKeyChecking, UserKnownHostsFile, PasswordAuthentication, PreferredAuthentications, "
                + "SendEnv, SetEnv, RequestTTY and StdinNull. Host keys are always checked: "
                + "'StrictHostKeyChecking=no' means accept-new. Options that do not apply to vt are ignored; all "
                + "other options are rejected."
        ),
        OptionSpec(
            "escape",
            short: "e",
            value: ValueSpec("CHAR", choices: ["none"]),
            summary: "ignored, for compatibility with ssh(1)"
        ),
        OptionSpec(
            "no-x11",
            short: "x",
            isRepeatable: true,
            summary: "ignored, for compatibility with ssh(1): X11 is never forwarded"
        ),
        OptionSpec(
            "no-agent-forwarding",
            short: "a",
            isRepeatable: true,
            summary: "ignored, for compatibility with ssh(1): the agent is never forwarded"
        ),
        OptionSpec("compression", short: "C", isRepeatable: true, summary: "ignored, for compatibility with ssh(1)"),
    ]
}
