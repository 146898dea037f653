import Arguments
import Core
import Services

/// Runs a command on a server, with the command line of ssh(1): `vt ssh`.
package enum SSHCommand: Command {
    package static let word = "ssh"

    /// The program names under which vt behaves like this command.
    package static let programNames = ["ssh", "vt-ssh"]

    package static let spec = CommandSpec(
        [word],
        summary: "run a command on a server, using the syntax of ssh(1)",
        description: [
            "Replaces ssh(1) in programs that run it, such as git, rsync, sftp and ansible. vt also behaves like this "
                + "command if it is invoked as ssh or vt-ssh, for example through a symbolic link:",
            "    GIT_SSH_COMMAND='vt ssh' git clone web:/srv/app.git",
            "    ln -s \"$(command -v vt)\" ~/bin/vt-ssh",
            "    sftp -S ~/bin/vt-ssh web",
            "HOST is a profile, a host in ~/.ssh/config or /etc/ssh/ssh_config, or a name or address. The words of "
                + "COMMAND are joined with spaces and interpreted by the login shell on the server. Without COMMAND, "
                + "the login shell is started, with a terminal if standard input is one.",
            "# Options",
            "Options with the same meaning as in ssh(1): -4 -6 -b -B -c -D -E -f -F -g -G -i -J -l -L -m -n -N -o -p "
                + "-P -q -Q -R -s -t -T -v -V -W. The options -2 -a -C -e -k -K -M -x -y are ignored, as is -S with a "
                + "path. All other options are refused, as are values of -o that vt cannot honor and that would "
                + "change the meaning of the command line.",
            "Lists of algorithms (-c, -m and -o with Ciphers, MACs, KexAlgorithms, HostKeyAlgorithms and "
                + "PubkeyAcceptedAlgorithms) select from the algorithms that vt supports, which -Q lists. Forwarding "
                + "(-D -L -R -W) uses a connection that is not shared; ports are bound to the loopback interface "
                + "unless a bind address is given.",
            "# Profiles and configuration",
            "For a profile, ssh's configuration is not read, and the profile's working directory and shell do not "
                + "apply; its environment variables, as well as LANG and LC_*, are offered to the server, which may "
                + "ignore them. Options take precedence over the configuration, but can only make the host key policy "
                + "of a profile stricter.",
            "# Questions",
            "Passwords and passphrases that the profile does not provide are asked for, unless BatchMode is 'yes': on "
                + "the terminal, or with the program that SSH_ASKPASS names, under the same conditions as in ssh(1). "
                + "A connection for which a question was asked is not shared.",
            "# Host keys",
            "A new host key is stored unless StrictHostKeyChecking is 'yes'; with 'ask', you are asked. Even with "
                + "'no', a changed host key is refused. Files named with UserKnownHostsFile replace vt's own file and "
                + "~/.ssh/known_hosts, and the first of them receives new keys; with 'none' or /dev/null, no key is "
                + "stored.",
            "# Shared connections",
            "Commands share connections (see 'vt profile connections'), unless -S none or -o ControlPath=none is "
                + "given; all other connection sharing settings of ssh are ignored. -O check reports whether HOST has "
                + "a shared connection; -O exit and -O stop close it once it is unused.",
        ],
        operands: [
            OperandSpec("HOST", completion: .target),
            OperandSpec("COMMAND", .optionalCommandWords, completion: .command),
        ],
        examples: [
            ExampleSpec("vt ssh web", "start a login shell"),
            ExampleSpec("vt ssh -tt ann@web.example top", "run a program on a terminal"),
            ExampleSpec("vt ssh -N -L 8080:localhost:80 web", "forward a port of this machine"),
            ExampleSpec("vt ssh -G web", "show the settings that apply to a host"),
            ExampleSpec("vt ssh -Q cipher", "list the supported ciphers"),
        ],
        exitCodes: VTError.Code.ofConnections.filter { $0 != .timedOut },
        passesStatusThrough: true,
        hasOwnSyntax: true
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try SSHInvocation(call.commandWords)
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling {
        // A terminal in raw mode or without echo must be restored, whichever signal ends the run.
        .cancelAll(suspends: true)
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        try await SSHInvocation(call.commandWords).run(in: context)
    }
}
