import Arguments
import Core
import Services

/// Runs a command on a server, with the command line of ssh(1): `vt ssh`.
package struct SSHCommand: Command {
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
            "HOST is looked up as a profile, then as a host in ~/.ssh/config or /etc/ssh/ssh_config, and is otherwise "
                + "used as a name or address. For a profile, the configuration is not read. Options take precedence "
                + "over the configuration, but can only make the host key policy of a profile stricter.",
            "The words of COMMAND are joined with spaces and interpreted by the login shell on the server. Without "
                + "COMMAND, the login shell is started, with a terminal if standard input is one. A profile's "
                + "working directory and shell do not apply; its environment variables, as well as LANG and "
                + "LC_*, are offered to the server, which may ignore them.",
            "Options with the same meaning as in ssh(1): -4 -6 -b -B -c -D -E -f -F -g -G -i -J -l -L -m -n -N -o -p "
                + "-P -q -Q -R -s -t -T -v -V -W. The options -2 -a -C -e -k -K -M -x -y are ignored, as is -S with a "
                + "path. All other options are refused, as are values of -o that vt cannot honor and that would change "
                + "the meaning of the command line.",
            "Lists of algorithms (-c, -m and -o with Ciphers, MACs, KexAlgorithms, HostKeyAlgorithms and "
                + "PubkeyAcceptedAlgorithms) select from the algorithms that vt supports, which -Q lists.",
            "Forwarding (-D -L -R -W) uses a connection that is not shared. Ports are bound to the loopback interface "
                + "unless a bind address is given.",
            "Passwords and passphrases that the profile does not provide are asked for, unless BatchMode is 'yes': on "
                + "the terminal, or with the program that SSH_ASKPASS names, under the same conditions as in ssh(1). A "
                + "connection for which a question was asked is not shared.",
            "A new host key is stored unless StrictHostKeyChecking is 'yes'; with 'ask', you are asked. Even with "
                + "'no', a changed host key is refused. Files named "
                + "with UserKnownHostsFile replace vt's own file and ~/.ssh/known_hosts, and the first of them "
                + "receives new keys; with 'none' or /dev/null, no key is stored.",
            "Commands share connections (see 'vt profile connections'), unless -S none or -o ControlPath=none is "
                + "given; all other connection sharing settings of ssh are ignored. -O check reports whether HOST "
                + "has a shared connection; -O exit and -O stop close it once it is unused.",
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
        files: FileSpec.ofConnections + [.openSSHConfiguration, .openSSHSystemConfiguration],
        exitCodes: VTError.Code.ofConnections.filter { $0 != .timedOut },
        passesStatusThrough: true,
        hasOwnSyntax: true
    )

    private let line: SSHCommandLine
    private let options: SSHOptions
    private let words: [ByteString]
    /// Whether this is the background process (`-f`).
    private let isInBackground: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        try self.init(words: arguments.commandWords)
    }

    init(words: [ByteString], isInBackground: Bool = false) throws(VTError) {
        self.words = words
        self.isInBackground = isInBackground
        line = try SSHCommandLine(words)
        var options = SSHOptions()
        for text in line.options { try options.apply(text) }
        // As with ssh, a missing key file is not an error.
        options.connection.requiresIdentities = false
        // A proxy command given here can depend on the working directory, and callers such as mosh read its
        // standard error.
        if case .proxyCommand = options.connection.route { options.connection.shareTimeout = .zero }
        self.options = options
    }

    package func signalHandling(on console: Console) -> SignalHandling {
        // A terminal in raw mode or without echo must be restored, whichever signal ends the run.
        .cancelAll(suspends: true)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let isQuiet = line.isQuiet || options.isQuiet
        guard let path = line.logFile else {
            return try await perform(in: context.reporting(quiet: isQuiet, verbosity: line.verbosity)) { text in
                // Standard error might be closed.
                try? context.console.errorOutput.write(Array(text.utf8))
            }
        }
        let log = try SSHLog(appendingTo: path, quiet: isQuiet, verbosity: line.verbosity)
        do throws(VTError) {
            return try await perform(in: context.reporting(to: log)) { log.write($0) }
        } catch {
            let status = error.code.passThroughStatus
            log.write(ErrorReport(error, status: status).text(context.global))
            return .status(status)
        }
    }

    /// Does what the command line asks for; `report` prints messages for which there is no diagnostics method.
    private func perform(
        in context: Context,
        report: @escaping @Sendable (String) -> Void
    ) async throws(VTError) -> ProcessExit {
        switch line.action {
        case .showVersion:
            let libraries = try context.dependencies.libraries().map { "\($0.name) \($0.version)" }
            let parts = ["vt \(Release.version) (OpenSSH-compatible)"] + libraries
            try context.console.errorOutput.write(Array((parts.joined(separator: ", ") + "\n").utf8))
        case .query(let name):
            let names = try Self.supported(name, algorithms: context.dependencies.algorithms)
            try context.output.text(names.joined(separator: "\n"))
        case .showConfiguration:
            let run = try SSHRun(line, options, in: context)
            if run.options.continuesInBackground { try run.checkBackground() }
            try context.output.text(try SSHConfigurationText(run: run, plan: run.sshPlan()).text())
        case .control(let control):
            let plan = try SSHRun(line, options, in: context).sshPlan()
            let (text, status) = try await control.perform(on: plan, in: context)
            report("\(text.sanitized)\n")
            return .status(status)
        case .run:
            return try await connect(in: context, report: report)
        }
        return 0
    }

    private func connect(
        in context: Context,
        report: @escaping @Sendable (String) -> Void
    ) async throws(VTError) -> ProcessExit {
        let run = try SSHRun(line, options, in: context, report: report)
        if run.options.continuesInBackground, !isInBackground {
            try run.checkBackground()
            // Start a new process, because a process with an event loop cannot fork. Nothing is connected yet.
            let words = SSHBackgroundCommand.spec.path.map { ByteString($0) } + words
            let program = BackgroundProgram(environment: context.console.environment)
            let status = try await program.start(words)
            return .status(status?.shellStatus ?? 0)
        }
        do throws(VTError) {
            return .status(try await context.withSuspensions { () async throws(VTError) in try await run.perform() })
        } catch {
            // As with ssh, even failures are not reported with -q and LogLevel=QUIET.
            guard !run.isSilent || error.isCancellation else { return .status(VTError.Code.passThroughFailure) }
            if !context.global.json, let lines = run.lines(for: error) {
                report(lines.map { $0.sanitized + "\n" }.joined())
            }
            // Callers of ssh expect the same status for every failure to connect, including a timeout.
            guard error.code == .timedOut else { throw run.hinted(error) }
            throw VTError(.hostUnreachable, error.message, hint: error.hint)
        }
    }
}
