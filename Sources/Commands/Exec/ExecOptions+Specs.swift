import Arguments
import Core
import Services

extension ExecOptions {
    static let specs: [OptionSpec] =
        [
            OptionSpec("user", short: "l", value: ValueSpec("USER"), summary: "log in as this user"),
            OptionSpec("port", short: "p", value: ValueSpec("PORT"), summary: "connect to this port"),
            OptionSpec(
                "identity",
                short: "i",
                value: ValueSpec("FILE", completion: .file),
                isRepeatable: true,
                summary: "log in with this private key instead of the profile's"
            ),
            OptionSpec(
                "pty",
                short: "t",
                isRepeatable: true,
                excludes: ["no-pty"],
                summary: "give the program a terminal",
                details: "Output and error output then come as one. A terminal on standard input is set raw meanwhile."
            ),
            OptionSpec(
                "term",
                value: ValueSpec("TERM", defaultText: "$TERM, or xterm-256color without a terminal"),
                summary: "name the kind of terminal"
            ),
            OptionSpec(
                "size",
                value: ValueSpec("COLSxROWS", defaultText: "the size of this terminal, or 80x24"),
                summary: "set the size of the terminal"
            ),
            OptionSpec("cwd", value: ValueSpec("DIR"), summary: "start the command in this directory"),
            OptionSpec(
                "env",
                value: ValueSpec("NAME=VALUE"),
                isRepeatable: true,
                summary: "set an environment variable for the command",
                details: "The value never stands in a command line of the server: a protocol request carries it, "
                    + "and what the server refuses (AcceptEnv of sshd_config(5)) goes to sh over standard input "
                    + "first."
            ),
            OptionSpec(
                "send-env",
                value: ValueSpec("NAME", completion: .environmentName),
                isRepeatable: true,
                summary: "offer the server this variable as it is here",
                details: "NAME may hold * and ?. What the server refuses is left out. LANG and LC_* are always offered."
            ),
            OptionSpec(
                "stdin",
                value: ValueSpec("FILE", completion: .file, defaultText: "-"),
                excludes: ["no-stdin"],
                summary: "take the input from a file; - is standard input"
            ),
            OptionSpec(
                "no-stdin",
                short: "n",
                isRepeatable: true,
                summary: "give the command no input",
                details: "Within 'while read' this keeps the command from eating the lines of the loop."
            ),
            OptionSpec(
                "timeout",
                value: ValueSpec("DURATION"),
                summary: "give up a target that has not ended after this time"
            ),
            OptionSpec(
                "connect-timeout",
                value: ValueSpec("DURATION", defaultText: "15s"),
                summary: "give up a server that has not let us in after this time"
            ),
            OptionSpec(
                "tag",
                value: ValueSpec("TAG", completion: .tag),
                isRepeatable: true,
                excludes: ["all"],
                summary: "run on all profiles with this tag; of several, with all"
            ),
            OptionSpec("all", summary: "run on all profiles"),
            OptionSpec(
                "parallel",
                value: ValueSpec("N", defaultText: "64"),
                summary: "run on at most so many targets at a time"
            ),
            OptionSpec("fail-fast", summary: "stop everything when one target fails"),
            OptionSpec(
                "gather",
                excludes: ["prefix", "json"],
                summary: "show output when all have ended, equal output once"
            ),
            OptionSpec("prefix", summary: "begin each line with the target's name, also for one target"),
        ] + sshSpecs + SecretOptions.specs(.password) + SecretOptions.specs(.passphrase)

    /// What programs pass that take vt for ssh(1).
    private static let sshSpecs: [OptionSpec] = [
        OptionSpec(
            "no-pty",
            short: "T",
            isRepeatable: true,
            summary: "give the program no terminal, as is the default"
        ),
        OptionSpec("ipv4", short: "4", excludes: ["ipv6"], summary: "connect to IPv4 addresses only"),
        OptionSpec("ipv6", short: "6", summary: "connect to IPv6 addresses only"),
        OptionSpec(
            "option",
            short: "o",
            value: ValueSpec("NAME=VALUE"),
            isRepeatable: true,
            summary: "set an option of ssh_config(5)",
            details: "HostName, User, Port, AddressFamily, ConnectTimeout, ServerAliveInterval, ServerAliveCountMax, "
                + "ProxyCommand, ProxyJump, IdentityFile, IdentitiesOnly, StrictHostKeyChecking, UserKnownHostsFile, "
                + "PasswordAuthentication, PreferredAuthentications, SendEnv, SetEnv, RequestTTY and StdinNull have an "
                + "effect. Host keys are checked whatever is given: 'no' counts as accept-new. Options that change "
                + "nothing here are accepted, others refused."
        ),
        OptionSpec("escape", short: "e", value: ValueSpec("CHAR", choices: ["none"]), summary: "accepted for ssh(1)"),
        OptionSpec("no-x11", short: "x", isRepeatable: true, summary: "accepted for ssh(1): nothing is forwarded"),
        OptionSpec(
            "no-agent-forwarding",
            short: "a",
            isRepeatable: true,
            summary: "accepted for ssh(1): nothing is forwarded"
        ),
        OptionSpec("compression", short: "C", isRepeatable: true, summary: "accepted for ssh(1), without effect"),
    ]
}
